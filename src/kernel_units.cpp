#include "kernel_units.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

// Places are numbers up to this power of two times the unit.
constexpr int kFarthest = 1000;

double finite_size(double place) { return std::isfinite(place) ? std::abs(place) : 0; }

}  // namespace

Units::Units(const Bump& one, const Bump& other, const Weight& weight) {
  const double narrowest =
      std::min({one.width, other.width, weight.sd, weight.upper - weight.lower});
  if (!(narrowest > 0) || std::isinf(narrowest)) return;
  const double farthest =
      std::max({finite_size(one.center), finite_size(other.center), finite_size(weight.lower),
                finite_size(weight.upper), finite_size(weight.mean)});
  power_ = std::ilogb(narrowest);
  if (farthest > 0) power_ = std::max(power_, std::ilogb(farthest) - kFarthest);
  unit_ = std::ldexp(1.0, power_);
}

Bump Units::operator()(const Bump& bump) const { return {bump.center / unit_, bump.width / unit_}; }

Weight Units::operator()(const Weight& weight) const {
  return {weight.lower / unit_, weight.upper / unit_, weight.mean / unit_, weight.sd / unit_};
}

Moments Units::back(const Moments& moments, const Weight& weight) const {
  const double log_unit = std::isinf(weight.sd) ? power_ * std::log(2.0) : 0;
  return {moments.log_mass + log_unit, unit_ * moments.mean, unit_ * (unit_ * moments.second)};
}

}  // namespace psd
