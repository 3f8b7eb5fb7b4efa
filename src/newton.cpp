#include "newton.h"

#include <algorithm>
#include <cmath>

#include "newton_system.h"

namespace psd {
namespace {

constexpr double kArmijo = 1e-4;
constexpr double kCgFine = 1e-8, kCgCoarse = 1e-3;  // tolerance of the conjugate gradients
constexpr int kPatience = 40;  // iterations over kinks before they are smoothed
// Of the way to the boundary, at most: of the box, which a barrier keeps off; and of the losses'
// own, where the logarithm's curvature is so misleading that the way back takes many steps.
constexpr double kFraction = 0.995, kRiskFraction = 0.9;

// The box l <= z <= u of the dual, with one multiplier an end. A pair (slack s, multiplier) is
// central when s * multiplier = mu * weight.
class Box {
 public:
  Box(const Problem& problem, const SmoothRisk& risk) {
    const Index count = problem.constraint_count(), outputs = problem.outputs();
    Mat lower, upper;
    risk.box(lower, upper);
    const Index size = lower.size();
    lower_.resize(size + count);
    upper_.resize(size + count);
    lower_.head(size) = Eigen::Map<const Vec>(lower.data(), size);
    upper_.head(size) = Eigen::Map<const Vec>(upper.data(), size);
    upper_.tail(count).setConstant(kInf);
    for (Index m = 0; m < count; ++m) {
      lower_[size + m] = problem.constraints().equality[m] ? -kInf : 0;
    }
    for (Index k = 0; k < size + count; ++k) {
      const double weight = k < size ? risk.weights()[k / outputs] : 1;
      if (std::isfinite(lower_[k])) ends_.push_back({k, 1, lower_[k], weight, 0});
      if (std::isfinite(upper_[k])) ends_.push_back({k, -1, -upper_[k], weight, 0});
    }
    for (const End& end : ends_) total_weight_ += end.weight;
  }

  bool empty() const { return ends_.empty(); }

  void center(const Vec& z, double mu) {
    for (End& end : ends_) end.multiplier = mu * end.weight / slack(end, z);
  }

  // The mean of slack * multiplier.
  double complementarity(const Vec& z) const {
    double sum = 0;
    for (const End& end : ends_) sum += end.multiplier * slack(end, z);
    return sum / total_weight_;
  }

  double barrier(const Vec& z, double mu) const {
    double sum = 0;
    for (const End& end : ends_) {
      const double s = slack(end, z);
      if (!(s > 0)) return kInf;
      sum -= mu * end.weight * std::log(s);
    }
    return sum;
  }

  void add_gradient(const Vec& z, double mu, Vec& gradient) const {
    for (const End& end : ends_) {
      gradient[end.at] -= end.sign * mu * end.weight / slack(end, z);
    }
  }

  Vec diagonal(const Vec& z) const {
    Vec out = Vec::Zero(z.size());
    for (const End& end : ends_) out[end.at] += end.multiplier / slack(end, z);
    return out;
  }

  double reach(const Vec& z, const Vec& dz) const {
    double t = kInf;
    for (const End& end : ends_) {
      const double ds = end.sign * dz[end.at];
      if (ds < 0) t = std::min(t, -slack(end, z) / ds);
    }
    return t;
  }

  // The multipliers' own Newton step, damped to stay positive and near centrality.
  void step_multipliers(const Vec& z, const Vec& dz, double mu, const Vec& next) {
    std::vector<double> change(ends_.size());
    double t = 1;
    for (size_t k = 0; k < ends_.size(); ++k) {
      const End& end = ends_[k];
      const double s = slack(end, z);
      change[k] = (mu * end.weight - end.multiplier * end.sign * dz[end.at]) / s - end.multiplier;
      if (change[k] < 0) t = std::min(t, -kFraction * end.multiplier / change[k]);
    }
    for (size_t k = 0; k < ends_.size(); ++k) {
      End& end = ends_[k];
      const double central = mu * end.weight / slack(end, next);
      end.multiplier = std::clamp(end.multiplier + t * change[k], central * 1e-8, central * 1e8);
    }
  }

 private:
  struct End {
    Index at;
    double sign, bound, weight, multiplier;
  };

  static double slack(const End& end, const Vec& z) { return end.sign * z[end.at] - end.bound; }

