// interior_scaling.h: pairs of positive definite matrices A, Z, and the point between them.
#pragma once
#include "spectral.h"
#include "types.h"

namespace psd {

// Nesterov and Todd: the W = G G' with W Z W = A. Seen from there, G^{-1} A G^{-T} = G' Z G is one
// diagonal matrix, so that a step linearised there serves both.
class Scaling {
 public:
  // False if A or Z is not positive definite up to rounding.
  bool set(const Mat& a, const Mat& z);

  const Spectrum& spectrum() const { return spectrum_; }  // of W

  // A step seen from there: G^{-1} dA G^{-T} and G' dZ G.
  struct Step {
    Mat a, z;
  };
  Step seen(const Mat& da, const Mat& dz) const;

  // The largest t up to `most` for which A + t dA and Z + t dZ are positive semidefinite.
  double reach(const Step& step, double most) const;

  // The T in W^{-1} dA W^{-1} + dZ = T whose solution has (A + dA) (Z + dZ) = target I, where the
  // product of the changes is as it was in an earlier step da, dz.
  Mat corrected(double target, const Step& earlier) const;
  Mat corrected(double target, const Mat& da, const Mat& dz) const {
    return corrected(target, seen(da, dz));
  }

 private:
  Spectrum spectrum_;
  Mat to_, back_;  // G, G^{-1}
  Vec diagonal_;
};

// The largest t for which x + t dx is positive semidefinite; x is positive definite.
double positive_reach(const Mat& x, const Mat& dx);

}  // namespace psd
