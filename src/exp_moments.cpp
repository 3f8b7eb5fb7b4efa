#include "exp_moments.h"

#include <algorithm>
#include <cmath>

#include "legendre.h"

namespace psd {
namespace {

constexpr int kTop = 4;          // the highest power
constexpr double kLong = 10;     // rate * length from which the end of the interval is a correction
constexpr double kNothing = 50;  // exponent at which the rest is below rounding, times s^4 too
constexpr int kNodes = 36;  // of Gauss's rule: exact to rounding for an exponent up to kNothing

// int_0^1 u^k exp(-t u) du: the highest by its series of positive terms, the others downwards.
PowerMoments on_unit_interval(double t) {
  PowerMoments out;
  const double end = std::exp(-t);
  double term = end / (kTop + 1), sum = 0;
  for (int j = 1; term > 1e-17 * sum; ++j) {
    sum += term;
    term *= t / (kTop + 1 + j);
  }
  out[kTop] = sum;
  for (int k = kTop; k > 0; --k) out[k - 1] = (t * out[k] + end) / k;
  return out;
}

// int_0^t u^k exp(-u) du, t >= kLong, upwards.
PowerMoments on_long_interval(double t) {
  PowerMoments out;
  double edge = std::exp(-t);
  out[0] = 1 - edge;
  for (int k = 1; k <= kTop; ++k) {
    edge = std::isinf(t) ? 0 : edge * t;
    out[k] = k * out[k - 1] - edge;
  }
  return out;
}

PowerMoments scaled(PowerMoments moments, double unit) {
  double power = unit;
  for (double& moment : moments) {
    moment *= power;
    power *= unit;
  }
  return moments;
}

PowerMoments by_gauss(double rate, double precision, double length) {
  static const GaussRule rule(kNodes);
  const double until = 2 * kNothing / (rate + std::sqrt(rate * rate + 2 * kNothing * precision));
  const double half = std::min(length, until) / 2;
  PowerMoments out{};
  for (int i = 0; i < kNodes; ++i) {
    const double s = half * (1 + rule.nodes[i]);
    double term = half * rule.weights[i] * std::exp(-s * (rate + precision * s / 2));
    for (double& moment : out) {
      moment += term;
      term *= s;
    }
  }
  return out;
}

}  // namespace

PowerMoments falling_moments(double rate, double precision, double length) {
  if (precision > 0) return by_gauss(rate, precision, length);
  const double t = rate * length;
  return t < kLong ? scaled(on_unit_interval(t), length) : scaled(on_long_interval(t), 1 / rate);
}

}  // namespace psd
