// legendre.h: polynomials on [-1, 1] by their Legendre coefficients, and Gauss's rule.
#pragma once
#include "types.h"

namespace psd {

// P_0..P_degree at t.
Vec legendre(double t, int degree);

// Exact for polynomials of degree below twice the number of nodes.
struct GaussRule {
  Vec nodes, weights;

  explicit GaussRule(int count);

  // From values at the nodes to Legendre coefficients.
  Mat to_coefficients() const;
};

// The integral from -1 to t of the polynomial with coefficients c; `p` is legendre(t, size of c).
double integral_below(const Vec& c, const Vec& p);

// The t with integral `mass` below, for a polynomial that is not negative.
double invert_integral(const Vec& c, double mass);

}  // namespace psd
