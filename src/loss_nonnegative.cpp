// loss_nonnegative.cpp: the constraint u >= 0 at an observation, l(u) = 0 there and Inf elsewhere;
//   l*(a) = 0 on a <= 0.
#include <algorithm>

#include "loss.h"

namespace psd {
namespace {

class Nonnegative : public Loss {
 public:
  double value(ConstVec u, double) const override { return u[0] >= -kDomainSlack ? 0 : kInf; }
  double conjugate(ConstVec a, double) const override { return a[0] <= kDomainSlack ? 0 : kInf; }
  void prox(VecRef u, double, double) const override { u[0] = std::max(u[0], 0.0); }

  void box(double, VecRef lower, VecRef upper) const override {
    lower[0] = -kInf;
    upper[0] = 0;
  }

  void derivatives(ConstVec, double, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    gradient[0] = 0;
    hessian(0, 0) = 0;
  }

  void start(VecRef a, double) const override { a[0] = -1; }
};

const bool registered = Registry<Loss>::add(
    "nonnegative", [](const Params&) { return std::make_unique<Nonnegative>(); });

}  // namespace
}  // namespace psd
