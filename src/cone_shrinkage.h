// cone_shrinkage.h: eigenvalues moved towards an interval, X -> U f(e) U' with
//   f(e) = max(e - upper, 0) + min(e - lower, 0),
// and its derivative. Both have the rank of the result.
#pragma once
#include "spectral.h"

namespace psd {

class Shrinkage {
 public:
  Shrinkage(double lower, double upper) : lower_(lower), upper_(upper) {}

  void move_to(const Mat& x);

  // Where it stands.
  double squared_norm() const { return moved_.squaredNorm(); }
  Mat value() const;
  Mat rest() const;  // of an interval from -Inf to zero: the projection of -X onto the PSD matrices
  Index rank() const { return moved_.size(); }

  // The derivative along dX is T P' + P T' with T = half(dX P): after prepare().
  void prepare();
  const Mat& vectors() const { return p_; }  // P
  Mat half(const Mat& change_times_p) const;

  // f(e_k) - f(e_l) over e_k - e_l for the vectors k of P and all l, once for each pair.
  const Mat& quotients() const { return quotients_; }
  const Mat& all_vectors() const { return spectrum_.vectors; }

 private:
  double lower_, upper_;
  Spectrum spectrum_;
  Index below_ = 0, above_ = 0;
  Vec moved_;  // f(e) where it is not zero
  Mat p_, quotients_;
};

}  // namespace psd
