// spectral.h: eigendecompositions of symmetric matrices, by Eigen and LAPACK.
#pragma once
#include "types.h"

namespace psd {

struct Spectrum {
  Vec values;   // ascending
  Mat vectors;  // columns

  Index negative_count() const { return (values.array() < 0).count(); }
};

Spectrum eigen_all(const Mat& symmetric);

// The eigenvalues alone: several times cheaper.
Vec eigen_values(const Mat& symmetric);

// The pairs with a negative eigenvalue.
Spectrum eigen_negative(const Mat& symmetric);

}  // namespace psd
