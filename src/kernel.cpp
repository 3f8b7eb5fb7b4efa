#include "kernel.h"

#include <cmath>

namespace psd {

ExpQuadratic log_density(const Weight& weight, double origin) {
  ExpQuadratic density;
  if (std::isinf(weight.sd)) return density;
  density.add_square(weight.mean - origin, weight.sd);
  density.constant -= std::log(weight.sd) + 0.91893853320467274178;  // log sqrt(2 pi)
  return density;
}

void Kernel::add_cumulative(const Bump& one, const Bump& other, const Weight& weight,
                            double factor, const Vec& ends, Vec& out) const {
  Weight until = weight;
  for (Index k = 0; k < ends.size(); ++k) {
    until.upper = ends[k];
    out[k] += factor * std::exp(product(one, other, until).log_mass);
  }
}

}  // namespace psd
