// features.h: phi(x) = L^{-1} v(x), the landmarks chosen by pivoted Cholesky of the kernel matrix.
#pragma once
#include "integrals.h"
#include "types.h"

namespace psd {

struct Features {
  Anchors anchors;               // the landmarks, and last the constant if there is one
  std::vector<Index> landmarks;  // their row numbers in the data
  Mat factor;                    // L, lower triangular: L L' = K on the landmarks
  Mat values;                    // V: phi(x_i) in column i
};

// `width`: one a coordinate. `constant` > 0 appends the feature phi = constant: an anchor of
// infinite width, so that everything said of anchors holds for it.
Features make_features(const Kernel& kernel, const ConstMat& x, const Vec& width, double tol,
                       Index max_rank, double constant);

// <A, W> for f = phi' A phi means int f: W = L^{-1} M L^{-T}.
Mat to_features(const Mat& factor, const Mat& gram);

}  // namespace psd
