// cone_integrals.h: constraints on integrals of outputs in half-spaces (cone.h): sum_s <W_ks, A_s>
// equal to, or at most, a bound for every k.
#pragma once
#include <vector>

#include "problem.h"

namespace psd {

class ConeIntegrals {
 public:
  // `matrices[k][s]` is W_ks.
  ConeIntegrals(std::vector<std::vector<Mat>> matrices, Constraints limits);

  Index count() const { return limits_.bound.size(); }
  const Constraints& limits() const { return limits_; }
  const Mat& matrix(Index k, Index s) const {
    return matrices_[static_cast<size_t>(k)][static_cast<size_t>(s)];
  }

  Vec of(const std::vector<Mat>& a) const;

  // Whether they hold, up to what rounding leaves.
  bool hold(const std::vector<Mat>& a, double tol = 1e-13) const;

  // All A_s by the one positive factor, if there is one, that brings the equalities nearest.
  void rescale(std::vector<Mat>& a) const;

  // The A_s moved along the W_ks until all hold; false if that cannot be.
  bool meet(std::vector<Mat>& a) const;

 private:
  Vec excess(const std::vector<Mat>& a) const;  // relative to max(1, |bound|)

  std::vector<std::vector<Mat>> matrices_;
  Constraints limits_;
};

}  // namespace psd
