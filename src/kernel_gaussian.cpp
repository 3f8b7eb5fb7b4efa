// kernel_gaussian.cpp: k(t) = exp(-t^2 / 2). A product of two is one Gaussian again.
#include <cmath>

#include "kernel.h"

namespace psd {
namespace {

class Gaussian : public Kernel {
 public:
  double log_value(double t) const override { return -t * t / 2; }
  double log_slope(double t) const override { return -t; }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    const double origin = one.center;  // near everything that matters: no cancellation
    ExpQuadratic density = log_density(weight, origin);
    density.add_square(0, one.width);
    density.add_square(other.center - origin, other.width);
    return shifted(integrate(density, weight.lower - origin, weight.upper - origin), origin);
  }

  // The product is a multiple of one normal density: only its distribution function changes.
  void add_cumulative(const Bump& one, const Bump& other, const Weight& weight, double factor,
                      const Vec& ends, Vec& out) const override {
    const Moments line = product(one, other, {-kInf, kInf, weight.mean, weight.sd});
    if (!std::isfinite(line.log_mass)) {
      return Kernel::add_cumulative(one, other, weight, factor, ends, out);
    }
    double precision = std::pow(one.width, -2) + std::pow(other.width, -2);
    precision += std::pow(weight.sd, -2);
    const double scale = std::sqrt(precision / 2), half = factor * std::exp(line.log_mass) / 2;
    const double start = std::erf((weight.lower - line.mean) * scale);
    for (Index k = 0; k < ends.size(); ++k) {
      const double t = (ends[k] - line.mean) * scale;
      out[k] += half * ((t > 6 ? 1 : (t < -6 ? -1 : std::erf(t))) - start);  // erf(6) is 1
    }
  }
};

const bool registered = Registry<Kernel>::add(
    "gaussian", [](const Params&) { return std::make_unique<Gaussian>(); });

}  // namespace
}  // namespace psd
