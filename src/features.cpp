#include "features.h"

#include "pivoted_cholesky.h"

namespace psd {

Features make_features(const Kernel& kernel, const ConstMat& x, const Vec& width, double tol,
                       Index max_rank, double constant) {
  const Index n = x.rows(), d = x.cols();
  auto column = [&](Index j) -> Vec {
    const Anchors one{x.row(j), width.transpose()};
    return sections(kernel, one, x).transpose();
  };
  const PivotedCholesky cholesky = pivoted_cholesky(Vec::Ones(n), column, tol, max_rank);
  const Index kernels = static_cast<Index>(cholesky.pivots.size());
  const Index r = kernels + (constant > 0 ? 1 : 0);

  Features out;
  out.landmarks = cholesky.pivots;
  out.anchors.at = Mat::Zero(r, d);
  out.anchors.width = Mat::Constant(r, d, kInf);
  for (Index j = 0; j < kernels; ++j) out.anchors.at.row(j) = x.row(cholesky.pivots[j]);
  out.anchors.width.topRows(kernels).rowwise() = width.transpose();
  out.factor = Mat::Zero(r, r);
  out.factor.topLeftCorner(kernels, kernels) = cholesky.factor();
  out.values.resize(r, n);
  out.values.topRows(kernels) = cholesky.rows;
  if (constant > 0) {
    out.factor(kernels, kernels) = 1 / constant;
    out.values.row(kernels).setConstant(constant);
  }
  return out;
}

Mat to_features(const Mat& factor, const Mat& gram) {
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Mat half = lower.solve(gram);
  const Mat whole = lower.solve(half.transpose());
  return (whole + whole.transpose()) / 2;
}

}  // namespace psd
