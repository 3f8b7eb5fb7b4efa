#include "interior.h"

#include <algorithm>

#include "interior_point.h"

namespace psd {
namespace {

constexpr Index kDenseMost = 600;   // observations, if there are no nodes to go through
constexpr Index kLargest = 400;     // features: beyond, its matrices are too dear
constexpr double kShortest = 1e-2;  // a step that says rounding errors have taken over
constexpr int kMostSteps = 40;

}  // namespace

bool interior_applies(const Problem& problem, const SmoothRisk& risk) {
  const PsdParts* parts = log_density_block(problem, risk);
  const auto& equality = problem.constraints().equality;
  const bool open = std::all_of(equality.begin(), equality.end(), [](bool e) { return e; });
  if (!parts || !open || parts->map.size() > kLargest) return false;
  const auto& forms = parts->map.forms();
  return std::all_of(forms.begin(), forms.end(), [](const Mat& form) { return form.size() > 0; });
}

bool interior_is_cheap(const Problem& problem) {
  return problem.observations() <= kDenseMost ||
         problem.blocks()[0]->psd_parts()->found_nodes()->few();
}

Solution interior(Problem& problem, const SmoothRisk& risk, const Settings& settings, const Vec& z,
                  Tracker& tracker, int first) {
  InteriorPoint point(problem, risk, z);
  int iteration = first;
  for (;; ++iteration) {
    if (tracker.record(point.look(), point.dual(), iteration)) {
      point.simplify(tracker);
      return tracker.finish("converged");
    }
    if (settings.spent(iteration)) return tracker.finish(settings.limit(iteration));
    if (iteration == first + kMostSteps || point.step() < kShortest) break;
  }
  return newton(problem, risk, settings, point.dual(), tracker, iteration + 1);
}

}  // namespace psd
