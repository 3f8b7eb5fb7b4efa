// kernel_abel.cpp: k(t) = exp(-|t|). A product of two is exponential between their centers.
#include <algorithm>
#include <cmath>

#include "kernel.h"

namespace psd {
namespace {

class Abel : public Kernel {
 public:
  Array log_values(const Array& t) const override { return -t.abs(); }
  Array log_slopes(const Array& t) const override { return -t.sign(); }
  bool kinked() const override { return true; }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    const double origin = one.center;
    const double centers[] = {0, other.center - origin};
    const double rates[] = {1 / one.width, 1 / other.width};
    const double lower = weight.lower - origin, upper = weight.upper - origin;
    const double left = std::clamp(std::min(centers[0], centers[1]), lower, upper);
    const double right = std::clamp(std::max(centers[0], centers[1]), lower, upper);
    const double ends[] = {lower, left, right, upper};

    Moments sum = {-INFINITY, 0, 0};
    for (int piece = 0; piece < 3; ++piece) {
      if (!(ends[piece] < ends[piece + 1])) continue;
      ExpQuadratic density = log_density(weight, origin);
      for (int k = 0; k < 2; ++k) {
        const double slope = ends[piece] >= centers[k] ? -rates[k] : rates[k];
        density.linear += slope;
        density.constant -= slope * centers[k];
      }
      sum = sum + integrate(density, ends[piece], ends[piece + 1]);
    }
    return shifted(sum, origin);
  }
};

const bool registered = Registry<Kernel>::add(
    "abel", [](const Params&) { return std::make_unique<Abel>(); });

}  // namespace
}  // namespace psd
