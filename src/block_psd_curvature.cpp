#include "block_psd_curvature.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "pairs.h"
#include "products.h"

namespace psd {
namespace {

constexpr double kLeastPair = 1e-6;  // of the largest pair: smaller ones are left to the gradients
constexpr Index kFewPairs = 3;       // at most one per so many observations
// Where more matter: the largest, one per so many observations and at most so many in all. The rest
// costs the gradients a few steps more, a matrix of all of them as much as everything else.
constexpr Index kLargestShare = 6, kMostPairs = 400;

// Keeps so many of the sizes, the largest.
Mat largest(Mat sizes, Index most) {
  if (sizes.size() <= most) return sizes;
  Mat ranked = sizes;
  std::nth_element(ranked.data(), ranked.data() + most, ranked.data() + ranked.size(),
                   std::greater<double>());
  const double limit = ranked.data()[most];
  return (sizes.array() > limit).select(sizes, 0);
}

}  // namespace

void PsdCurvature::move_to(const PsdMap& map, const Spectrum& spectrum) {
  g_ = product(transposed(spectrum.vectors), map.features());
}

void PsdCurvature::set(const PsdMap& map, const Spectrum& spectrum, const Vec& amounts, double l2,
                       double smoothing) {
  l2_ = l2;
  smoothed_ = smoothing > 0;
  rank_ = amounts.size();
  rotated_.assign(map.forms().size(), Mat());
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (map.forms()[m].size() == 0) continue;
    rotated_[m] = product(product(transposed(spectrum.vectors.leftCols(rank_)), map.forms()[m]),
                          spectrum.vectors);
  }
  if (smoothed_) {
    factors_ = amounts * amounts.transpose();
    factors_.array() /= factors_.array() + smoothing / l2;
    return;
  }
  factors_.setOnes(rank_, map.size());
  const auto negative = spectrum.values.head(rank_).array();
  for (Index l = rank_; l < map.size(); ++l) {
    factors_.col(l) = 2 * negative / (negative - spectrum.values[l]);
  }
}

void PsdCurvature::set(const Mat& g, const Mat& omega) {
  l2_ = 1;
  smoothed_ = true;
  rank_ = g.rows();
  g_ = g;
  factors_ = omega;
  rotated_.clear();
}

void PsdCurvature::times(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const {
  const auto negative = g_.topRows(rank_);
  Mat rows = product(Mat(negative * db.asDiagonal()), transposed(g_));
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (rotated_[m].size() > 0) rows += dnu[static_cast<Index>(m)] * rotated_[m];
  }
  times_rows(std::move(rows), out_b, out_nu);
}

void PsdCurvature::times_rows(Mat rows, Vec& out_b, Vec& out_nu) const {
  rows.array() *= factors_.array() / l2_;
  out_b = (g_.topRows(rank_).array() * product(rows, g_).array()).colwise().sum().transpose();
  out_nu.setZero(static_cast<Index>(rotated_.size()));
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (rotated_[m].size() == 0) continue;
    out_nu[static_cast<Index>(m)] = (rows.array() * rotated_[m].array()).sum();
  }
}

Curvature PsdCurvature::matrix(const PsdParts& parts, bool exact) const {
  const Index n = g_.cols();
  if (!smoothed_ && rank_ > 0) {
    const bool known = parts.nodes && parts.nodes->few();
    const Mat sizes = pair_sizes();
    const Index count = (sizes.array() > 0).count();
    const Index few = exact ? n / kFewPairs : std::min(n / kFewPairs, kMostPairs);
    if (count > 0 && count <= (known ? static_cast<Index>(parts.nodes->at.size()) : few)) {
      return columns(sizes);
    }
  }
  // To look for nodes takes longer than the gradients' steps that they save.
  const bool partial = !exact && rank_ > 0;
  if ((parts.nodes || !partial || smoothed_) && parts.found_nodes()->few()) {
    const std::shared_ptr<const Nodes>& nodes = parts.nodes;
    const std::shared_ptr<const Mat> basis(nodes, &nodes->basis);
    return {Curvature::Kind::low_rank, nodes->root(at(nodes->select(g_))), basis};
  }
  if (partial) {
    Curvature out = columns(largest(pair_sizes(), std::min(n / kLargestShare, kMostPairs)));
    out.partial = true;
    return out;
  }
  if (n <= kDenseLimit) return {Curvature::Kind::dense, at(g_), nullptr};
  return {Curvature::Kind::diagonal, diagonal(), nullptr, true};
}

// The Hessian is the sum of h_kl / l2 (g_k g_l)(g_k g_l)' over pairs. The trace of each (times l2),
// k
// <= l; zero for those that hardly matter.
Mat PsdCurvature::pair_sizes() const {
  const Mat squares = g_.cwiseAbs2();
  Mat sizes = product(squares.topRows(rank_), transposed(squares)).cwiseProduct(factors_);
  sizes.leftCols(rank_).triangularView<Eigen::StrictlyLower>().setZero();
  sizes.leftCols(rank_).triangularView<Eigen::StrictlyUpper>() *= 2;
  return (sizes.array() > kLeastPair * sizes.maxCoeff()).select(sizes, 0);
}

Curvature PsdCurvature::columns(const Mat& sizes) const {
  auto basis = std::make_shared<Mat>(g_.cols(), (sizes.array() > 0).count());
  Index column = 0;
  for (Index k = 0; k < rank_; ++k) {
    for (Index l = k; l < g_.rows(); ++l) {
      if (!(sizes(k, l) > 0)) continue;
      const double factor = std::sqrt((l < rank_ && l > k ? 2 : 1) * factors_(k, l) / l2_);
      basis->col(column++) = factor * g_.row(k).cwiseProduct(g_.row(l)).transpose();
    }
  }
  return {Curvature::Kind::low_rank, Mat(), basis};
}

Mat PsdCurvature::at(const Mat& g) const {
  return (smoothed_ ? all_pairs(factors_, g) : upper_pairs(factors_, g)) / l2_;
}

Vec PsdCurvature::diagonal() const {
  const Mat squares = g_.cwiseAbs2();
  const auto terms = squares.topRows(rank_).array() * (factors_ * squares).array();
  return terms.colwise().sum().transpose() / l2_;
}

}  // namespace psd
