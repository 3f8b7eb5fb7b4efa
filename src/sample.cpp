#include "sample.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr int kNodes = 12;           // a cell
constexpr double kCell = 0.7;        // its size relative to the narrowest width
constexpr double kNegligible = -32;  // log of a section where the axis ends
constexpr double kRankTol = 1e-15;   // of the sections at the nodes
constexpr Index kTick = 64;          // draws between ticks

// Legendre polynomials P_0..P_kNodes at t.
Vec legendre(double t) {
  Vec p(kNodes + 1);
  p[0] = 1;
  p[1] = t;
  for (int l = 1; l < kNodes; ++l)
    p[l + 1] = ((2 * l + 1) * t * p[l] - l * p[l - 1]) / (l + 1);
  return p;
}

// Gauss-Legendre nodes on [-1, 1], and the matrix from values there to Legendre
// coefficients.
struct Gauss {
  Vec nodes{kNodes}, weights{kNodes};
  Mat to_coefficients{kNodes, kNodes};

  Gauss() {
    for (int i = 0; i < kNodes; ++i) {
      double t = std::cos(M_PI * (i + 0.75) / (kNodes + 0.5)), slope = 1;
      for (int step = 0; step < 20; ++step) {
        const Vec p = legendre(t);
        slope = kNodes * (t * p[kNodes] - p[kNodes - 1]) / (t * t - 1);
        t -= p[kNodes] / slope;
      }
      nodes[i] = t;
      weights[i] = 2 / ((1 - t * t) * slope * slope);
      const Vec p = legendre(t);
      for (int l = 0; l < kNodes; ++l)
        to_coefficients(l, i) = (l + 0.5) * weights[i] * p[l];
    }
  }
};

// A polynomial on [-1, 1] by its Legendre coefficients: its integral from -1 to t.
double integral(const Vec& c, const Vec& p) {
  double sum = c[0] * (p[1] + 1);
  for (int l = 1; l < kNodes; ++l) sum += c[l] * (p[l + 1] - p[l - 1]) / (2 * l + 1);
  return sum;
}

// The t with integral `mass` below: Newton's method, kept inside a shrinking bracket.
double invert(const Vec& c, double mass) {
  double low = -1, high = 1;
  double t = std::clamp(mass / c[0] - 1, low, high);
  for (int step = 0; step < 80 && high - low > 1e-16; ++step) {
    const Vec p = legendre(t);
    const double error = integral(c, p) - mass;
    (error < 0 ? low : high) = t;
    double next = t - error / c.dot(p.head(kNodes));
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - t) < 1e-15) return next;
    t = next;
  }
  return t;
}

// One coordinate: cells, and the sections (times the root of the measure's density) at
// their nodes as basis * values, with orthonormal rows of `values`.
class Axis {
 public:
  Axis(const Kernel& kernel, const Vec& at, const Vec& width, const Mat& factor,
       const Weight& weight, const Gauss& gauss)
      : gauss_(gauss), factor_(factor) {
    set_edges(kernel, at, width, weight);
    const Index cells = static_cast<Index>(edges_.size()) - 1;
    Mat points(cells * kNodes, 1);
    for (Index g = 0; g < cells; ++g) {
      for (int i = 0; i < kNodes; ++i) points(g * kNodes + i, 0) = place(g, gauss.nodes[i]);
    }
    Mat v = sections(kernel, {at, width}, points).transpose();
    const ExpQuadratic base = log_density(weight, 0);
    for (Index i = 0; i < v.rows(); ++i) {
      const double x = points(i, 0);
      v.row(i) *=
          std::exp((base.constant + base.linear * x - base.precision * x * x / 2) / 2);
    }
    compress(v);
    start_ = table(Vec::Ones(at.size()));
  }

  // A density: its Legendre coefficients on each cell (columns), its integral up to each
  // edge.
  struct Table {
    Mat coefficients;
    Vec until;
  };

  // Of this coordinate when the sections of the others are worth `c`, up to a constant.
  Table table(const Vec& c) const {
    const Mat inner = (factor_.transpose() * c.asDiagonal()) * basis_;
    const Vec g = inner.rows() <= inner.cols()
                      ? Vec((inner * values_).colwise().squaredNorm().transpose())
                      : quadratic(inner.transpose() * inner);
    const Index cells = g.size() / kNodes;
    Table out{gauss_.to_coefficients * Eigen::Map<const Mat>(g.data(), kNodes, cells),
              Vec(cells + 1)};
    out.until[0] = 0;
    for (Index k = 0; k < cells; ++k) {
      out.until[k + 1] = out.until[k] + 2 * out.coefficients(0, k) * half(k);
    }
    return out;
  }

  // Of this coordinate when nothing is known of the others.
  const Table& start() const { return start_; }

