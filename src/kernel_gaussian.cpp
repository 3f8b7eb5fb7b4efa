// kernel_gaussian.cpp: k(t) = exp(-t^2 / 2). A product of two is one Gaussian again.
#include "kernel.h"

namespace psd {
namespace {

class Gaussian : public Kernel {
 public:
  Array log_values(const Array& t) const override { return -t.square() / 2; }
  Array log_slopes(const Array& t) const override { return -t; }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    const double origin = one.center;  // near everything that matters: no cancellation
    ExpQuadratic density = log_density(weight, origin);
    density.add_square(0, one.width);
    density.add_square(other.center - origin, other.width);
    return shifted(integrate(density, weight.lower - origin, weight.upper - origin), origin);
  }
};

const bool registered = Registry<Kernel>::add(
    "gaussian", [](const Params&) { return std::make_unique<Gaussian>(); });

}  // namespace
}  // namespace psd
