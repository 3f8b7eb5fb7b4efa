// loss_absolute.cpp: l(u, y) = |u - y|; l*(a, y) = a y, -1 <= a <= 1.
#include <algorithm>
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

class Absolute : public Loss {
 public:
  LossTraits traits() const override {
    LossTraits out;
    out.regression = out.unit_free = true;
    return out;
  }

  double value(ConstVec u, double y) const override { return std::abs(u[0] - y); }

  double conjugate(ConstVec a, double y) const override {
    return std::abs(a[0]) <= 1 + kDomainSlack ? a[0] * y : kInf;
  }

  void prox(VecRef u, double y, double step) const override {
    u[0] += std::clamp(y - u[0], -step, step);
  }

  void box(double, VecRef lower, VecRef upper) const override {
    lower[0] = -1;
    upper[0] = 1;
  }

  void derivatives(ConstVec, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = y;
    hessian(0, 0) = 0;
  }

  void start(VecRef a, double) const override { a[0] = 0; }
};

const bool registered =
    Registry<Loss>::add("absolute", [](const Params&) { return std::make_unique<Absolute>(); });

}  // namespace
}  // namespace psd
