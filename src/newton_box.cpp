#include "newton_box.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr double kFraction = 0.995;  // of the way to zero that a multiplier may go at once
constexpr double kFar = 1e8;         // factor by which a multiplier may be off its central value

}  // namespace

Box::Box(const Problem& problem, const SmoothRisk& risk) {
  Mat lower, upper;
  risk.box(lower, upper);
  const Index outputs = problem.outputs(), size = lower.size();
  for (Index k = 0; k < size; ++k) {
    add_ends(k, lower.data()[k], upper.data()[k], risk.weights()[k / outputs]);
  }
  for (Index m = 0; m < problem.constraint_count(); ++m) {
    add_ends(size + m, problem.constraints().equality[m] ? -kInf : 0, kInf, 1);
  }
  for (const End& end : ends_) total_weight_ += end.weight;
}

void Box::add_ends(Index at, double lower, double upper, double weight) {
  if (std::isfinite(lower)) ends_.push_back({at, 1, lower, weight, 0});
  if (std::isfinite(upper)) ends_.push_back({at, -1, -upper, weight, 0});
}

void Box::center(const Vec& z, double mu) {
  for (End& end : ends_) end.multiplier = mu * end.weight / room(end, z);
}

double Box::complementarity(const Vec& z) const {
  double sum = 0;
  for (const End& end : ends_) sum += end.multiplier * room(end, z);
  return sum / total_weight_;
}

double Box::barrier(const Vec& z, double mu) const {
  double sum = 0;
  for (const End& end : ends_) {
    const double s = room(end, z);
    if (!(s > 0)) return kInf;
    sum -= mu * end.weight * std::log(s);
  }
  return sum;
}

void Box::add_gradient(const Vec& z, double mu, Vec& gradient) const {
  for (const End& end : ends_) gradient[end.at] -= end.sign * mu * end.weight / room(end, z);
}

Vec Box::diagonal(const Vec& z) const {
  Vec out = Vec::Zero(z.size());
  for (const End& end : ends_) out[end.at] += end.multiplier / room(end, z);
  return out;
}

double Box::reach(const Vec& z, const Vec& dz) const {
  double t = kInf;
  for (const End& end : ends_) {
    const double change = end.sign * dz[end.at];
    if (change < 0) t = std::min(t, -room(end, z) / change);
  }
  return t;
}

void Box::step_multipliers(const Vec& z, const Vec& dz, double mu, const Vec& next) {
  std::vector<double> change(ends_.size());
  double t = 1;
  for (size_t k = 0; k < ends_.size(); ++k) {
    const End& end = ends_[k];
    const double s = room(end, z);
    change[k] = (mu * end.weight - end.multiplier * end.sign * dz[end.at]) / s - end.multiplier;
    if (change[k] < 0) t = std::min(t, -kFraction * end.multiplier / change[k]);
  }
  for (size_t k = 0; k < ends_.size(); ++k) {
    End& end = ends_[k];
    const double central = mu * end.weight / room(end, next);
    end.multiplier = std::clamp(end.multiplier + t * change[k], central / kFar, central * kFar);
  }
}

}  // namespace psd
