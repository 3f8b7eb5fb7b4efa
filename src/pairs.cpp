#include "pairs.h"

#include <algorithm>
#include <cmath>

#include "products.h"
#include "spectral.h"

namespace psd {
namespace {

constexpr Index kGroups = 4;      // of rows that share their factors,
constexpr Index kLarge = 500;     // or one group for sums larger than that
constexpr double kLeast = 1e-10;  // of the eigenvalues of smooth factors, relative

}  // namespace

Mat upper_pairs(const Mat& factors, const Mat& g) {
  const Index rank = factors.rows(), others = g.rows() - rank;
  const Index groups = std::min(rank, g.cols() > kLarge ? 1 : kGroups);
  const Mat among = product(transposed(g.topRows(rank)), g.topRows(rank));
  Mat out = among.cwiseAbs2();
  for (Index k = 0; k < groups; ++k) {
    const Index from = k * rank / groups, to = (k + 1) * rank / groups;
    const Vec factor = factors.block(from, rank, to - from, others).colwise().mean();
    const Mat scaled = factor.cwiseSqrt().asDiagonal() * g.bottomRows(others);
    const auto rows = g.middleRows(from, to - from);
    out.array() +=
        product(transposed(rows), rows).array() * product(transposed(scaled), scaled).array();
  }
  return out;
}

// With factors = sum_q s_q z_q z_q' the sum is that of s_q (G' diag(z_q) G)^2, entry by entry.
Mat all_pairs(const Mat& factors, const Mat& g) {
  const Spectrum split = eigen_all(factors);
  const double least = kLeast * split.values.cwiseAbs().maxCoeff();
  Mat out = Mat::Zero(g.cols(), g.cols());
  for (Index q = 0; q < split.values.size(); ++q) {
    if (std::abs(split.values[q]) <= least) continue;
    const Mat scaled = split.vectors.col(q).asDiagonal() * g;
    out += split.values[q] * product(transposed(g), scaled).cwiseAbs2();
  }
  return out;
}

}  // namespace psd
