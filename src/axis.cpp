#include "axis.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "axis_cells.h"
#include "products.h"

namespace psd {
namespace {

constexpr int kNodes = 12;             // a cell
constexpr double kCell = 0.7;          // its size relative to the narrowest width there
constexpr double kNegligible = -32;    // log of a section where the axis ends
constexpr double kFar = 1.6;           // times as far a section is below 1e-22
constexpr Index kChunk = 40 * kNodes;  // nodes at a time
constexpr double kMostCells = 20000;   // where more would be needed they are longer

constexpr char kNoCells[] = "the kernel is too narrow, or too far away, to be integrated";

const GaussRule& rule() {
  static const GaussRule rule(kNodes);
  return rule;
}

const Mat& to_coefficients() {
  static const Mat matrix = rule().to_coefficients();
  return matrix;
}

// In widths, where a section is negligible.
double reach_of(const Kernel& kernel) {
  double reach = 1;
  while (kernel.log_values(Array::Constant(1, reach))[0] > kNegligible) reach *= 1.1;
  return reach;
}

}  // namespace

Axis::Axis(const Kernel& kernel, const Vec& at, const Vec& width, const Mat& factor,
           const Weight& weight, bool alone)
    : factor_(factor) {
  const double reach = reach_of(kernel);
  set_edges(kernel, at, width, weight, reach);
  const Mat points = node_places();
  const ExpQuadratic base = log_density(weight, 0);
  const Array x = points.col(0);
  const Array log_base = base.constant + base.linear * x - base.precision / 2 * x.square();
  if (alone) {
    const Vec g = squares(kernel, {at, width}, points, kFar * reach);
    start_ = tabulated(g.array() * log_base.exp(), 0);
  } else {
    Vec weight(points.rows());
    for (Index k = 0; k < weight.size(); ++k) {
      weight[k] = half(k / kNodes) * rule().weights[k % kNodes];
    }
    stretches_ = make_stretches(kernel, {at, width}, points, (log_base / 2).exp(), weight, kNodes,
                                kFar * reach);
    if (stretches_.all.empty()) throw std::invalid_argument(kNoCells);
  }
}

// A chunk of them at a time, of the sections that reach it.
Vec Axis::squares(const Kernel& kernel, const Anchors& anchors, const Mat& points,
                  double reach) const {
  Vec out = Vec::Zero(points.rows());
  for (Index first = 0; first < points.rows(); first += kChunk) {
    const Index size = std::min(kChunk, points.rows() - first);
    const double low = points(first, 0), high = points(first + size - 1, 0);
    const std::vector<Index> near = reaching(anchors, low, high, reach);
    if (near.empty()) continue;
    const Mat own = rows_of(factor_, near);
    const Mat v = sections(kernel, some_of(anchors, near), points.middleRows(first, size));
    out.segment(first, size) = product(transposed(own), v).colwise().squaredNorm().transpose();
  }
  return out;
}

Axis::Table Axis::tabulated(const Vec& g, Index first) const {
  const Index count = g.size() / kNodes;
  Table out{first, to_coefficients() * Eigen::Map<const Mat>(g.data(), kNodes, count),
            Vec(count + 1)};
  out.until[0] = 0;
  for (Index k = 0; k < count; ++k) {
    out.until[k + 1] = out.until[k] + 2 * out.coefficients(0, k) * half(first + k);
  }
  return out;
}

double Axis::below(double x) const {
  if (x <= edges_.front()) return 0;
  if (x >= edges_.back()) return 1;
  const Index k = std::upper_bound(edges_.begin(), edges_.end(), x) - edges_.begin() - 1;
  const double t = std::clamp((x - edges_[static_cast<size_t>(k)]) / half(k) - 1, -1.0, 1.0);
  const double inside = half(k) * integral_below(start_.coefficients.col(k), legendre(t, kNodes));
  return std::clamp(start_.until[k] + inside, start_.until[k], start_.until[k + 1]) /
         start_.until[cells()];
}

double Axis::quantile(const Table& density, double u) const {
  const Index count = density.until.size() - 1;
  const double target = u * density.until[count];
  const double* first = density.until.data() + 1;
  const Index k =
      std::min<Index>(std::upper_bound(first, first + count, target) - first, count - 1);
  const Index cell = density.first + k;
  const double mass = (target - density.until[k]) / half(cell);
  return place(cell, invert_integral(density.coefficients.col(k), mass));
}

double Axis::quantile(const Vec& c, double u) const {
  const Mat weighted = c.asDiagonal() * factor_;
  std::vector<Mat> inner, square;
  for (const Stretch& stretch : stretches_.all) {
    inner.push_back(product(transposed(rows_of(weighted, stretch.near)), stretch.basis));
    square.push_back(product(transposed(inner.back()), inner.back()));
  }
  std::vector<double> until{0};
  for (const Part& part : stretches_.parts) {
    const Mat& here = square[static_cast<size_t>(part.stretch)];
    until.push_back(until.back() + std::max(0.0, here.cwiseProduct(part.gram).sum()));
  }
  const double target = u * until.back();
  const auto end = std::upper_bound(until.begin() + 1, until.end() - 1, target);
  const double before = *(end - 1), mass = *end - before;
  const Part& part = stretches_.parts[static_cast<size_t>(end - until.begin() - 1)];
  const Stretch& stretch = stretches_.all[static_cast<size_t>(part.stretch)];
  const Mat v = product(
      inner[static_cast<size_t>(part.stretch)],
      stretch.values.middleCols(part.first * kNodes - stretch.first_node, part.count * kNodes));
  const Table density = tabulated(v.colwise().squaredNorm().transpose(), part.first);
  return quantile(density, mass > 0 ? (target - before) / mass : u);
}

void Axis::set_edges(const Kernel& kernel, const Vec& at, const Vec& width, const Weight& weight,
                     double reach) {
  const std::vector<Interval> intervals = covered(at, width, reach, weight);
  double needed = 0;
  for (const Interval& interval : intervals) {
    needed += (interval.high - interval.low) / (kCell * std::min(interval.width, weight.sd));
  }
  if (!std::isfinite(needed)) throw std::invalid_argument(kNoCells);
  const double longer = std::max(1.0, needed / kMostCells);
  for (const Interval& interval : intervals) {
    const double size = std::min(longer * kCell * std::min(interval.width, weight.sd),
                                 interval.high - interval.low);
    std::vector<double> breaks{interval.low, interval.high};
    if (!kernel.traits().smooth) {
      for (Index j = 0; j < at.size(); ++j) {
        if (at[j] > interval.low && at[j] < interval.high) breaks.push_back(at[j]);
      }
    }
    std::sort(breaks.begin(), breaks.end());
    // What lies between two intervals is one empty cell.
    if (edges_.empty() || edges_.back() < interval.low) edges_.push_back(interval.low);
    for (size_t k = 1; k < breaks.size(); ++k) {
      const double from = breaks[k - 1], gap = breaks[k] - from;
      if (gap <= 1e-12 * size) continue;
      const int parts = static_cast<int>(std::ceil(gap / size));
      for (int i = 1; i <= parts; ++i) edges_.push_back(from + gap * i / parts);
    }
  }
  if (edges_.size() < 2) throw std::invalid_argument(kNoCells);
}

Mat Axis::node_places() const {
  Mat points(cells() * kNodes, 1);
  for (Index g = 0; g < cells(); ++g) {
    for (int i = 0; i < kNodes; ++i) points(g * kNodes + i, 0) = place(g, rule().nodes[i]);
  }
  return points;
}

double Axis::half(Index cell) const {
  return (edges_[static_cast<size_t>(cell) + 1] - edges_[static_cast<size_t>(cell)]) / 2;
}

double Axis::place(Index cell, double t) const {
  return edges_[static_cast<size_t>(cell)] + half(cell) * (1 + t);
}

}  // namespace psd
