// interior_boxed_step.cpp: one step of boxed_interior().
#include <algorithm>
#include <cmath>

#include "gradients.h"
#include "interior_boxed_point.h"

namespace psd {
namespace {

constexpr double kFraction = 0.98;  // of the way to the boundary, at most
constexpr double kRiskFraction = 0.9;
constexpr double kLeastLeft = 0.01;  // of mu: what the predictor leaves is a guess,
constexpr int kPower = 4;            //   and where to go from there
constexpr int kCgMax = 200;
constexpr double kEnough = 1e-5;  // a tolerance at which an exact preconditioner does alone
// Outliers are aimed at, so often at most, while a step is shorter than this: for a step by so much
// longer, and as long as it gets longer by that.
constexpr int kRounds = 2;
constexpr double kLong = 0.9, kFurther = 1.5, kWorth = 1.1;

}  // namespace

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

bool BoxedPoint::prepare() {
  for (Member& member : members_) {
    if (!member.pair.prepare(block_dual(member.block))) return false;
  }
  Mat slope;
  risk_.derivatives(problem_.a(a_), slope, diagonal_);
  residual_ = outputs() + ends_.force() - Eigen::Map<const Vec>(slope.data(), slope.size());
  const Vec ends = ends_.diagonal();
  const Index count = problem_.outputs();
  for (Index k = 0; k < ends.size(); ++k)
    diagonal_((k % count) * (count + 1), k / count) += ends[k];
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
                             ? members_[next++].pair.curvature().matrix(*block->psd_parts(), true)
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
