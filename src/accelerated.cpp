#include "accelerated.h"

#include <algorithm>
#include <cmath>

namespace psd {

namespace {
constexpr int kCheckEvery = 5;  // iterations between two looks at the gap
}

Solution accelerated(Composite& problem, const Settings& settings, Vec z, double curvature,
                     const Monitor& monitor) {
  Tracker tracker(settings, monitor);
  Vec y = z, previous = z;
  double t = 1;
  double smooth_y = problem.move_to(y);
  if (tracker.record(problem.certificate(smooth_y + problem.simple(z)), z, 0)) {
    return tracker.finish("converged");
  }
  std::string limit = settings.limit(0);
  for (int iteration = 1; limit.empty(); ++iteration) {
    const Vec gradient = problem.gradient();
    double smooth_z;
    for (;; curvature *= 2) {
      z = y - gradient / curvature;
      problem.prox(z, 1 / curvature);
      smooth_z = problem.move_to(z);
      const Vec move = z - y;
      const double bound = smooth_y + gradient.dot(move) + curvature / 2 * move.squaredNorm();
      const double rounding = 1e-14 * std::max(1.0, std::abs(smooth_y));
      if (smooth_z <= bound + rounding || curvature > 1e300) break;
    }
    limit = settings.limit(iteration);
    if (iteration % kCheckEvery == 0 || !limit.empty()) {
      if (tracker.record(problem.certificate(smooth_z + problem.simple(z)), z, iteration)) {
        return tracker.finish("converged");
      }
    }
    const bool uphill = (y - z).dot(z - previous) > 0;  // adaptive restart
    const double t_next = uphill ? 1 : (1 + std::sqrt(1 + 4 * t * t)) / 2;
    y = uphill ? z : Vec(z + (t - 1) / t_next * (z - previous));
    previous = z;
    t = t_next;
    curvature /= 1.1;  // so that backtracking goes both ways
    smooth_y = uphill ? smooth_z : problem.move_to(y);
  }
  return tracker.finish(limit);
}

}  // namespace psd
