// kernel.h: what the rest needs to know about a kernel. In d dimensions a kernel is the product
// over coordinates of k((x - center) / width), so one dimension says it all.
#pragma once
#include "exp_quadratic.h"
#include "registry.h"
#include "types.h"

namespace psd {

// k((x - center) / width) as a function of x; an infinite width is the constant one.
struct Bump {
  double center;
  double width;
};

// The weight an integral is taken against, on one coordinate: Lebesgue measure when sd is
// infinite, else the density of N(mean, sd^2); zero outside [lower, upper].
struct Weight {
  double lower;
  double upper;
  double mean;
  double sd;
};

class Kernel {
 public:
  static constexpr const char* kind = "kernel";
  virtual ~Kernel() = default;

  // log k(t), t = (x - center) / width, at many t at once; and the derivative of log k in t.
  virtual Array log_values(const Array& t) const = 0;
  virtual Array log_slopes(const Array& t) const = 0;

  // Whether k has a kink at its center; elsewhere it is smooth.
  virtual bool kinked() const { return false; }

  // int x^m one(x) other(x) weight(dx), m = 0, 1, 2, in closed form.
  virtual Moments product(const Bump& one, const Bump& other, const Weight& weight) const = 0;
};

// The log density of the weight, as a function of x - origin.
ExpQuadratic log_density(const Weight& weight, double origin);

}  // namespace psd
