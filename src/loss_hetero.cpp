// loss_hetero.cpp: Gaussian negative log-likelihood of y in the natural parameters
// u = (eta, theta) = (mean / variance, 1 / variance), up to (log 2 pi) / 2:
//   l = -log(theta) / 2 + theta y^2 / 2 - y eta + eta^2 / (2 theta), theta > 0;
//   l*(a) = -(1 + log s) / 2, s = y^2 - 2 a_2 - (a_1 + y)^2 > 0.
#include <algorithm>
#include <cmath>

#include "loss.h"

namespace psd {
namespace {

double margin(ConstVec a, double y) { return -2 * a[1] - a[0] * (a[0] + 2 * y); }

class Hetero : public Loss {
 public:
  Index arity() const override { return 2; }

  double value(ConstVec u, double y) const override {
    if (!(u[1] > 0)) return kInf;
    const double residual = u[1] * y - u[0];  // theta (y - mean)
    return (residual * residual / u[1] - std::log(u[1])) / 2;
  }

  double conjugate(ConstVec a, double y) const override {
    const double s = margin(a, y);
    return s > 0 ? -(1 + std::log(s)) / 2 : kInf;
  }

  // With c = step and s = c y + u_1: eta = theta s / (c + theta), and theta is the root of an
  // increasing function; Newton, kept inside a bracket.
  void prox(VecRef u, double y, double c) const override {
    const double s = c * y + u[0], q = u[1];
    auto slope = [&](double theta) {
      const double shrunk = s / (c + theta);
      return -c / (2 * theta) + c * y * y / 2 - c * shrunk * shrunk / 2 + theta - q;
    };
    double low = 0, high = std::max(1.0, q);
    while (slope(high) < 0) low = high, high *= 4;
    double theta = high;
    for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
      const double f = slope(theta);
      (f > 0 ? high : low) = theta;
      const double shrunk = s / (c + theta);
      const double rise = c / (2 * theta * theta) + c * shrunk * shrunk / (c + theta) + 1;
      const double next = theta - f / rise;
      if (next == theta) break;
      theta = low < next && next < high ? next : (low + high) / 2;
    }
    u[0] = theta * s / (c + theta);
    u[1] = theta;
  }

  void derivatives(ConstVec a, double y, VecRef gradient, Eigen::Ref<Mat> hessian) const override {
    const double s = margin(a, y), m = a[0] + y;
    gradient << m / s, 1 / s;
    hessian(0, 0) = 1 / s + 2 * m * m / (s * s);
    hessian(0, 1) = hessian(1, 0) = 2 * m / (s * s);
    hessian(1, 1) = 2 / (s * s);
  }

  // Along the step, s falls as s - t fall - t^2 step_1^2.
  double reach(ConstVec a, ConstVec step, double y) const override {
    const double s = margin(a, y), fall = 2 * (step[1] + (a[0] + y) * step[0]);
    const double bottom = fall + std::sqrt(fall * fall + 4 * step[0] * step[0] * s);
    return bottom > 0 ? 2 * s / bottom : kInf;
  }

  void start(VecRef a, double y) const override { a << 0, -(1 + y * y) / 2; }
};

const bool registered =
    Registry<Loss>::add("hetero", [](const Params&) { return std::make_unique<Hetero>(); });

}  // namespace
}  // namespace psd
