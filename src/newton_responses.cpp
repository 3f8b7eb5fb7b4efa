// newton_responses.cpp: what the inverse of D + the blocks' Hessian says of single observations.
#include "newton_preconditioner.h"
#include "products.h"

namespace psd {

Vec Preconditioner::inverse_diagonal() const {
  if (kind_ == Kind::diagonal) return inverse_.row(0).transpose();
  const Index n = problem_.observations();
  if (kind_ == Kind::dense) {
    const Mat root = factor_.solve_lower(Mat::Identity(n, n));
    return root.colwise().squaredNorm().transpose();
  }
  Mat columns(factor_.size(), n);
  Index first = 0;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Curvature& c = curvatures_[k];
    columns.middleRows(first, c.rank()) =
        problem_.mixing()(0, static_cast<Index>(k)) * c.factor().transpose();
    first += c.rank();
  }
  columns = factor_.solve_lower(columns);
  const Array inverse = inverse_.row(0).transpose();
  return inverse - inverse.square() * columns.colwise().squaredNorm().transpose().array();
}

Mat Preconditioner::response_blocks() const {
  if (kind_ == Kind::woodbury) return factored_responses();
  const Index j = problem_.outputs(), n = problem_.observations();
  const Mat half = kind_ == Kind::dense ? factor_.solve_lower(Mat::Identity(j * n, j * n)) : Mat();
  Mat out(j * j, n);
  for (Index i = 0; i < n; ++i) {
    const Mat columns = kind_ == Kind::dense ? half.middleCols(i * j, j) : Mat();
    const Mat inverse =
        kind_ == Kind::dense ? Mat(columns.transpose() * columns) : Mat(square(inverse_, i, j));
    const Mat d = square(diagonal_, i, j);
    Eigen::Map<Mat>(out.col(i).data(), j, j) = d - d * inverse * d;
  }
  return out;
}

// With B the columns of all factors, mixed, this is B (I + B' D^{-1} B)^{-1} B': at each
// observation one number a pair of functions, and of these the mixtures.
Mat Preconditioner::factored_responses() const {
  const Index j = problem_.outputs();
  Mat out = Mat::Zero(j * j, problem_.observations());
  const Mat inverse = factor_.solve(Mat(Mat::Identity(factor_.size(), factor_.size())));
  Index first = 0;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Mat factor = curvatures_[k].factor();
    Index other = 0;
    for (size_t l = 0; l <= k; ++l) {
      const Mat part = inverse.block(first, other, factor.cols(), curvatures_[l].rank());
      const Vec pair = product(factor, part).cwiseProduct(curvatures_[l].factor()).rowwise().sum();
      const Mat one = problem_.mixing().col(static_cast<Index>(k)) *
                      problem_.mixing().col(static_cast<Index>(l)).transpose();
      const Mat both = k == l ? one : Mat(one + one.transpose());
      out += Eigen::Map<const Vec>(both.data(), j * j) * pair.transpose();
      other += curvatures_[l].rank();
    }
    first += factor.cols();
  }
  return out;
}

}  // namespace psd
