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

// What users of a kernel may rely on.
struct KernelTraits {
  bool kinked = false;  // k has a kink at its center: gradients jump there
  bool smooth = true;   // all derivatives are continuous, also at the center
  bool normal = false;  // products of sections are normal densities, up to constants
  // k(t / root)^2 = k(t), so that a section is the square of a wider one; NaN if there is no such
  // number.
  double root = std::numeric_limits<double>::quiet_NaN();
  // Far out log k(t) falls by this much per unit of |t|.
  double decay = std::numeric_limits<double>::infinity();
};

class Kernel {
 public:
  static constexpr const char* kind = "kernel";
  virtual ~Kernel() = default;

  virtual KernelTraits traits() const = 0;

  // log k(t), t = (x - center) / width, at many t at once; and the derivative of log k in t.
  virtual Array log_values(const Array& t) const = 0;
  virtual Array log_slopes(const Array& t) const = 0;

  // int x^m one(x) other(x) weight(dx), m = 0, 1, 2, in closed form.
  virtual Moments product(const Bump& one, const Bump& other, const Weight& weight) const = 0;

  // The log masses, m = 0, of `one` with many others: places and widths, one a row.
  virtual Array log_masses(const Bump& one, const Array& at, const Array& width,
                           const Weight& weight) const;
};

// The log density of the weight, as a function of x - origin.
ExpQuadratic log_density(const Weight& weight, double origin);

}  // namespace psd
