// kernel_gaussian.cpp: k(t) = exp(-t^2 / 2). A product of two is one Gaussian again.
#include <cmath>

#include "kernel.h"

namespace psd {
namespace {

// The center of the narrowest factor, near which everything happens: no cancellation there.
double narrowest(const Bump& one, const Bump& other, const Weight& weight) {
  const Bump& bump = other.width < one.width ? other : one;
  return weight.sd < bump.width ? weight.mean : bump.center;
}

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
    const double origin = narrowest(one, other, weight);
    ExpQuadratic density = log_density(weight, origin);
    density.add_square(one.center - origin, one.width);
    density.add_square(other.center - origin, other.width);
    return shifted(integrate(density, weight.lower - origin, weight.upper - origin), origin);
  }
};

const bool registered =
    Registry<Kernel>::add("gaussian", [](const Params&) { return std::make_unique<Gaussian>(); });

}  // namespace
}  // namespace psd