  double below(const Table& density, double x) const {
    const Index cells = density.coefficients.cols();
    if (x <= edges_.front()) return 0;
    if (x >= edges_.back()) return 1;
    const Index k = std::upper_bound(edges_.begin(), edges_.end(), x) - edges_.begin() - 1;
    const double t =
        std::clamp((x - edges_[static_cast<size_t>(k)]) / half(k) - 1, -1.0, 1.0);
    const double inside = half(k) * integral(density.coefficients.col(k), legendre(t));
    return std::clamp(density.until[k] + inside, density.until[k], density.until[k + 1]) /
           density.until[cells];
  }

  double quantile(const Table& density, double u) const {
    const Index cells = density.coefficients.cols();
    const double target = u * density.until[cells];
    const double* first = density.until.data() + 1;
    const Index k =
        std::min<Index>(std::upper_bound(first, first + cells, target) - first, cells - 1);
    return place(
        k, invert(density.coefficients.col(k), (target - density.until[k]) / half(k)));
  }

 private:
  void set_edges(const Kernel& kernel, const Vec& at, const Vec& width,
                 const Weight& weight) {
    double reach = 1;
    while (kernel.log_values(Array::Constant(1, reach))[0] > kNegligible) reach *= 1.1;
    const double low = std::max(weight.lower, (at - reach * width).minCoeff());
    const double high = std::min(weight.upper, (at + reach * width).maxCoeff());
    std::vector<double> breaks{low, high};
    if (kernel.kinked()) {
      for (Index j = 0; j < at.size(); ++j) {
        if (at[j] > low && at[j] < high) breaks.push_back(at[j]);
      }
    }
    std::sort(breaks.begin(), breaks.end());
    const double size = kCell * std::min(width.minCoeff(), weight.sd);
    edges_.push_back(low);
    for (size_t k = 1; k < breaks.size(); ++k) {
      const double from = breaks[k - 1], gap = breaks[k] - from;
      if (gap <= 1e-12 * size) continue;
      const int parts = static_cast<int>(std::ceil(gap / size));
      for (int i = 1; i <= parts; ++i) edges_.push_back(from + gap * i / parts);
    }
  }

  void compress(const Mat& v) {
    Eigen::ColPivHouseholderQR<Mat> qr(v);
    qr.setThreshold(kRankTol);
    const Index rank = std::max<Index>(qr.rank(), 1);
    values_ = (qr.householderQ() * Mat::Identity(v.rows(), rank)).transpose();
    const Mat triangle = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
    basis_ = qr.colsPermutation() * triangle.transpose();
  }

  Vec quadratic(const Mat& gram) const {
    return values_.cwiseProduct(gram * values_).colwise().sum().transpose().cwiseMax(0);
  }

  double half(Index cell) const {
    return (edges_[static_cast<size_t>(cell) + 1] - edges_[static_cast<size_t>(cell)]) / 2;
  }

  double place(Index cell, double t) const {
    return edges_[static_cast<size_t>(cell)] + half(cell) * (1 + t);
  }

  const Gauss& gauss_;
  const Mat& factor_;
  std::vector<double> edges_;
  Mat basis_, values_;
  Table start_;
};

}  // namespace

Vec distribution(const Model& model, const Weight& measure, const ConstVec& ends) {
  refuse_slopes(model);
  const Gauss gauss;
  const Axis axis(model.kernel, model.anchors.at.col(0), model.anchors.width.col(0),
                  model.coefficients, measure, gauss);
  return ends.unaryExpr([&](double x) { return axis.below(axis.start(), x); });
}

Mat draw(const Kernel& kernel, const Anchors& anchors, const std::vector<Mat>& factors,
         const Measure& measure, const ConstMat& u, const std::function<void()>& tick) {
  const Index d = anchors.dim();
  const Gauss gauss;
  std::vector<Axis> axes;
  for (Index k = 0; k < d; ++k) {
    axes.emplace_back(kernel, anchors.at.col(k), anchors.width.col(k),
                      factors[static_cast<size_t>(k)], measure[static_cast<size_t>(k)],
                      gauss);
  }
  Mat out(u.rows(), d);
  for (Index i = 0; i < u.rows(); ++i) {
    if (i % kTick == 0) tick();
    Vec log_c = Vec::Zero(anchors.size());
    for (Index k = 0; k < d; ++k) {
      const Axis& axis = axes[static_cast<size_t>(k)];
      const Vec c = (log_c.array() - log_c.maxCoeff()).exp();
      const double x = k == 0 ? axis.quantile(axis.start(), u(i, k))
                              : axis.quantile(axis.table(c), u(i, k));
      out(i, k) = x;
      log_c.array() +=
          kernel.log_values((x - anchors.at.col(k).array()) / anchors.width.col(k).array());
    }
  }
  return out;
}

}  // namespace psd
