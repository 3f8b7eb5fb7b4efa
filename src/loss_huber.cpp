// loss_huber.cpp: Huber's loss, with r = u - y,
//   l(u, y) = r^2 / 2 for |r| <= delta, delta |r| - delta^2 / 2 beyond;
//   l*(a, y) = a^2 / 2 + a y, -delta <= a <= delta.
#include <algorithm>
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

class Huber : public Loss {
 public:
  explicit Huber(double delta) : delta_(delta) {
    if (!(delta > 0)) throw std::invalid_argument("`delta` must be positive");
  }

  LossTraits traits() const override {
    LossTraits out;
    out.regression = out.unit_free = true;
    return out;
  }

  double value(ConstVec u, double y) const override {
    const double r = std::abs(u[0] - y);
    return r <= delta_ ? r * r / 2 : delta_ * (r - delta_ / 2);
  }

  double conjugate(ConstVec a, double y) const override {
    const bool inside = std::abs(a[0]) <= delta_ + kDomainSlack;
    return inside ? a[0] * (a[0] / 2 + y) : kInf;
  }

  // The residual r shrinks to r / (1 + step), but moves by delta * step at most.
  void prox(VecRef u, double y, double step) const override {
    u[0] -= step * std::clamp((u[0] - y) / (1 + step), -delta_, delta_);
  }

  void box(double, VecRef lower, VecRef upper) const override {
    lower[0] = -delta_;
    upper[0] = delta_;
  }

  void derivatives(ConstVec a, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = a[0] + y;
    hessian(0, 0) = 1;
  }

  void start(VecRef a, double) const override { a[0] = 0; }

 private:
  double delta_;
};

const bool registered = Registry<Loss>::add(
    "huber", [](const Params& p) { return std::make_unique<Huber>(p.get("delta")); },
    {{"delta", 1.345}});  // 95 % efficient at the normal

}  // namespace
}  // namespace psd
