// interior_boxed_point.h: the unknowns of boxed_interior(), and its step.
#pragma once
#include "interior_ends.h"
#include "interior_pair.h"
#include "newton_preconditioner.h"
#include "solver.h"

namespace psd {

class BoxedPoint {
 public:
  BoxedPoint(Problem& problem, const SmoothRisk& risk, const Settings& settings);

  const Vec& dual() const { return a_; }

  // The primal point is A itself, with the linear functions that the dual point stands for.
  Certificate look();

  // Roots of fewer columns, as few as are as good as was asked for.
  void simplify(Tracker& tracker);

  // Predictor and corrector (Mehrotra). The length of the step, 0 if there is none.
  double step();

 private:
  // The PSD blocks' pairs, and an index of the block of each.
  struct Member {
    size_t block;
    Pair pair;
  };

  void start();
  double mu() const;
  double mu_after(double t) const;
  double reach() const;
  Vec block_dual(size_t block) const;
  Vec outputs() const;  // of all blocks, as long as a
  void add_mixed(size_t block, const Vec& values, Vec& out) const;
  bool prepare();
  void go_for(const Preconditioner& preconditioner, double mu, bool corrected);
  Vec solve(const Preconditioner& preconditioner, const Vec& rhs) const;
  void follow();
  Preconditioner preconditioner() const;
  double lengthened(const Preconditioner& preconditioner, double mu);
  Vec curved(const Vec& da) const;
  Certificate with_roots(const std::vector<Mat>& roots) const;

  Problem& problem_;
  const SmoothRisk& risk_;
  const double cg_tol_;
  Ends ends_;
  std::vector<Member> members_;
  Vec a_, da_;
  double objective_ = 0;  // of the dual, where look() last was
  Vec residual_, rhs_;
  Mat diagonal_;
};

}  // namespace psd
