#include "kernel.h"

#include <cmath>

namespace psd {

ExpQuadratic log_density(const Weight& weight, double origin) {
  ExpQuadratic density;
  if (std::isinf(weight.sd)) return density;
  density.add_square(weight.mean - origin, weight.sd);
  density.constant -= std::log(weight.sd) + kLogSqrt2Pi;
  return density;
}

}  // namespace psd
