// loss_poisson.cpp: Poisson deviance, l(u, y) = u - y log u for a count y >= 0;
//   l*(a, y) = y log y - y - y log(1 - a), a < 1, and zero on a <= 1 when y = 0.
#include <algorithm>
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

class Poisson : public Loss {
 public:
  LossTraits traits() const override {
    LossTraits out;
    out.regression = true;
    out.least_response = 0;
    return out;
  }

  double value(ConstVec u, double y) const override {
    if (y == 0) return u[0] >= 0 ? u[0] : kInf;
    return u[0] > 0 ? u[0] - y * std::log(u[0]) : kInf;
  }

  double conjugate(ConstVec a, double y) const override {
    if (y == 0) return a[0] <= 1 + kDomainSlack ? 0 : kInf;
    return a[0] < 1 ? y * (std::log(y) - 1 - std::log1p(-a[0])) : kInf;
  }

  // The non-negative root of p^2 - (u - step) p - step y.
  void prox(VecRef u, double y, double step) const override {
    const double b = u[0] - step;
    const double root = std::sqrt(b * b + 4 * step * y);
    u[0] = b > 0 ? (b + root) / 2 : (y == 0 ? 0 : 2 * step * y / (root - b));
  }

  void box(double y, VecRef lower, VecRef upper) const override {
    lower[0] = -kInf;
    upper[0] = y == 0 ? 1 : kInf;
  }

  void derivatives(ConstVec a, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = y == 0 ? 0 : y / (1 - a[0]);
    hessian(0, 0) = y == 0 ? 0 : y / ((1 - a[0]) * (1 - a[0]));
  }

  double reach(ConstVec a, ConstVec step, double y) const override {
    return y > 0 && step[0] > 0 ? (1 - a[0]) / step[0] : kInf;
  }

  void start(VecRef a, double y) const override { a[0] = y == 0 ? 0 : 1 - y; }
};

const bool registered =
    Registry<Loss>::add("poisson", [](const Params&) { return std::make_unique<Poisson>(); });

}  // namespace
}  // namespace psd
