// kernel_gaussian.cpp: k(t) = exp(-t^2 / 2). A product of two is one Gaussian again.
#include <algorithm>
#include <cmath>

#include "kernel_units.h"

namespace psd {
namespace {

// The center of the narrowest factor, near which everything happens: no cancellation there. Of an
// interval that is narrower its end.
double narrowest(const Bump& one, const Bump& other, const Weight& weight) {
  const Bump& bump = other.width < one.width ? other : one;
  const double center = weight.sd < bump.width ? weight.mean : bump.center;
  const bool short_one = weight.upper - weight.lower < std::min(bump.width, weight.sd);
  return short_one ? std::clamp(center, weight.lower, weight.upper) : center;
}

Moments product_in_units(const Bump& one, const Bump& other, const Weight& weight) {
  const double origin = narrowest(one, other, weight);
  ExpQuadratic density = log_density(weight, origin);
  density.add_square(one.center - origin, one.width);
  density.add_square(other.center - origin, other.width);
  return shifted(integrate(density, weight.lower - origin, weight.upper - origin), origin);
}

// Beyond so many sds there is nothing left of a normal density, up to rounding.
constexpr double kWhole = 9;

class Gaussian : public Kernel {
 public:
  KernelTraits traits() const override {
    KernelTraits out;
    out.normal = true;
    out.root = M_SQRT2;
    return out;
  }

  Array log_values(const Array& t) const override { return -t.square() / 2; }
  Array log_slopes(const Array& t) const override { return -t; }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    const Units units(one, other, weight);
    return units.back(product_in_units(units(one), units(other), units(weight)), weight);
  }

  // One by one only where an end of the interval cuts off more than rounding.
  Array log_masses(const Bump& one, const Array& at, const Array& width,
                   const Weight& weight) const override {
    const double own = 1 / (one.width * one.width), base = 1 / (weight.sd * weight.sd);
    const Array precision = width.square().inverse() + (own + base);
    const Array share = width.square().inverse() / precision;  // of the others
    const double apart = one.center - weight.mean;
    Array squares = own * share * (at - one.center).square();
    double constant = kLogSqrt2Pi;
    if (base > 0) {
      squares +=
          base * share * (at - weight.mean).square() + own * base / precision * apart * apart;
      constant = -std::log(weight.sd);
    }
    Array out = constant - (squares + precision.log()) / 2;
    const Array sd = precision.rsqrt();
    const Array moved = share * (at - one.center) - base / precision * apart;
    const double low = weight.lower - one.center, high = weight.upper - one.center;
    for (Index i = 0; i < at.size(); ++i) {
      const bool whole = low <= moved[i] - kWhole * sd[i] && high >= moved[i] + kWhole * sd[i];
      if (!whole) out[i] = product(one, {at[i], width[i]}, weight).log_mass;
    }
    return out;
  }
};

const bool registered =
    Registry<Kernel>::add("gaussian", [](const Params&) { return std::make_unique<Gaussian>(); });

}  // namespace
}  // namespace psd
