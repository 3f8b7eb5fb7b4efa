#include "axis.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "decompositions.h"

namespace psd {
namespace {

constexpr int kNodes = 12;            // a cell
constexpr double kCell = 0.7;         // its size relative to the narrowest width there
constexpr double kNegligible = -32;   // log of a section where the axis ends
constexpr double kBaseReach = 12;     // sds: there the root of the base is as small
constexpr double kRankTol = 1e-15;    // of the sections at the nodes
constexpr double kMostCells = 20000;  // where more would be needed they are longer

constexpr char kNoCells[] = "the kernel is too narrow, or too far away, to be integrated";

const GaussRule& rule() {
  static const GaussRule rule(kNodes);
  return rule;
}

const Mat& to_coefficients() {
  static const Mat matrix = rule().to_coefficients();
  return matrix;
}

// Where sections reach, and the narrowest width among them.
struct Interval {
  double low;
  double high;
  double width;
};

struct End {
  double place;
  double width;
  bool opens;
};

// Where sections begin and end inside the support. One that is wide, or constant, goes as far as
// the base does.
std::vector<End> ends_of(const Vec& at, const Vec& width, double reach, const Weight& weight) {
  std::vector<End> ends;
  const double base = kBaseReach * weight.sd;
  for (Index j = 0; j < at.size(); ++j) {
    const double own = reach * width[j], least = reach * std::min(width[j], weight.sd);
    const double low =
        std::max({weight.lower, at[j] - own, std::min(at[j] - least, weight.mean - base)});
    const double high =
        std::min({weight.upper, at[j] + own, std::max(at[j] + least, weight.mean + base)});
    if (!(low < high)) continue;
    ends.push_back({low, width[j], true});
    ends.push_back({high, width[j], false});
  }
  return ends;
}

// Where the sections reach inside the support, as disjoint intervals in their order, each with the
// narrowest section there: far from all anchors there is nothing to cut into cells, however far
// that is, and where only wide ones reach not much.
std::vector<Interval> covered(const Vec& at, const Vec& width, double reach, const Weight& weight) {
  std::vector<End> ends = ends_of(at, width, reach, weight);
  if (ends.empty()) return {{weight.lower, weight.upper, width.minCoeff()}};
  std::sort(ends.begin(), ends.end(),
            [](const End& one, const End& other) { return one.place < other.place; });
  std::multiset<double> open;
  std::vector<Interval> out;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i].opens) {
      open.insert(ends[i].width);
    } else {
      open.erase(open.find(ends[i].width));
    }
    const double low = ends[i].place, high = ends[i + 1].place;
    if (open.empty() || !(low < high)) continue;
    const double narrowest = *open.begin();
    if (!out.empty() && out.back().high == low && out.back().width == narrowest) {
      out.back().high = high;
    } else {
      out.push_back({low, high, narrowest});
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

void Axis::compress(const Mat& v) {
  Compressed found = compressed(v, kRankTol);
  values_ = std::move(found.values);
  basis_ = std::move(found.basis);
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
