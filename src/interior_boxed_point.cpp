#include "interior_boxed_point.h"

#include <algorithm>
#include <cmath>

#include "gradients.h"

namespace psd {
namespace {

constexpr double kFraction = 0.98;  // of the way to the boundary, at most
constexpr double kRiskFraction = 0.9;
constexpr double kLeastLeft = 0.01;  // of mu: what the predictor leaves is a guess,
constexpr int kPower = 4;            //   and where to go from there
// Tolerance of the conjugate gradients, as for Newton's steps.
constexpr double kCgShare = 0.01, kCgFine = 1e-8, kCgCoarse = 1e-3;
constexpr int kCgMax = 200;
constexpr double kEnough = 1e-5;  // a tolerance at which an exact preconditioner does alone
// Outliers are aimed at, so often at most, while a step is shorter than this: for a step by so much
// longer, and as long as it gets longer by that.
constexpr int kRounds = 2;
constexpr double kLong = 0.9, kFurther = 1.5, kWorth = 1.1;
// At the start, relative to what is to be fitted: functions, and <A, Z>.
constexpr double kStartSize = 0.3, kStartProduct = 0.3;

}  // namespace

BoxedPoint::BoxedPoint(Problem& problem, const SmoothRisk& risk, const Settings& settings)
    : problem_(problem),
      risk_(risk),
      cg_tol_(std::clamp(kCgShare * settings.tol, kCgFine, kCgCoarse)),
      ends_(risk) {
  start();
}

// At the dual point zero if that is inside the box. There every S is positive, and A of a size at
// which functions are about as large as what they are to fit.
void BoxedPoint::start() {
  a_ = Vec::Zero(problem_.dual_size());
  if (!ends_.hold(a_)) a_ = problem_.start();
  problem_.move_to(a_, {});
  Mat slope, hessian;
  risk_.derivatives(problem_.a(a_), slope, hessian);
  const double scale = (slope.cwiseAbs() * risk_.weights()).mean();
  for (size_t k = 0; k < problem_.blocks().size(); ++k) {
    const PsdParts* parts = problem_.blocks()[k]->psd_parts();
    if (!parts) continue;
    const Mat& v = parts->map.features();
    const double size = kStartSize * scale * static_cast<double>(v.cols()) / v.squaredNorm();
    const double least = kStartProduct * scale / (static_cast<double>(v.rows()) * size);
    members_.push_back({k, Pair(*parts, size, std::max(parts->l1 + parts->l2 * size, least))});
  }
  const Vec u = outputs();
  ends_.start(a_, Eigen::Map<const Vec>(slope.data(), slope.size()) - u, scale);
}

double BoxedPoint::mu() const {
  double sum = ends_.complementarity();
  for (const Member& member : members_) sum += member.pair.complementarity();
  return sum / (ends_.total_weight() + static_cast<double>(members_.size()));
}

double BoxedPoint::mu_after(double t) const {
  double sum = ends_.complementarity_after(t);
  for (const Member& member : members_) sum += member.pair.complementarity_after(t);
  return sum / (ends_.total_weight() + static_cast<double>(members_.size()));
}

double BoxedPoint::reach() const {
  double t = std::min(1 / kFraction, ends_.reach());
  for (const Member& member : members_) t = member.pair.reach(t);
  return kFraction * t;
}

Vec BoxedPoint::block_dual(size_t block) const {
  return problem_.a(a_).transpose() * problem_.mixing().col(static_cast<Index>(block));
}

void BoxedPoint::add_mixed(size_t block, const Vec& values, Vec& out) const {
  problem_.a(out) += problem_.mixing().col(static_cast<Index>(block)) * values.transpose();
}

Vec BoxedPoint::outputs() const {
  Vec out = Vec::Zero(a_.size());
  for (size_t k = 0; k < problem_.blocks().size(); ++k) {
    if (!problem_.blocks()[k]->psd_parts()) add_mixed(k, problem_.blocks()[k]->values(), out);
  }
  for (const Member& member : members_) add_mixed(member.block, member.pair.values(), out);
  return out;
}

Certificate BoxedPoint::look() {
  objective_ = problem_.move_to(a_, {}) + problem_.simple(a_);
  std::vector<Mat> roots;
  for (const Member& member : members_) roots.push_back(member.pair.root());
  return with_roots(roots);
}

Certificate BoxedPoint::with_roots(const std::vector<Mat>& roots) const {
  std::vector<Mat> coefficients;
  size_t next = 0;
  for (const auto& block : problem_.blocks()) {
    coefficients.push_back(block->psd_parts() ? roots[next++] : block->coefficients());
  }
  return problem_.certificate_of(std::move(coefficients), objective_);
}

// The largest eigenvalues of all A together; or the A that the dual point stands for.
void BoxedPoint::simplify(Tracker& tracker) {
  std::vector<Spectrum> spectra;
  std::vector<double> sizes;
  for (const Member& member : members_) {
    spectra.push_back(member.pair.spectrum());
    const Vec& values = spectra.back().values;
    sizes.insert(sizes.end(), values.data(), values.data() + values.size());
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<double>());
  size_t enough = sizes.size(), too_few = 0;
  while (enough - too_few > 1) {
    const size_t count = (enough + too_few) / 2;
    std::vector<Mat> roots;
    for (const Spectrum& spectrum : spectra) {
      const Index rank = (spectrum.values.array() >= sizes[count - 1]).count();
      roots.push_back(spectrum.vectors.rightCols(rank) *
                      spectrum.values.tail(rank).cwiseMax(0).cwiseSqrt().asDiagonal());
    }
    (tracker.prefer(with_roots(roots)) ? enough : too_few) = count;
  }
  Certificate exact = problem_.certificate(objective_);
  if (exact.rank < tracker.rank()) tracker.prefer(std::move(exact));
}

bool BoxedPoint::prepare() {
  for (Member& member : members_) {
    if (!member.pair.prepare(block_dual(member.block))) return false;
  }
  Mat slope;
  risk_.derivatives(problem_.a(a_), slope, diagonal_);
  residual_ = outputs() + ends_.force() - Eigen::Map<const Vec>(slope.data(), slope.size());
  const Vec ends = ends_.diagonal();
  const Index count = problem_.outputs();
  for (Index k = 0; k < ends.size(); ++k) diagonal_((k % count) * (count + 1), k / count) += ends[k];
  return true;
}

// (D + the blocks' Hessian) da.
Vec BoxedPoint::curved(const Vec& da) const {
  Vec out(da.size()), own, none;
  const Index count = problem_.outputs();
  for (Index i = 0; i < diagonal_.cols(); ++i) {
    out.segment(i * count, count).noalias() =
        square(diagonal_, i, count) * da.segment(i * count, count);
  }
  auto db = [&](size_t k) -> Vec {
    return problem_.a(da).transpose() * problem_.mixing().col(static_cast<Index>(k));
  };
  for (size_t k = 0; k < problem_.blocks().size(); ++k) {
    if (problem_.blocks()[k]->psd_parts()) continue;
    problem_.blocks()[k]->curve(db(k), none, own, none);
    add_mixed(k, own, out);
  }
  for (const Member& member : members_) {
    member.pair.curvature().times(db(member.block), Vec(), own, none);
    add_mixed(member.block, own, out);
  }
  return out;
}

void BoxedPoint::go_for(const Preconditioner& preconditioner, double mu, bool corrected) {
  rhs_ = residual_ + ends_.aim(mu, corrected);
  for (Member& member : members_) {
    add_mixed(member.block, member.pair.aim(mu / member.pair.size(), corrected), rhs_);
  }
  da_ = solve(preconditioner, rhs_);
  follow();
}

Vec BoxedPoint::solve(const Preconditioner& preconditioner, const Vec& rhs) const {
  const Index count = problem_.outputs(), n = problem_.observations();
  auto preconditioned = [&](const Vec& r) -> Vec {
    const Mat out = preconditioner.solve(Eigen::Map<const Mat>(r.data(), count, n));
    return Eigen::Map<const Vec>(out.data(), out.size());
  };
  if (preconditioner.exact() && cg_tol_ >= kEnough) return preconditioned(rhs);
  return conjugate_gradients(
      rhs, [&](const Vec& p) { return curved(p); }, preconditioned,
      [&](double length) { return cg_tol_ * cg_tol_ * length; }, kCgMax);
}

void BoxedPoint::follow() {
  ends_.follow(da_);
  for (Member& member : members_) {
    member.pair.follow(problem_.a(da_).transpose() *
                       problem_.mixing().col(static_cast<Index>(member.block)));
  }
}

Preconditioner BoxedPoint::preconditioner() const {
  std::vector<Curvature> curvatures;
  size_t next = 0;
  for (const auto& block : problem_.blocks()) {
    curvatures.push_back(block->psd_parts()
                             ? members_[next++].pair.curvature().matrix(*block->psd_parts(), false)
                             : block->curvature(true));
  }
  return Preconditioner(problem_, diagonal_, std::move(curvatures));
}

// Aims at the outliers as long as that makes the step longer.
double BoxedPoint::lengthened(const Preconditioner& preconditioner, double mu) {
  double length = reach();
  for (int round = 0; round < kRounds && length < kLong; ++round) {
    const Ends ends = ends_;
    const Vec da = da_;
    rhs_ += ends_.aim_at_outliers(mu, std::min(1.0, kFurther * length));
    da_ = solve(preconditioner, rhs_);
    follow();
    const double further = reach();
    if (!(further >= length)) {
      ends_ = ends;
      da_ = da;
      follow();
      return length;
    }
    const bool worth = further > kWorth * length;
    length = further;
    if (!worth) break;
  }
  return length;
}

double BoxedPoint::step() {
  if (!prepare()) return 0;
  const Preconditioner preconditioner = this->preconditioner();
  go_for(preconditioner, 0, false);
  if (!da_.allFinite()) return 0;
  const double now = mu(), left = mu_after(reach());
  const double center = std::pow(std::clamp(left / now, kLeastLeft, 1.0), kPower) * now;
  go_for(preconditioner, center, true);
  if (!da_.allFinite()) return 0;
  const double length = std::min(lengthened(preconditioner, center),
                                 kRiskFraction * risk_.reach(problem_.a(a_), problem_.a(da_)));
  a_ += length * da_;
  ends_.move(length);
  for (Member& member : members_) member.pair.move(length);
  return length;
}

}  // namespace psd
