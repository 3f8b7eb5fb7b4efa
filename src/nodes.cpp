#include "nodes.h"

#include "pivoted_cholesky.h"

namespace psd {
namespace {

constexpr double kTol = 1e-7;  // on the diagonal of K o K; conjugate gradients mend the rest

}  // namespace

Nodes make_nodes(const Mat& v) {
  const Index n = v.cols(), r = v.rows();
  if (3 * r > n) return {};
  auto column = [&](Index j) -> Vec { return (v.transpose() * v.col(j)).array().square(); };
  const Vec diagonal = v.colwise().squaredNorm().transpose().array().square();
  const PivotedCholesky products = pivoted_cholesky(diagonal, column, kTol, n / 2);
  if (static_cast<Index>(products.pivots.size()) >= n / 2) return {};
  return {products.pivots, products.factor(), products.rows.transpose()};
}

Mat Nodes::select(const Mat& g) const {
  Mat out(g.rows(), static_cast<Index>(at.size()));
  for (size_t j = 0; j < at.size(); ++j) out.col(static_cast<Index>(j)) = g.col(at[j]);
  return out;
}

Mat Nodes::root(const Mat& form) const {
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Mat half = lower.solve(form);
  const Eigen::LDLT<Mat> ldlt(lower.solve(half.transpose()));
  Mat out = ldlt.matrixL();
  out = ldlt.transpositionsP().transpose() * out;
  return out * ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
}

}  // namespace psd
