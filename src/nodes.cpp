#include "nodes.h"

#include <algorithm>

#include "decompositions.h"
#include "pivoted_cholesky.h"

namespace psd {
namespace {

constexpr double kTol = 1e-7;  // on the diagonal of K o K; conjugate gradients mend the rest
// Nodes for each feature, at most: of d variables there are about 2^(d / 2), as K o K is as a
// kernel that much narrower.
constexpr Index kPerFeature = 8;
// What remains of products of few leading directions does not fall before there are many more nodes
// than directions.
constexpr Index kLeast = 64;
constexpr Index kMostFeatures = 300;  // of more, nodes are so many that gradients take less time

}  // namespace

Nodes make_nodes(const Mat& v) {
  const Index n = v.cols(), r = v.rows();
  if (3 * r > n || r > kMostFeatures) return {};
  auto column = [&](Index j) -> Vec { return (v.transpose() * v.col(j)).array().square(); };
  const Vec diagonal = v.colwise().squaredNorm().transpose().array().square();
  const Index most = std::min(n / 2, kPerFeature * r), enough = std::max(r, kLeast);
  const PivotedCholesky products = whole_pivoted_cholesky(diagonal, column, kTol, most, enough);
  return {products.pivots, products.factor(), products.rows.transpose()};
}

Mat Nodes::select(const Mat& g) const {
  Mat out(g.rows(), static_cast<Index>(at.size()));
  for (size_t j = 0; j < at.size(); ++j) out.col(static_cast<Index>(j)) = g.col(at[j]);
  return out;
}

Mat Nodes::root(const Mat& form) const {
  const Mat half = lower_solve(factor, form);
  return Indefinite(lower_solve(factor, half.transpose())).root();
}

}  // namespace psd
