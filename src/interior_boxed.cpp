#include "interior_boxed.h"

#include <algorithm>

#include "interior_boxed_point.h"

namespace psd {
namespace {

constexpr double kShortest = 1e-2;  // a step that says rounding errors have taken over
constexpr int kMostSteps = 60;
constexpr Index kLargest = 64;  // features: beyond, a step costs more than several of Newton's
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

}  // namespace

bool boxed_interior_applies(const Problem& problem, const SmoothRisk& risk) {
  if (!risk.boxed() || problem.constraint_count() > 0) return false;
  if (problem.largest_space() == 0 || problem.largest_space() > kLargest) return false;
  share_nodes(problem);
  return std::all_of(problem.blocks().begin(), problem.blocks().end(), [](const auto& block) {
    return block->psd_parts() ? block->psd_parts()->found_nodes()->few() : block->quadratic();
  });
}

Solution boxed_interior(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                        const Monitor& monitor) {
  Tracker tracker(settings, monitor);
  BoxedPoint point(problem, risk, settings);
  int iteration = 0;
  for (;; ++iteration) {
    if (tracker.record(point.look(), point.dual(), iteration)) {
      if (settings.certified) {
        const bool tight = tracker.relative_gap() > kRoom * settings.tol;
        if (tight && iteration < settings.max_iter && point.step() >= kShortest) {
          tracker.record(point.look(), point.dual(), iteration + 1);
        }
        point.simplify(tracker);
      }
      return tracker.finish("converged");
    }
    if (iteration >= settings.max_iter) return tracker.finish("max_iter");
    if (iteration == kMostSteps || point.step() < kShortest) break;
  }
  return newton(problem, risk, settings, point.dual(), tracker, iteration + 1);
}

}  // namespace psd
