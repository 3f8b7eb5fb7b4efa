#include "second_order.h"

#include <algorithm>
#include <cmath>

#include "interior.h"
#include "interior_boxed.h"
#include "low_rank.h"

namespace psd {
namespace {

constexpr double kNear = 50;      // times the tolerance: a gap from which Newton needs few steps,
constexpr int kNearSteps = 4;     //   and no more than these
constexpr double kFiner = 1e-3;   // of the tolerance: where steps beyond it end,
constexpr int kFurtherSteps = 8;  //   and no more than these
// A step of the interior point costs several of Newton's: it comes first where Newton needs many,
// from nowhere, or with many or uneven observations, if there are few features; else when Newton
// has had its chance.
constexpr Index kSmall = 64, kMany = 1000;
// A root of few columns is found in less time than a dual point from fewer features already. R
// knows both numbers, too (most_without_root() in R/features.R).
constexpr Index kSmallestRooted = 20;
constexpr int kChance = 25;  // iterations

// From the end of a similar problem Newton's method may have only a few steps to go.
bool near(Problem& problem, const Settings& settings, const Vec& z) {
  if (!settings.warm) return false;
  const double objective = problem.move_to(z, {}) + problem.simple(z);
  const Certificate found = problem.certificate(objective);
  return relative_gap(found) <= kNear * settings.tol;
}

bool hard_for_newton(const Problem& problem, const SmoothRisk& risk, const Settings& settings) {
  if (problem.largest_space() > kSmall) return false;
  const bool from_nowhere = settings.certified && !settings.warm;
  return from_nowhere || problem.observations() > kMany || uneven(risk);
}

Solution interior_first(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                        const Monitor& monitor) {
  Tracker tracker(settings, monitor);
  if (!near(problem, settings, z)) return interior(problem, risk, settings, z, tracker, 0);
  const Settings few{settings.tol, std::min(settings.max_iter, kNearSteps), settings.max_work};
  const Solution found = newton(problem, risk, few, std::move(z), tracker, 0);
  if (found.status == "converged" || settings.spent(found.iterations)) return found;
  return interior(problem, risk, settings, found.dual, tracker, found.iterations + 1);
}

// Two solutions within the tolerance may differ visibly: a few of Newton's steps, which are nearly
// exact, make the fit one that can be found again.
Solution polished(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                  Solution found, const Monitor& monitor) {
  Settings finer = settings;
  finer.tol *= kFiner;
  finer.max_iter = std::min(settings.max_iter, found.iterations + kFurtherSteps);
  if (found.certificate.gap() <= finer.tol) return found;
  Solution out = continued(std::move(found), finer, monitor, newton_stage(problem, risk));
  out.status = "converged";
  return out;
}

Solution on_the_dual(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                     const Monitor& monitor) {
  const bool pays = interior_pays(problem, risk);
  if (!pays && !interior_applies(problem, risk)) {
    return newton(problem, risk, settings, z, monitor);
  }
  if (hard_for_newton(problem, risk, settings) && interior_is_cheap(problem)) {
    return interior_first(problem, risk, settings, std::move(z), monitor);
  }
  Settings short_one = settings;
  short_one.max_iter = std::min(settings.max_iter, pays ? kUnevenChance : kChance);
  Solution found = newton(problem, risk, short_one, z, monitor);
  if (found.status == "converged" || settings.spent(found.iterations)) return found;
  if (!pays && !interior_is_cheap(problem)) {
    return continued(std::move(found), settings, monitor, newton_stage(problem, risk));
  }
  Tracker tracker(settings, monitor);
  return interior(problem, risk, settings, found.dual, tracker, found.iterations + 1);
}

}  // namespace

Solution second_order(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                      const Start& start, const Mat& root, const Monitor& monitor) {
  if (boxed_interior_applies(problem, risk)) {
    return boxed_interior(problem, risk, settings, start, monitor);
  }
  const Index few = settings.certified ? kSmall : kSmallestRooted;
  if (problem.largest_space() <= few || !low_rank_applies(problem, risk)) {
    return on_the_dual(problem, risk, settings, start(), monitor);
  }
  Solution found = low_rank(problem, risk, settings, root, monitor);
  if (!settings.certified) return found;
  if (found.status != "converged") {
    if (settings.spent(found.iterations)) return found;
    auto go_on = [&](const Settings& left, const Vec& z, const Monitor& later) {
      return on_the_dual(problem, risk, left, z, later);
    };
    found = continued(std::move(found), settings, monitor, go_on);
  }
  return found.status == "converged" ? polished(problem, risk, settings, std::move(found), monitor)
                                     : found;
}

}  // namespace psd
