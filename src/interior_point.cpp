#include "interior_point.h"

#include <algorithm>
#include <cmath>

#include "decompositions.h"
#include "products.h"

namespace psd {
namespace {

constexpr double kFraction = 0.98;  // of the way to the boundary, at most
// Of mu: what the predictor leaves is a guess, and mu must not vanish before the other equations
// hold.
constexpr double kLeastLeft = 0.01;
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

}  // namespace

InteriorPoint::InteriorPoint(Problem& problem, const SmoothRisk& risk, const Vec& z)
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

Vec InteriorPoint::dual() const {
  Vec z(problem_.dual_size());
  z << -alpha_, nu_;
  return z;
}

Certificate InteriorPoint::look() {
  const Vec z = dual();
  objective_ = problem_.move_to(z, {}) + problem_.simple(z);
  Certificate exact = problem_.certificate(objective_);
  Certificate own = problem_.certificate_of({root()}, objective_);
  return own.primal < exact.primal ? own : exact;
}

void InteriorPoint::simplify(Tracker& tracker) const {
  Index enough = std::min(tracker.rank(), map_.size()), too_few = 0;
  while (enough - too_few > 1) {
    const Index rank = (enough + too_few) / 2;
    const bool good = tracker.prefer(problem_.certificate_of({largest(rank)}, objective_));
    (good ? enough : too_few) = rank;
  }
}

double InteriorPoint::step() {
  if (!prepare()) return 0;
  const InteriorSystem system(products_, omega_, g_, d_);
  if (!system.sound()) return 0;
  const Mat solved = system.solve(cross_);
  const Step forward = direction(system, solved, -z_, weights_.cwiseQuotient(alpha_) - f_);
  if (!forward.a.allFinite() || !forward.z.allFinite()) return 0;
  const double t = std::min(1.0, reach_of(forward));
  const double mu = inner(a_, z_), left = inner(a_ + t * forward.a, z_ + t * forward.z);
  const double center = std::pow(std::clamp(left / mu, kLeastLeft, 1.0), 3) * mu / size();
  const Mat target = scaling_.corrected(center, forward.a, forward.z);
  const Vec product = weights_ - forward.alpha.cwiseProduct(forward.f);
  const Step whole = direction(system, solved, target, product.cwiseQuotient(alpha_) - f_);
  if (!whole.a.allFinite() || !whole.z.allFinite()) return 0;
  const double length = std::min(1.0, kFraction * reach_of(whole));
  a_ += length * whole.a;
  z_ += length * whole.z;
  alpha_ += length * whole.alpha;
  nu_ += length * whole.nu;
  f_ = values(a_);
  return f_.minCoeff() > 0 ? length : 0;
}

double InteriorPoint::start_size() const {
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

Vec InteriorPoint::values(const Mat& a) const {
  return (map_.features().array() * product(a, map_.features()).array()).colwise().sum();
}

Mat InteriorPoint::root() {
  spectrum_ = eigen_all(a_);
  const double mu = inner(a_, z_) / size();
  const double least = kVanishing * std::sqrt(std::max(mu, 0.0) / parts_.l2);
  return largest((spectrum_.values.array() > least).count());
}

Mat InteriorPoint::largest(Index rank) const {
  return spectrum_.vectors.rightCols(rank) *
         spectrum_.values.tail(rank).cwiseMax(0).cwiseSqrt().asDiagonal();
}

bool InteriorPoint::prepare() {
  if (!scaling_.set(a_, z_)) return false;
  const Mat& u = scaling_.spectrum().vectors;
  const Vec& theta = scaling_.spectrum().values;
  omega_ = theta * theta.transpose();
  omega_.array() /= 1 + parts_.l2 * omega_.array();
  g_ = product(transposed(u), products_.features());
  d_ = f_.cwiseQuotient(alpha_);
  infeasible_ = full(parts_.matrix_at(-alpha_, nu_)) + parts_.l2 * a_ - z_;
  const Index count = problem_.constraint_count();
  missing_ = problem_.constraints().bound;
  cross_.resize(alpha_.size(), count);
  rotated_.assign(static_cast<size_t>(count), Mat());
  for (Index m = 0; m < count; ++m) {
    const Mat& form = map_.forms()[static_cast<size_t>(m)];
    missing_[m] -= inner(a_, form);
    rotated_[static_cast<size_t>(m)] = product(product(transposed(u), form), u);
    cross_.col(m) = values_of(omega_.cwiseProduct(rotated_[static_cast<size_t>(m)]));
  }
  return true;
}

Vec InteriorPoint::values_of(const Mat& rotated) const {
  return products_.everywhere(
      (g_.array() * product(rotated, g_).array()).colwise().sum().transpose());
}

InteriorPoint::Step InteriorPoint::direction(const InteriorSystem& system, const Mat& solved,
                                             const Mat& target, const Vec& pull) const {
  const Mat& u = scaling_.spectrum().vectors;
  const Index count = problem_.constraint_count();
  Mat change = omega_.cwiseProduct(product(product(transposed(u), Mat(target - infeasible_)), u));
  Step out;
  out.alpha = system.solve(pull - values_of(change));
  out.nu = multipliers(solved, change, out.alpha);
  out.alpha += solved * out.nu;
  const Mat moved = lower_square(g_, products_.gathered(out.alpha)).selfadjointView<Eigen::Lower>();
  change += omega_.cwiseProduct(moved);
  Mat along = -moved;  // dS
  for (Index m = 0; m < count; ++m) {
    const Mat& form = rotated_[static_cast<size_t>(m)];
    change -= out.nu[m] * omega_.cwiseProduct(form);
    along += out.nu[m] * form;
  }
  out.f = values_of(change);
  out.a = symmetric(product(product(u, change), transposed(u)));
  out.z = symmetric(infeasible_ + parts_.l2 * out.a + product(product(u, along), transposed(u)));
  return out;
}

Vec InteriorPoint::multipliers(const Mat& solved, const Mat& change, const Vec& alpha) const {
  const Index count = problem_.constraint_count();
  if (count == 0) return Vec();
  Mat schur = cross_.transpose() * solved;
  Vec rest = missing_ - cross_.transpose() * alpha;
  for (Index m = 0; m < count; ++m) {
    const Mat& form = rotated_[static_cast<size_t>(m)];
    const Mat weighted = omega_.cwiseProduct(form);
    rest[m] -= inner(change, form);
    for (Index l = 0; l < count; ++l)
      schur(l, m) -= inner(weighted, rotated_[static_cast<size_t>(l)]);
  }
  return least_squares(schur, rest);
}

double InteriorPoint::reach_of(const Step& step) const {
  return std::min(
      {positive_reach(a_, step.a), positive_reach(z_, step.z), psd::reach(alpha_, step.alpha)});
}

}  // namespace psd
