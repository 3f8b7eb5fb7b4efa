// loss_squared.cpp: l(u, y) = (u - y)^2 / 2; l*(a, y) = a^2 / 2 + a y.
#include "loss.h"

namespace psd {
namespace {

class Squared : public Loss {
 public:
  LossTraits traits() const override {
    LossTraits out;
    out.regression = out.unit_free = true;
    return out;
  }

  double value(ConstVec u, double y) const override { return (u[0] - y) * (u[0] - y) / 2; }
  double conjugate(ConstVec a, double y) const override { return a[0] * (a[0] / 2 + y); }
  void prox(VecRef u, double y, double step) const override {
    u[0] = (u[0] + step * y) / (1 + step);
  }

  void derivatives(ConstVec a, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = a[0] + y;
    hessian(0, 0) = 1;
  }

  void start(VecRef a, double y) const override { a[0] = -y; }
};

const bool registered =
    Registry<Loss>::add("squared", [](const Params&) { return std::make_unique<Squared>(); });

}  // namespace
}  // namespace psd
