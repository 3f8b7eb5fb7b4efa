#include "block_psd_curvature.h"

#include "pairs.h"

namespace psd {

void PsdCurvature::move_to(const PsdMap& map, const Spectrum& spectrum) {
  g_.noalias() = spectrum.vectors.transpose() * map.features();
}

void PsdCurvature::set(const PsdMap& map, const Spectrum& spectrum, const Vec& amounts, double l2,
                       double smoothing) {
  l2_ = l2;
  smoothed_ = smoothing > 0;
  rank_ = amounts.size();
  rotated_.assign(map.forms().size(), Mat());
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (map.forms()[m].size() == 0) continue;
    rotated_[m].noalias() =
        (spectrum.vectors.leftCols(rank_).transpose() * map.forms()[m]) * spectrum.vectors;
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

void PsdCurvature::times(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const {
  const auto negative = g_.topRows(rank_);
  Mat step = (negative * db.asDiagonal()) * g_.transpose();  // rows P of U' dS U
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (rotated_[m].size() > 0) step += dnu[static_cast<Index>(m)] * rotated_[m];
  }
  step.array() *= factors_.array() / l2_;
  out_b = (negative.array() * (step * g_).array()).colwise().sum().transpose();
  out_nu.setZero(static_cast<Index>(rotated_.size()));
  for (size_t m = 0; m < rotated_.size(); ++m) {
    if (rotated_[m].size() == 0) continue;
    out_nu[static_cast<Index>(m)] = (step.array() * rotated_[m].array()).sum();
  }
}

Curvature PsdCurvature::matrix(const std::shared_ptr<const Nodes>& nodes) const {
  if (nodes->few()) {
    const std::shared_ptr<const Mat> basis(nodes, &nodes->basis);
    return {Curvature::Kind::low_rank, nodes->root(at(nodes->select(g_))), basis};
  }
  if (g_.cols() <= kDenseLimit) return {Curvature::Kind::dense, at(g_), nullptr};
  return {Curvature::Kind::diagonal, diagonal(), nullptr};
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
