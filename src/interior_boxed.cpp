#include "interior_boxed.h"

#include <algorithm>

#include "interior_boxed_point.h"

namespace psd {
namespace {

constexpr double kShortest = 1e-2;  // a step that says rounding errors have taken over
constexpr int kMostSteps = 60;
// A step of few features, up to these, and few nodes is cheap. Others cost several of Newton's: it
// is on when Newton has had its chance, unless a step were too dear.
constexpr Index kFew = 64;
constexpr int kChance = 32;    // iterations
constexpr Index kMost = 2000;  // dual variables
// Of the tolerance: from a smaller gap on there is room for a lower rank.
constexpr double kRoom = 0.2;

bool same(const Mat& a, const Mat& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

// Functions of the same features have the same nodes.
void share_nodes(const Problem& problem) {
  const PsdParts* last = nullptr;
  for (const auto& block : problem.blocks()) {
    const PsdParts* parts = block->psd_parts();
    if (!parts) continue;
    if (last && !parts->nodes && same(parts->map.features(), last->map.features())) {
      parts->nodes = last->found_nodes();
    }
    last = parts;
  }
}

bool cheap(const Problem& problem) {
  if (problem.largest_space() > kFew) return false;
  share_nodes(problem);
  return std::all_of(problem.blocks().begin(), problem.blocks().end(), [](const auto& block) {
    return !block->psd_parts() || block->psd_parts()->found_nodes()->few();
  });
}

Solution interior(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                  Tracker& tracker, int first) {
  BoxedPoint point(problem, risk, settings);
  int iteration = first;
  for (;; ++iteration) {
    if (tracker.record(point.look(), point.dual(), iteration)) {
      if (settings.certified) {
        const bool tight = tracker.relative_gap() > kRoom * settings.tol;
        if (tight && !settings.spent(iteration) && point.step() >= kShortest) {
          tracker.record(point.look(), point.dual(), iteration + 1);
        }
        point.simplify(tracker);
      }
      return tracker.finish("converged");
    }
    if (settings.spent(iteration)) return tracker.finish(settings.limit(iteration));
    if (iteration == first + kMostSteps || point.step() < kShortest) break;
  }
  return newton(problem, risk, settings, point.dual(), tracker, iteration + 1);
}

}  // namespace

bool boxed_interior_applies(const Problem& problem, const SmoothRisk& risk) {
  if (!risk.boxed() || problem.constraint_count() > 0 || problem.largest_space() == 0) return false;
  const bool known =
      std::all_of(problem.blocks().begin(), problem.blocks().end(),
                  [](const auto& block) { return block->psd_parts() || block->quadratic(); });
  return known && (problem.dual_size() <= kMost || cheap(problem));
}

Solution boxed_interior(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                        const Start& start, const Monitor& monitor) {
  Tracker tracker(settings, monitor);
  if (cheap(problem)) return interior(problem, risk, settings, tracker, 0);
  Settings chance = settings;
  chance.max_iter = std::min(settings.max_iter, kChance);
  const Solution found = newton(problem, risk, chance, start(), tracker, 0);
  if (found.status == "converged" || settings.spent(found.iterations)) return found;
  return interior(problem, risk, settings, tracker, found.iterations + 1);
}

}  // namespace psd
