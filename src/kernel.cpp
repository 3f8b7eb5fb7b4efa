#include "kernel.h"

#include <cmath>

namespace psd {

Array Kernel::log_masses(const Bump& one, const Array& at, const Array& width,
                         const Weight& weight) const {
  Array out(at.size());
  for (Index i = 0; i < at.size(); ++i) {
    out[i] = product(one, {at[i], width[i]}, weight).log_mass;
  }
  return out;
}

ExpQuadratic log_density(const Weight& weight, double origin) {
  ExpQuadratic density;
  if (std::isinf(weight.sd)) return density;
  density.add_square(weight.mean - origin, weight.sd);
  density.constant -= std::log(weight.sd) + kLogSqrt2Pi;
  return density;
}

}  // namespace psd
