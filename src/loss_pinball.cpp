// loss_pinball.cpp: pinball (quantile) loss at level tau,
//   l(u, y) = max(tau (y - u), (tau - 1) (y - u)); l*(a, y) = a y, -tau <= a <= 1 - tau.
// The prox moves u towards y by tau * step from below, (1 - tau) * step from above.
#include <algorithm>
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

class Pinball : public Loss {
 public:
  explicit Pinball(double tau) : tau_(tau) {
    if (!(tau > 0 && tau < 1)) throw std::invalid_argument("`tau` must be in (0, 1)");
  }

  LossTraits traits() const override {
    LossTraits out;
    out.regression = out.unit_free = true;
    return out;
  }

  double value(ConstVec u, double y) const override {
    const double r = y - u[0];
    return std::max(tau_ * r, (tau_ - 1) * r);
  }

  double conjugate(ConstVec a, double y) const override {
    const bool inside = -tau_ - kDomainSlack <= a[0] && a[0] <= 1 - tau_ + kDomainSlack;
    return inside ? a[0] * y : kInf;
  }

  void prox(VecRef u, double y, double step) const override {
    u[0] += std::clamp(y - u[0], (tau_ - 1) * step, tau_ * step);
  }

  void box(double, VecRef lower, VecRef upper) const override {
    lower[0] = -tau_;
    upper[0] = 1 - tau_;
  }

  void derivatives(ConstVec, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = y;
    hessian(0, 0) = 0;
  }

  void start(VecRef a, double) const override { a[0] = 0.5 - tau_; }

  // The density of e at u - y, as the slope jumps by one.
  double blurred_curvature(double u, double y, double blur) const override {
    const double t = std::exp(-std::abs(u - y) / blur);
    return t / (blur * (1 + t) * (1 + t));
  }

 private:
  double tau_;
};

const bool registered = Registry<Loss>::add(
    "pinball", [](const Params& p) { return std::make_unique<Pinball>(p.get("tau")); },
    {{"tau", 0.5}});

}  // namespace
}  // namespace psd
