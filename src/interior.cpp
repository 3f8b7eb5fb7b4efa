#include "interior.h"

#include <algorithm>

#include "interior_point.h"

namespace psd {
namespace {

constexpr Index kDenseMost = 600;  // observations, if there are no nodes to go through
constexpr Index kLargest = 400;    // features: beyond, its matrices are too dear
constexpr double kUneven = 100;    // the ratio of weights, from which on more of both are worth it
constexpr Index kDenseUneven = 1000, kLargestUneven = 800;
constexpr double kShortest = 1e-2;  // a step that says rounding errors have taken over
constexpr int kMostSteps = 40;

bool of_the_form(const Problem& problem, const SmoothRisk& risk, Index largest) {
  const PsdParts* parts = log_density_block(problem, risk);
  const auto& equality = problem.constraints().equality;
  const bool open = std::all_of(equality.begin(), equality.end(), [](bool e) { return e; });
  if (!parts || !open || parts->map.size() > largest) return false;
  const auto& forms = parts->map.forms();
  return std::all_of(forms.begin(), forms.end(), [](const Mat& form) { return form.size() > 0; });
}

}  // namespace

bool interior_applies(const Problem& problem, const SmoothRisk& risk) {
  return of_the_form(problem, risk, kLargest);
}

bool uneven(const SmoothRisk& risk) {
  return risk.weights().maxCoeff() > kUneven * risk.weights().minCoeff();
}

bool interior_pays(const Problem& problem, const SmoothRisk& risk) {
  return uneven(risk) && problem.observations() <= kDenseUneven &&
         of_the_form(problem, risk, kLargestUneven);
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
