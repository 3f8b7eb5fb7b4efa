// interior_point.h: one pair of primal and dual points, and the step of Nesterov, Todd and
// Mehrotra.
#pragma once
#include "block_psd_map.h"
#include "interior_scaling.h"
#include "interior_system.h"
#include "solver.h"

namespace psd {

class InteriorPoint {
 public:
  InteriorPoint(Problem& problem, const SmoothRisk& risk, const Vec& z);

  Vec dual() const;

  // The better of two primal points: A, and the one that S stands for.
  Certificate look();

  // The lowest rank of A that is as good as was asked for.
  void simplify(Tracker& tracker) const;

  // Predictor and corrector (Mehrotra). The length of the step, 0 if there is none.
  double step();

 private:
  struct Step {
    Mat a, z;
    Vec alpha, f, nu;
  };

  double size() const { return static_cast<double>(map_.size()); }

  static Mat full(const Mat& lower) { return lower.selfadjointView<Eigen::Lower>(); }

  // A multiple of the identity that meets the equalities as well as it can, or the penalty alone.
  double start_size() const;

  Vec values(const Mat& a) const;

  // R with A = R R', without the directions in which A is on its way to zero.
  Mat root();

  Mat largest(Index rank) const;

  // What the step's two directions share.
  bool prepare();

  // g' M g at all observations, M in the scaling's coordinates.
  Vec values_of(const Mat& rotated) const;

  // dA = omega o (target - infeasible + V dalpha V' - sum_m dnu_m W_m), in the scaling's
  // coordinates, with df = phi' dA phi, d dalpha + df = pull, and the constraints met.
  Step direction(const InteriorSystem& system, const Mat& solved, const Mat& target,
                 const Vec& pull) const;

  // The dnu that meet the constraints, by the Schur complement of K.
  Vec multipliers(const Mat& solved, const Mat& change, const Vec& alpha) const;

  double reach_of(const Step& step) const;

  Problem& problem_;
  const PsdParts& parts_;
  const PsdMap& map_;
  const Products products_;
  const Vec& weights_;

  Mat a_, z_;             // A, Z
  Vec alpha_, nu_;        // the dual point
  Vec f_;                 // phi' A phi
  double objective_ = 0;  // of the dual, where look() last was
  Spectrum spectrum_;     // of A there

  Scaling scaling_;
  Mat omega_, g_, infeasible_, cross_;
  Vec d_, missing_;
  std::vector<Mat> rotated_;
};

}  // namespace psd
