// kernel_abel.cpp: k(t) = exp(-|t|).
#include "kernel_two_sided.h"

namespace psd {
namespace {

class Abel : public Kernel {
 public:
  KernelTraits traits() const override {
    KernelTraits out;
    out.kinked = true;
    out.smooth = false;
    out.root = 2;
    out.decay = 1;
    return out;
  }

  Array log_values(const Array& t) const override { return -t.abs(); }
  Array log_slopes(const Array& t) const override { return -t.sign(); }

  Moments product(const Bump& one, const Bump& other, const Weight& weight) const override {
    return product_moments(one, other, 1, 0, weight);
  }
};

const bool registered =
    Registry<Kernel>::add("abel", [](const Params&) { return std::make_unique<Abel>(); });

}  // namespace
}  // namespace psd
