// kernel_matern32.cpp: k(t) = (1 + sqrt(3) |t|) exp(-sqrt(3) |t|), once differentiable.
#include <cmath>

#include "kernel_two_sided.h"

namespace psd {
namespace {

const double kRoot3 = std::sqrt(3.0);

class Matern32 : public Kernel {
 public:
  KernelTraits traits() const override {
    KernelTraits out;
    out.smooth = false;
    out.decay = kRoot3;
    return out;
  }

  Array log_values(const Array& t) const override {
    const Array distance = kRoot3 * t.abs();
    return (1 + distance).log() - distance;
  }

  Array log_slopes(const Array& t) const override { return -3 * t / (1 + kRoot3 * t.abs()); }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    return product_moments(one, other, kRoot3, 1, weight);
  }
};

const bool registered =
    Registry<Kernel>::add("matern32", [](const Params&) { return std::make_unique<Matern32>(); });

}  // namespace
}  // namespace psd
