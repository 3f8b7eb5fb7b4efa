// products.h: products of large matrices. Eigen's are compiled for any processor of a kind, which
// leaves half of the speed of most of them unused.
#pragma once
#include "types.h"

namespace psd {

// A matrix, or its transpose, in a product.
struct Factor {
  template <class M>
  Factor(const M& m) : matrix(m) {}  // NOLINT: a matrix is a factor
  Factor(const ConstMat& m, bool turned) : matrix(m), transposed(turned) {}

  Index rows() const { return transposed ? matrix.cols() : matrix.rows(); }
  Index cols() const { return transposed ? matrix.rows() : matrix.cols(); }

  const ConstMat matrix;
  const bool transposed = false;
};

inline Factor transposed(const ConstMat& m) { return {m, true}; }
inline Factor turned(const Factor& f) { return {f.matrix, !f.transposed}; }

Mat product(const Factor& one, const Factor& other);

// m diag(weights) m'; only its lower triangle is meant to be read, above it there are zeros and
// parts of the whole.
Mat lower_square(const ConstMat& m, const Vec& weights);

}  // namespace psd
