// newton_system.h: the linear system of one Newton step,
//   (D + blocks' Hessian) (da, dnu) = right-hand side,
// D block diagonal in a (one J x J block an observation) and diagonal in nu.
#pragma once
#include "problem.h"

namespace psd {

// Solves with an approximation of the a-part, factorised once.
class Preconditioner {
 public:
  // `diagonal`: column i is the J x J block of D at observation i. `accurate`: a dense factor if it
  // fits, as Woodbury's formula loses digits when D spans many orders of magnitude.
  Preconditioner(const Problem& problem, const Mat& diagonal, bool accurate);

  Mat solve(const Mat& rhs) const;

 private:
  enum class Kind { woodbury, dense, diagonal };

  void choose(bool accurate);
  void set_woodbury();
  void set_dense();
  void set_diagonal();
  void invert(const Mat& diagonal);
  Mat times_inverse(const Mat& rhs) const;

  const Problem& problem_;
  const Mat& diagonal_;
  std::vector<Curvature> curvatures_;
  Kind kind_ = Kind::woodbury;
  Mat inverse_;  // column i: the inverse of block i
  Eigen::LLT<Mat> factor_;
};

class NewtonSystem {
 public:
  // `tol`: of the conjugate gradients, relative.
  NewtonSystem(const Problem& problem, const Mat& diagonal, const Vec& nu_diagonal, double tol,
               bool accurate);

  // The a-part by conjugate gradients, the few nu by their Schur complement.
  Vec solve(const Vec& rhs) const;

 private:
  Mat solve_a(const Mat& rhs) const;
  Vec times(const Vec& dz) const;

  const Problem& problem_;
  const Mat& diagonal_;
  double tol_;
  Preconditioner preconditioner_;
  Mat cross_;   // Hessian between a and nu, one column a constraint
  Mat solved_;  // the a-part's inverse times it
  Eigen::LDLT<Mat> schur_;
};

}  // namespace psd
