#include "axis.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace psd {
namespace {

constexpr int kNodes = 12;            // a cell
constexpr double kCell = 0.7;         // its size relative to the narrowest width
constexpr double kNegligible = -32;   // log of a section where the axis ends
constexpr double kRankTol = 1e-15;    // of the sections at the nodes
constexpr double kMostCells = 20000;  // where more would be needed they are longer

const GaussRule& rule() {
  static const GaussRule rule(kNodes);
  return rule;
}

const Mat& to_coefficients() {
  static const Mat matrix = rule().to_coefficients();
  return matrix;
}

struct Interval {
  double low;
  double high;
};

// The union of intervals inside the support, as disjoint intervals in their order: far from all
// anchors there is nothing to cut into cells, however far that is.
std::vector<Interval> united(const Vec& low, const Vec& high, const Weight& weight) {
  std::vector<Interval> all;
  for (Index j = 0; j < low.size(); ++j) {
    const Interval one{std::max(weight.lower, low[j]), std::min(weight.upper, high[j])};
    if (one.low < one.high) all.push_back(one);
  }
  if (all.empty()) all.push_back({weight.lower, weight.upper});
  std::sort(all.begin(), all.end(),
            [](const Interval& one, const Interval& other) { return one.low < other.low; });
  std::vector<Interval> out{all.front()};
  for (const Interval& next : all) {
    if (next.low <= out.back().high) {
      out.back().high = std::max(out.back().high, next.high);
    } else {
      out.push_back(next);
    }
  }
  return out;
}

}  // namespace

Axis::Axis(const Kernel& kernel, const Vec& at, const Vec& width, const Mat& factor,
           const Weight& weight, bool alone)
    : factor_(factor) {
  set_edges(kernel, at, width, weight);
  const Mat points = node_places();
  Mat v = sections(kernel, {at, width}, points).transpose();
  const ExpQuadratic base = log_density(weight, 0);
  for (Index i = 0; i < v.rows(); ++i) {
    const double x = points(i, 0);
    v.row(i) *= std::exp((base.constant + base.linear * x - base.precision * x * x / 2) / 2);
  }
  if (alone) {
    values_ = v.transpose();
    basis_ = Mat::Identity(at.size(), at.size());
  } else {
    compress(v);
  }
  start_ = table(Vec::Ones(at.size()));
}

Axis::Table Axis::table(const Vec& c) const {
  const Mat inner = (factor_.transpose() * c.asDiagonal()) * basis_;
  const Vec g = inner.rows() <= inner.cols()
                    ? Vec((inner * values_).colwise().squaredNorm().transpose())
                    : quadratic(inner.transpose() * inner);
  Table out{to_coefficients() * Eigen::Map<const Mat>(g.data(), kNodes, cells()), Vec(cells() + 1)};
  out.until[0] = 0;
  for (Index k = 0; k < cells(); ++k) {
    out.until[k + 1] = out.until[k] + 2 * out.coefficients(0, k) * half(k);
  }
  return out;
}

double Axis::below(const Table& density, double x) const {
  if (x <= edges_.front()) return 0;
  if (x >= edges_.back()) return 1;
  const Index k = std::upper_bound(edges_.begin(), edges_.end(), x) - edges_.begin() - 1;
  const double t = std::clamp((x - edges_[static_cast<size_t>(k)]) / half(k) - 1, -1.0, 1.0);
  const double inside = half(k) * integral_below(density.coefficients.col(k), legendre(t, kNodes));
  return std::clamp(density.until[k] + inside, density.until[k], density.until[k + 1]) /
         density.until[cells()];
}

double Axis::quantile(const Table& density, double u) const {
  const double target = u * density.until[cells()];
  const double* first = density.until.data() + 1;
  const Index k =
      std::min<Index>(std::upper_bound(first, first + cells(), target) - first, cells() - 1);
  const double mass = (target - density.until[k]) / half(k);
  return place(k, invert_integral(density.coefficients.col(k), mass));
}

void Axis::set_edges(const Kernel& kernel, const Vec& at, const Vec& width, const Weight& weight) {
  double reach = 1;
  while (kernel.log_values(Array::Constant(1, reach))[0] > kNegligible) reach *= 1.1;
  const std::vector<Interval> covered = united(at - reach * width, at + reach * width, weight);
  double length = 0;
  for (const Interval& interval : covered) length += interval.high - interval.low;
  const double size = std::max(kCell * std::min(width.minCoeff(), weight.sd), length / kMostCells);
  for (const Interval& interval : covered) {
    std::vector<double> breaks{interval.low, interval.high};
    if (!kernel.traits().smooth) {
      for (Index j = 0; j < at.size(); ++j) {
        if (at[j] > interval.low && at[j] < interval.high) breaks.push_back(at[j]);
      }
    }
    std::sort(breaks.begin(), breaks.end());
    edges_.push_back(interval.low);  // what lies between two intervals is one empty cell
    for (size_t k = 1; k < breaks.size(); ++k) {
      const double from = breaks[k - 1], gap = breaks[k] - from;
      if (gap <= 1e-12 * size) continue;
      const int parts = static_cast<int>(std::ceil(gap / size));
      for (int i = 1; i <= parts; ++i) edges_.push_back(from + gap * i / parts);
    }
  }
  if (edges_.size() < 2 || !std::isfinite(length)) {
    throw std::invalid_argument("the kernel is too narrow, or too far away, to be integrated");
  }
}

Mat Axis::node_places() const {
  Mat points(cells() * kNodes, 1);
  for (Index g = 0; g < cells(); ++g) {
    for (int i = 0; i < kNodes; ++i) points(g * kNodes + i, 0) = place(g, rule().nodes[i]);
  }
  return points;
}

void Axis::compress(const Mat& v) {
  Eigen::ColPivHouseholderQR<Mat> qr(v);
  qr.setThreshold(kRankTol);
  const Index rank = std::max<Index>(qr.rank(), 1);
  values_ = (qr.householderQ() * Mat::Identity(v.rows(), rank)).transpose();
  const Mat triangle = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  basis_ = qr.colsPermutation() * triangle.transpose();
}

Vec Axis::quadratic(const Mat& gram) const {
  return values_.cwiseProduct(gram * values_).colwise().sum().transpose().cwiseMax(0);
}

double Axis::half(Index cell) const {
  return (edges_[static_cast<size_t>(cell) + 1] - edges_[static_cast<size_t>(cell)]) / 2;
}

double Axis::place(Index cell, double t) const {
  return edges_[static_cast<size_t>(cell)] + half(cell) * (1 + t);
}

}  // namespace psd
