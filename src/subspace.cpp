#include "subspace.h"

#include <algorithm>
#include <cmath>

#include "interior.h"
#include "interior_boxed.h"
#include "low_rank.h"

namespace psd {
namespace {

constexpr Index kPaysFrom = 200;  // features
constexpr double kAlike = 0.5;  // share of the directions over which alike features are distributed
constexpr double kNear = 50;    // times the tolerance: a gap from which Newton needs few steps,
constexpr int kNearSteps = 4;   //   and no more than these
constexpr double kFiner = 1e-3;   // of the tolerance: where steps beyond it end,
constexpr int kFurtherSteps = 8;  //   and no more than these
constexpr Index kLeastSize = 50;  // of a working space,
constexpr Index kPerColumn = 2;   //   and directions for each column of A at the start
constexpr double kIdle = 0.9;     // of the gap left: a round was in vain, and after some of these
constexpr int kMostIdle = 2;      //   the whole space is tried, once
// A step of the interior point costs several of Newton's: it comes first where Newton needs many,
// from nowhere, or with many or uneven observations, if there are few features; else when Newton
// has had its chance.
// R knows kSmall, too (most_without_root in R/features.R).
constexpr Index kSmall = 64, kMany = 1000;
constexpr double kUneven = 100;  // the ratio of weights
constexpr int kChance = 25;      // iterations

// Where the kernel is so narrow that all directions are alike, no small space stands out.
bool flat(const Problem& problem) {
  return std::any_of(problem.blocks().begin(), problem.blocks().end(), [](const auto& block) {
    const WorkingSpace* space = block->working_space();
    return space && space->directions() > kAlike * static_cast<double>(space->size());
  });
}

bool pays(const Problem& problem, const SmoothRisk& risk) {
  // An interior point does not start well from the end of another one.
  const auto& equality = problem.constraints().equality;
  const bool open = std::all_of(equality.begin(), equality.end(), [](bool e) { return e; });
  return problem.largest_space() >= kPaysFrom && open && !risk.boxed() && !flat(problem);
}

std::vector<Mat> working_bases(const Problem& problem, const std::vector<Mat>& primal, Index size) {
  std::vector<Mat> out;
  for (size_t k = 0; k < problem.blocks().size(); ++k) {
    const WorkingSpace* space = problem.blocks()[k]->working_space();
    out.push_back(space ? space->basis(primal[k], size) : Mat());
  }
  return out;
}

std::vector<Mat> in_full(const std::vector<Mat>& bases, const std::vector<Mat>& coefficients) {
  std::vector<Mat> out;
  for (size_t k = 0; k < bases.size(); ++k) {
    out.push_back(bases[k].size() > 0 ? Mat(bases[k] * coefficients[k]) : coefficients[k]);
  }
  return out;
}

// From the end of a similar problem Newton's method may have only a few steps to go.
bool near(Problem& problem, const Settings& settings, const Vec& z) {
  if (!settings.warm) return false;
  const double objective = problem.move_to(z, {}) + problem.simple(z);
  const Certificate found = problem.certificate(objective);
  return found.gap() <= kNear * settings.tol * std::max(1.0, std::abs(found.primal));
}

bool hard_for_newton(const Problem& problem, const SmoothRisk& risk, const Settings& settings) {
  if (problem.largest_space() > kSmall) return false;
  const bool from_nowhere = settings.certified && !settings.warm;
  const Vec& weights = risk.weights();
  return from_nowhere || problem.observations() > kMany ||
         weights.maxCoeff() > kUneven * weights.minCoeff();
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

Solution in_working_spaces(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                           Vec z, const Monitor& monitor, bool& slow) {
  const Monitor silent{[](const Progress&) {}, monitor.check};
  Tracker tracker(settings, monitor);
  const Index space = problem.largest_space();
  Index size = std::max<Index>(kLeastSize, space / 10);
  double last_gap = kInf;
  int idle = 0;
  std::vector<Mat> primal;
  for (int iterations = 0;;) {
    const Index larger = std::min(3 * size / 2, space);
    const double objective = problem.move_to(z, {false, larger}) + problem.simple(z);
    const bool first = primal.empty();
    Certificate own = problem.certificate(objective);
    if (first) primal = own.coefficients;
    if (first) size = std::clamp(kPerColumn * own.rank, size, larger);
    if (tracker.record(std::move(own), z, iterations)) return tracker.finish("converged");
    if (!first && tracker.record(problem.certificate_of(primal, objective), z, iterations)) {
      return tracker.finish("converged");
    }
    if (settings.spent(iterations)) return tracker.finish(settings.limit(iterations));
    const double gap = tracker.relative_gap();
    idle = gap > kIdle * last_gap ? idle + 1 : 0;
    if (gap > last_gap / 4) {
      if (size == space) return tracker.finish("stalled");
      size = idle < kMostIdle ? larger : space;
    }
    last_gap = gap;
    const std::vector<Mat> bases = working_bases(problem, primal, size);
    Problem working = problem.restricted(bases);
    const double tol = std::isfinite(gap) ? std::max(settings.tol / 4, 0.02 * gap) : 1e-2;
    const Settings within{tol, settings.max_iter - iterations, settings.max_work, false, true,
                          slow};
    const Solution found = newton(working, risk, within, z, silent);
    slow = found.slow;
    z = found.dual;
    iterations += std::max(1, found.iterations);
    primal = in_full(bases, found.certificate.coefficients);
  }
}

Solution newton_alone(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                      const Monitor& monitor) {
  if (!pays(problem, risk)) return newton(problem, risk, settings, std::move(z), monitor);
  bool slow = settings.slow;
  Solution out = in_working_spaces(problem, risk, settings, std::move(z), monitor, slow);
  out.slow = slow;
  return out;
}

// Two solutions within the tolerance may differ visibly: a few of Newton's steps, which are nearly
// exact, make the fit one that can be found again.
Solution polished(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                  Solution found, const Monitor& monitor) {
  Settings finer = settings;
  finer.tol *= kFiner;
  finer.max_iter = std::min(settings.max_iter, found.iterations + kFurtherSteps);
  finer.slow = found.slow;
  if (found.certificate.gap() <= finer.tol) return found;
  auto go_on = [&](const Settings& left, const Vec& z, const Monitor& later) {
    return newton_alone(problem, risk, left, z, later);
  };
  Solution out = continued(std::move(found), finer, monitor, go_on);
  out.status = "converged";
  return out;
}

Solution on_the_dual(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                     const Monitor& monitor) {
  auto go_on = [&](const Settings& left, const Vec& from, const Monitor& later) {
    return newton_alone(problem, risk, left, from, later);
  };
  if (!interior_applies(problem, risk)) return go_on(settings, z, monitor);
  if (hard_for_newton(problem, risk, settings) && interior_is_cheap(problem)) {
    return interior_first(problem, risk, settings, std::move(z), monitor);
  }
  Settings short_one = settings;
  short_one.max_iter = std::min(settings.max_iter, kChance);
  Solution found = go_on(short_one, z, monitor);
  if (found.status == "converged" || settings.spent(found.iterations)) return found;
  if (!interior_is_cheap(problem)) return continued(std::move(found), settings, monitor, go_on);
  Tracker tracker(settings, monitor);
  return interior(problem, risk, settings, found.dual, tracker, found.iterations + 1);
}

}  // namespace

Solution subspace_newton(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                         const Start& start, const Mat& root, const Monitor& monitor) {
  if (boxed_interior_applies(problem, risk)) {
    return boxed_interior(problem, risk, settings, start, monitor);
  }
  if (problem.largest_space() <= kSmall || !low_rank_applies(problem, risk)) {
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
