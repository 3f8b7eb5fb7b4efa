#include "interior.h"

#include <algorithm>
#include <cmath>

#include "block_psd_map.h"
#include "interior_scaling.h"
#include "interior_system.h"

namespace psd {
namespace {

constexpr Index kDenseMost = 600;   // observations, if there are no nodes to go through
constexpr double kFraction = 0.98;  // of the way to the boundary, at most
constexpr double kShortest = 1e-2;  // a step that says rounding errors have taken over
constexpr int kMostSteps = 40;
// Of the eigenvalues of A, relative to sqrt(mu / l2), where A and S are as large: those far below
// are on their way to zero.
constexpr double kVanishing = 1e-3;

Mat symmetric(const Mat& m) { return (m + m.transpose()) / 2; }

double inner(const Mat& one, const Mat& other) { return one.cwiseProduct(other).sum(); }

double reach(const Vec& x, const Vec& dx) {
  double t = kInf;
  for (Index i = 0; i < x.size(); ++i) {
    if (dx[i] < 0) t = std::min(t, -x[i] / dx[i]);
  }
  return t;
}

class InteriorPoint {
 public:
  InteriorPoint(Problem& problem, const SmoothRisk& risk, const Vec& z)
      : problem_(problem),
        parts_(*problem.blocks()[0]->psd_parts()),
        map_(parts_.map),
        products_(map_.features(), parts_.found_nodes()),
        weights_(risk.weights()),
        nu_(problem.nu(z)) {
    a_ = start_size() * Mat::Identity(map_.size(), map_.size());
    f_ = values(a_);
    alpha_ = weights_.cwiseQuotient(f_);
    const Mat s = full(parts_.matrix_at(-alpha_, nu_));
    const double size = std::max(parts_.l1, eigen_values(s).cwiseAbs().maxCoeff());
    z_ = size * Mat::Identity(map_.size(), map_.size());
  }

  Vec dual() const {
    Vec z(problem_.dual_size());
    z << -alpha_, nu_;
    return z;
  }

  // The better of two primal points: A, and the one that S stands for.
  Certificate look() {
    const Vec z = dual();
    const double objective = problem_.move_to(z, {}) + problem_.simple(z);
    Certificate exact = problem_.certificate(objective);
    Certificate own = problem_.certificate_of({root()}, objective);
    return own.primal < exact.primal ? own : exact;
  }

  // Predictor and corrector (Mehrotra). The length of the step, 0 if there is none.
  double step() {
    if (!prepare()) return 0;
    const InteriorSystem system(products_, omega_, g_, d_);
    const Mat solved = system.solve(cross_);
    const Step forward = direction(system, solved, -z_, weights_.cwiseQuotient(alpha_) - f_);
    const double t = std::min(1.0, reach_of(forward));
    const double mu = inner(a_, z_), left = inner(a_ + t * forward.a, z_ + t * forward.z);
    const double center = std::pow(std::clamp(left / mu, 0.01, 1.0), 3) * mu / size();
    const Mat target = scaling_.corrected(center, forward.a, forward.z);
    const Vec product = weights_ - forward.alpha.cwiseProduct(forward.f);
    const Step whole = direction(system, solved, target, product.cwiseQuotient(alpha_) - f_);
    const double length = std::min(1.0, kFraction * reach_of(whole));
    if (!std::isfinite(length)) return 0;
    a_ += length * whole.a;
    z_ += length * whole.z;
    alpha_ += length * whole.alpha;
    nu_ += length * whole.nu;
    f_ = values(a_);
    return f_.minCoeff() > 0 ? length : 0;
  }

 private:
  struct Step {
    Mat a, z;
    Vec alpha, f, nu;
  };

  double size() const { return static_cast<double>(map_.size()); }

  static Mat full(const Mat& lower) { return lower.selfadjointView<Eigen::Lower>(); }

  // A multiple of the identity that meets the equalities as well as it can, or the penalty alone.
  double start_size() const {
    double along = 0, norm = 0;
    for (Index m = 0; m < problem_.constraint_count(); ++m) {
      const Mat& form = map_.forms()[static_cast<size_t>(m)];
      if (form.size() == 0) continue;
      along += problem_.constraints().bound[m] * form.trace();
      norm += form.trace() * form.trace();
    }
    if (along > 0) return along / norm;
    const double offset = parts_.offset.size() > 0 ? std::max(0.0, parts_.offset.trace()) : 0;
    return 1 / (parts_.l1 * size() + offset);
  }

  Vec values(const Mat& a) const {
    return (map_.features().array() * (a * map_.features()).array()).colwise().sum();
  }

  Mat root() const {
    const Spectrum spectrum = eigen_all(a_);
    const double mu = inner(a_, z_) / size();
    const double least = kVanishing * std::sqrt(std::max(mu, 0.0) / parts_.l2);
    const Index kept = (spectrum.values.array() > least).count();
    return spectrum.vectors.rightCols(kept) * spectrum.values.tail(kept).cwiseSqrt().asDiagonal();
  }

