// exp_quadratic.h: integrals of exp(constant + linear x - precision x^2 / 2) over an interval.
// Kernels whose logarithm is piecewise quadratic need no other integral.
#pragma once

namespace psd {

constexpr double kLogSqrt2Pi = 0.91893853320467274178;

// A measure on the line: the log of its mass, and its mean and second moment per unit of mass.
struct Moments {
  double log_mass;
  double mean;
  double second;
};

// log density = constant + linear x - precision x^2 / 2, precision >= 0.
struct ExpQuadratic {
  double precision = 0;
  double linear = 0;
  double constant = 0;

  // Adds -(x - center)^2 / (2 sd^2); an infinite sd adds nothing.
  void add_square(double center, double sd);
};

// Over [lower, upper], ends possibly infinite; an infinite log_mass if the integral diverges.
Moments integrate(const ExpQuadratic& density, double lower, double upper);

// The sum of two measures.
Moments operator+(const Moments& one, const Moments& other);

// The moments of x + shift.
Moments shifted(const Moments& moments, double shift);

}  // namespace psd
