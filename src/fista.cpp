#include "fista.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr int kCheckEvery = 5;  // iterations between two looks at the gap

// The metric: nu is measured in units of `nu_scale`, in which it is as curved as a.
struct Metric {
  Index nu_count;
  double nu_scale;

  double norm2(const Vec& dz) const {
    return dz.head(dz.size() - nu_count).squaredNorm() +
           dz.tail(nu_count).squaredNorm() / (nu_scale * nu_scale);
  }

  double dot(const Vec& one, const Vec& other) const {
    const Index size = one.size() - nu_count;
    return one.head(size).dot(other.head(size)) +
           one.tail(nu_count).dot(other.tail(nu_count)) / (nu_scale * nu_scale);
  }

  void descend(Vec& z, const Vec& gradient, double step) const {
    const Index size = z.size() - nu_count;
    z.head(size) -= step * gradient.head(size);
    z.tail(nu_count) -= step * nu_scale * nu_scale * gradient.tail(nu_count);
  }
};

// How much more the blocks curve along a than along nu, from how their gradient moves.
double curvature_ratio(Problem& problem, const Vec& z) {
  const Index count = problem.constraint_count(), size = z.size() - count;
  if (count == 0) return 1;
  problem.move_to(z, {true});
  Vec along = Vec::Zero(z.size());
  along.head(size) = z.head(size).normalized();
  for (int k = 0; k < 5; ++k) {  // power iterations
    along.head(size) = problem.curve(along).head(size);
    if (along.head(size).norm() == 0) return 1;
    along.head(size).normalize();
  }
  const double a_curvature = problem.curve(along).head(size).norm();
  along.setZero();
  along.tail(count).setConstant(1 / std::sqrt(static_cast<double>(count)));
  const double nu_curvature = problem.curve(along).tail(count).norm();
  return nu_curvature > 0 ? std::sqrt(a_curvature / nu_curvature) : 1;
}

}  // namespace

Solution fista(Problem& problem, const Settings& settings, Vec z, const Monitor& monitor) {
  const Index count = problem.constraint_count();
  Tracker tracker(settings, monitor);
  const Metric metric{count, curvature_ratio(problem, z)};
  Vec y = z, previous = z;
  double lipschitz = 1, t = 1;
  double smooth_y = problem.move_to(y, {});
  if (tracker.record(problem.certificate(smooth_y + problem.simple(z)), z, 0)) {
    return tracker.finish("converged");
  }
  for (int iteration = 1; iteration <= settings.max_iter; ++iteration) {
    const Vec gradient = problem.gradient();
    double smooth_z;
    for (;; lipschitz *= 2) {
      const double step = 1 / lipschitz;
      z = y;
      metric.descend(z, gradient, step);
      problem.prox(z, step, step * metric.nu_scale * metric.nu_scale);
      smooth_z = problem.move_to(z, {});
      const Vec move = z - y;
      const double bound = smooth_y + gradient.dot(move) + lipschitz / 2 * metric.norm2(move);
      if (smooth_z <= bound + 1e-14 * std::max(1.0, std::abs(smooth_y)) || lipschitz > 1e300) break;
    }
    if (iteration % kCheckEvery == 0 || iteration == settings.max_iter) {
      const Certificate found = problem.certificate(smooth_z + problem.simple(z));
      if (tracker.record(found, z, iteration)) return tracker.finish("converged");
    }
    const bool uphill = metric.dot(y - z, z - previous) > 0;  // adaptive restart
    const double t_next = uphill ? 1 : (1 + std::sqrt(1 + 4 * t * t)) / 2;
    y = uphill ? z : Vec(z + (t - 1) / t_next * (z - previous));
    previous = z;
    t = t_next;
    lipschitz /= 1.1;  // so that backtracking goes both ways
    smooth_y = uphill ? smooth_z : problem.move_to(y, {});
  }
  return tracker.finish("max_iter");
}

}  // namespace psd