  // What the step's two directions share.
  bool prepare() {
    if (!scaling_.set(a_, z_)) return false;
    const Mat& u = scaling_.spectrum().vectors;
    const Vec& theta = scaling_.spectrum().values;
    omega_ = theta * theta.transpose();
    omega_.array() /= 1 + parts_.l2 * omega_.array();
    g_.noalias() = u.transpose() * products_.features();
    d_ = f_.cwiseQuotient(alpha_);
    infeasible_ = full(parts_.matrix_at(-alpha_, nu_)) + parts_.l2 * a_ - z_;
    const Index count = problem_.constraint_count();
    missing_ = problem_.constraints().bound;
    cross_.resize(alpha_.size(), count);
    rotated_.assign(static_cast<size_t>(count), Mat());
    for (Index m = 0; m < count; ++m) {
      const Mat& form = map_.forms()[static_cast<size_t>(m)];
      missing_[m] -= inner(a_, form);
      rotated_[static_cast<size_t>(m)] = u.transpose() * form * u;
      cross_.col(m) = values_of(omega_.cwiseProduct(rotated_[static_cast<size_t>(m)]));
    }
    return true;
  }

  // g' M g at all observations, M in the scaling's coordinates.
  Vec values_of(const Mat& rotated) const {
    return products_.everywhere((g_.array() * (rotated * g_).array()).colwise().sum().transpose());
  }

  // dA = omega o (target - infeasible + V dalpha V' - sum_m dnu_m W_m), in the scaling's
  // coordinates, with df = phi' dA phi, d dalpha + df = pull, and the constraints met.
  Step direction(const InteriorSystem& system, const Mat& solved, const Mat& target,
                 const Vec& pull) const {
    const Mat& u = scaling_.spectrum().vectors;
    const Index count = problem_.constraint_count();
    Mat change = omega_.cwiseProduct(u.transpose() * (target - infeasible_) * u);
    Step out;
    out.alpha = system.solve(pull - values_of(change));
    out.nu = Vec::Zero(count);
    if (count > 0) {
      Mat schur = cross_.transpose() * solved;
      Vec rest = missing_ - cross_.transpose() * out.alpha;
      for (Index m = 0; m < count; ++m) {
        const Mat& form = rotated_[static_cast<size_t>(m)];
        rest[m] -= inner(change, form);
        for (Index l = 0; l < count; ++l) {
          schur(l, m) -= inner(omega_.cwiseProduct(form), rotated_[static_cast<size_t>(l)]);
        }
      }
      out.nu = schur.completeOrthogonalDecomposition().solve(rest);
      out.alpha += solved * out.nu;
    }
    const Mat moved = g_ * products_.gathered(out.alpha).asDiagonal() * g_.transpose();
    change += omega_.cwiseProduct(moved);
    for (Index m = 0; m < count; ++m) {
      change -= out.nu[m] * omega_.cwiseProduct(rotated_[static_cast<size_t>(m)]);
    }
    out.f = values_of(change);
    out.a = symmetric(u * change * u.transpose());
    out.z = infeasible_ + parts_.l2 * out.a + full(map_.back(-out.alpha, out.nu));
    return out;
  }

  double reach_of(const Step& step) const {
    return std::min(
        {positive_reach(a_, step.a), positive_reach(z_, step.z), psd::reach(alpha_, step.alpha)});
  }

  Problem& problem_;
  const PsdParts& parts_;
  const PsdMap& map_;
  const Products products_;
  const Vec& weights_;

  Mat a_, z_;       // A, Z
  Vec alpha_, nu_;  // the dual point
  Vec f_;           // phi' A phi

  Scaling scaling_;
  Mat omega_, g_, infeasible_, cross_;
  Vec d_, missing_;
  std::vector<Mat> rotated_;
};

}  // namespace

bool interior_applies(const Problem& problem, const SmoothRisk& risk) {
  if (!risk.logarithmic() || problem.blocks().size() != 1 || problem.mixing()(0, 0) != 1) {
    return false;
  }
  const PsdParts* parts = problem.blocks()[0]->psd_parts();
  const auto& equality = problem.constraints().equality;
  const bool open = std::all_of(equality.begin(), equality.end(), [](bool e) { return e; });
  if (!parts || !open) return false;
  for (const Mat& form : parts->map.forms()) {
    if (form.size() == 0) return false;
  }
  return problem.observations() <= kDenseMost || parts->found_nodes()->few();
}

Solution interior(Problem& problem, const SmoothRisk& risk, const Settings& settings, const Vec& z,
                  Tracker& tracker, int first) {
  InteriorPoint point(problem, risk, z);
  int iteration = first;
  for (;; ++iteration) {
    if (tracker.record(point.look(), point.dual(), iteration)) return tracker.finish("converged");
    if (iteration >= settings.max_iter) return tracker.finish("max_iter");
    if (iteration == first + kMostSteps || point.step() < kShortest) break;
  }
  return newton(problem, risk, settings, point.dual(), tracker, iteration + 1);
}

}  // namespace psd
