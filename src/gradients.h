// gradients.h: preconditioned conjugate gradients, for vectors and for matrices as vectors.
#pragma once
#include <algorithm>

#include "types.h"

namespace psd {

inline double inner_product(const Mat& one, const Mat& other) {
  return one.cwiseProduct(other).sum();
}

// The relative residual that may be left of a Newton step: it need not be known much better than
// the gap that is asked for, nor can it be known better than rounding lets it.
constexpr double kFinestStep = 1e-8;
inline double step_tolerance(double tol) { return std::clamp(0.01 * tol, kFinestStep, 1e-3); }

// x with times(x) = rhs, or a good way towards it: until the squared length of the residual, in the
// norm of the preconditioner, is goal(that of rhs), and no further than the curvature is positive.
template <class Times, class Precondition, class Goal>
Mat conjugate_gradients(const Mat& rhs, Times times, Precondition precondition, Goal goal,
                        int most) {
  Mat x = Mat::Zero(rhs.rows(), rhs.cols()), r = rhs, s = precondition(r), p = s;
  double rs = inner_product(r, s);
  const double enough = goal(rs);
  for (int k = 0; k < most && rs > enough && rs > 0; ++k) {
    const Mat hp = times(p);
    const double curvature = inner_product(p, hp);
    if (!(curvature > 0)) break;
    x += rs / curvature * p;
    r -= rs / curvature * hp;
    s = precondition(r);
    const double next = inner_product(r, s);
    p = s + next / rs * p;
    rs = next;
  }
  return x;
}

}  // namespace psd