  Vec lower_, upper_;
  std::vector<End> ends_;
  double total_weight_ = 0;
};

}  // namespace

Solution newton(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                const Monitor& monitor) {
  const Index count = problem.constraint_count(), size = z.size() - count;
  const Index outputs = problem.outputs();
  Tracker tracker(settings, monitor);
  Box box(problem, risk);
  Mat risk_gradient, diagonal;
  // A step need not be known much better than the gap that is asked for.
  double cg_tol = std::clamp(0.01 * settings.tol, kCgFine, kCgCoarse);
  double smooth = 0, mu = 0, step = 1, decrement = 0;
  bool accurate = false;  // from the first failure on
  bool barrier = !box.empty();

  for (int iteration = 0;; ++iteration) {
    if (iteration == kPatience && problem.kinked()) barrier = true;
    if (iteration == 0 || barrier) smooth = problem.move_to(z, {true});
    const double exact = smooth + problem.simple(z);
    Certificate found = problem.certificate(exact);
    if (barrier) {
      if (mu == 0) {
        mu = std::clamp(std::isfinite(found.gap()) ? found.gap() : 1.0, 1e-6, 1e3);
        box.center(z, mu);
      }
      const double shrink = step > 0.9 ? 0.1 : (step > 0.5 ? 0.3 : 0.7);
      const double behind = (step > 0.9 ? 0.01 : 0.05) * decrement;  // mu must not run ahead,
      const double now = box.empty() ? mu : box.complementarity(z);
      mu = std::min(mu, std::max(shrink * now, behind));  // nor turn back
      smooth = problem.move_to(z, {true, 0, mu});
      Certificate smoothed = problem.certificate(exact);
      if (smoothed.primal < found.primal) found = std::move(smoothed);
    }
    const double objective = smooth + problem.simple(z);
    if (tracker.record(std::move(found), z, iteration)) return tracker.finish("converged");
    if (iteration == settings.max_iter) return tracker.finish("max_iter");

    Vec gradient = problem.gradient();
    risk.derivatives(problem.a(z), risk_gradient, diagonal);
    gradient.head(size) += Eigen::Map<const Vec>(risk_gradient.data(), size);
    gradient.tail(count) += problem.constraints().bound;
    box.add_gradient(z, mu, gradient);
    const Vec ends = box.diagonal(z);
    for (Index k = 0; k < size; ++k) {
      diagonal((k % outputs) * (outputs + 1), k / outputs) += ends[k];
    }

    const NewtonSystem system(problem, diagonal, ends.tail(count), cg_tol, accurate);
    const Vec dz = -system.solve(gradient);
    const double slope = gradient.dot(dz);
    const Vec before = z;
    decrement = -slope;
    const double merit = objective + box.barrier(z, mu);
    const double rounding = 1e-14 * std::max(1.0, std::abs(merit));
    step = std::min({1.0, kFraction * box.reach(z, dz),
                     kRiskFraction * risk.reach(problem.a(z), problem.a(dz))});
    auto rise = [&](double smooth_there) {  // above what Armijo asks for; z moves along
      z = before + step * dz;
      const double there = smooth_there + problem.simple(z) + box.barrier(z, mu);
      return there - merit - kArmijo * step * slope;
    };
    z = before + step * dz;
    smooth = problem.move_to(z, {true, 0, mu});
    bool moved = rise(smooth) <= rounding;
    if (!moved) {  // look along the line before going anywhere, and take the best halving
      const auto line = problem.along(before, dz, mu);
      double lowest = kInf, best = step;
      for (int trial = 0; trial < 40; ++trial) {
        step /= 2;
        const double here = rise(line(step));
        if (here <= rounding) moved = true;
        if (here >= lowest && moved) break;
        if (here < lowest) lowest = here, best = step;
      }
      step = best;
      z = before + step * dz;
      smooth = problem.move_to(z, {true, 0, mu});
    }
    const bool stuck = !moved || -slope <= 1e-3 * rounding;
    if (stuck && !accurate) {
      accurate = true;
      cg_tol = kCgFine;
      z = before;
      smooth = problem.move_to(z, {true});
      continue;
    }
    if (stuck) {
      const double last = problem.move_to(z, {}) + problem.simple(z);
      if (tracker.record(problem.certificate(last), z, iteration + 1)) {
        return tracker.finish("converged");
      }
      return tracker.finish("stalled");
    }
    box.step_multipliers(before, dz, mu, z);
  }
}

}  // namespace psd
