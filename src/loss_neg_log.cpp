// loss_neg_log.cpp: negative logarithm, l(u) = -log u; l*(a) = -1 - log(-a), a < 0.
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

class NegLog : public Loss {
 public:
  LossTraits traits() const override {
    LossTraits out;
    out.logarithm = true;
    return out;
  }

  double value(ConstVec u, double) const override { return u[0] > 0 ? -std::log(u[0]) : kInf; }

  double conjugate(ConstVec a, double) const override {
    return a[0] < 0 ? -1 - std::log(-a[0]) : kInf;
  }

  // The positive root of p^2 - u p - step, without cancellation.
  void prox(VecRef u, double, double step) const override {
    const double root = std::sqrt(u[0] * u[0] + 4 * step);
    u[0] = u[0] > 0 ? (u[0] + root) / 2 : 2 * step / (root - u[0]);
  }

  void derivatives(ConstVec a, double, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = -1 / a[0];
    hessian(0, 0) = 1 / (a[0] * a[0]);
  }

  double reach(ConstVec a, ConstVec step, double) const override {
    return step[0] > 0 ? -a[0] / step[0] : kInf;
  }

  void start(VecRef a, double) const override { a[0] = -1; }
};

const bool registered =
    Registry<Loss>::add("neg_log", [](const Params&) { return std::make_unique<NegLog>(); });

}  // namespace
}  // namespace psd
