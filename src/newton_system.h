// newton_system.h: the linear system of one Newton step,
//   (D + blocks' Hessian) (da, dnu) = right-hand side,
// D block diagonal in a (one J x J block an observation) and diagonal in nu.
#pragma once
#include "newton_preconditioner.h"

namespace psd {

class NewtonSystem {
 public:
  // Of the conjugate gradients, relative: `tol`, and `loose` where they take many steps, as the
  // preconditioner is not exact.
  NewtonSystem(const Problem& problem, const Mat& diagonal, const Vec& nu_diagonal, double tol,
               double loose, Care care);

  // The a-part by conjugate gradients, the few nu by their Schur complement.
  Vec solve(const Vec& rhs) const;

  int steps() const { return steps_; }  // of the gradients, so far

  // The diagonal of the inverse in a, for one output; up to the preconditioner's approximation.
  Vec inverse_diagonal() const;

 private:
  Mat solve_a(const Mat& rhs) const;
  Vec times(const Vec& dz) const;

  const Problem& problem_;
  const Mat& diagonal_;
  Preconditioner preconditioner_;
  double tol_;
  mutable int steps_ = 0;
  Mat cross_;   // Hessian between a and nu, one column a constraint
  Mat solved_;  // the a-part's inverse times it
  Indefinite schur_;
};

}  // namespace psd
