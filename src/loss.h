// loss.h: what the solvers need to know about a loss, and nothing else.
#pragma once
#include "registry.h"
#include "types.h"

namespace psd {

// What users of a loss may rely on.
struct LossTraits {
  bool regression = false;  // of one output and a response that users choose it for
  // l(s u, s y) is a function of s times l(u, y), parameters being in units of y: the response can
  // be measured in any unit.
  bool unit_free = false;
  double least_response = -kInf;  // the lower end of the domain of y
  bool logarithm = false;         // l(u, y) = -log u
};

// A closed convex loss l(u, y) of the `arity` outputs u at one observation.
class Loss {
 public:
  static constexpr const char* kind = "loss";
  virtual ~Loss() = default;

  virtual Index arity() const { return 1; }
  virtual LossTraits traits() const { return {}; }

  // l(u, y), Inf outside the domain.
  virtual double value(ConstVec u, double y) const = 0;

  // l*(a, y) = sup_u <a, u> - l(u, y), Inf outside the domain.
  virtual double conjugate(ConstVec a, double y) const = 0;

  // u <- argmin_p step * l(p, y) + |p - u|^2 / 2.
  virtual void prox(VecRef u, double y, double step) const = 0;

  // What Newton needs besides. The conjugate is smooth on the interior of a box; where the box
  // ends the solver keeps a barrier, elsewhere the conjugate itself grows without bound.
  virtual void box(double /*y*/, VecRef lower, VecRef upper) const {
    lower.setConstant(-kInf);
    upper.setConstant(kInf);
  }

  // Gradient and Hessian of l*(., y) at an interior point.
  virtual void derivatives(ConstVec a, double y, VecRef gradient,
                           Eigen::Ref<Mat> hessian) const = 0;

  // The second derivative in u of the mean of l(u, y + e), e logistic of scale `blur`: how the
  // slope of a loss with a kink changes where responses are a little uncertain. For losses of one
  // output.
  virtual double blurred_curvature(double /*u*/, double /*y*/, double /*blur*/) const {
    throw std::invalid_argument("the blurred curvature of this loss is not known");
  }

  // The largest t for which a + t * step stays in the domain, the box left aside.
  virtual double reach(ConstVec /*a*/, ConstVec /*step*/, double /*y*/) const { return kInf; }

  // An interior point of the domain of l*(., y).
  virtual void start(VecRef a, double y) const = 0;
};

// Conjugates of non-smooth losses end on the boundary of their domain, up to rounding.
constexpr double kDomainSlack = 1e-10;

}  // namespace psd
