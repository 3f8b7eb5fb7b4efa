#include "exp_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exp_moments.h"

namespace psd {
namespace {

constexpr double kShort = 0.5;  // sds of an interval on which differences of erf lose digits
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// P(X > x) / density(x) of the standard normal, x >= 0: erfc where it has digits, else Laplace's
// continued fraction, so that far tails do not underflow. All digits take 15 terms at 8, 8 at 20.
double mills_ratio(double x) {
  if (x == kInfinity) return 0;
  if (x < 8) return 0.5 * std::erfc(x * M_SQRT1_2) * std::exp(x * x / 2 + kLogSqrt2Pi);
  double tail = x;
  for (int k = x < 20 ? 16 : 8; k >= 1; --k) tail = x + k / tail;
  return 1 / tail;
}

// The `length` from `peak` on in direction `sign`, where f falls all the way.
Moments side(const ExpQuadratic& f, double peak, double length, int sign) {
  if (!(length > 0)) return {-kInfinity, 0, 0};
  const double slope = f.linear - f.precision * peak;
  const PowerMoments m = falling_moments(std::max(0.0, -sign * slope), f.precision, length);
  const double height = f.constant + peak * (f.linear - f.precision * peak / 2);
  return shifted({height + std::log(m[0]), sign * m[1] / m[0], m[2] / m[0]}, peak);
}

double normal_density(double x) { return std::exp(-x * x / 2 - kLogSqrt2Pi); }

// The standard normal restricted to [a, b], |a| <= |b|, 0 <= b.
Moments truncated_normal(double a, double b) {
  if (a > 3) {  // a tail: everything relative to the density at a
    const double fall = b == kInfinity ? 0 : std::exp((a - b) * (a + b) / 2);
    const double mass = mills_ratio(a) - fall * mills_ratio(b);
    const double edge = b == kInfinity ? 0 : b * fall;
    return {std::log(mass) - a * a / 2 - kLogSqrt2Pi, (1 - fall) / mass, 1 + (a - edge) / mass};
  }
  const double mass = 0.5 * (std::erf(b * M_SQRT1_2) - std::erf(a * M_SQRT1_2));
  const double at_a = normal_density(a);
  const double at_b = b == kInfinity ? 0 : normal_density(b);
  const double edges = (a == -kInfinity ? 0 : a * at_a) - (b == kInfinity ? 0 : b * at_b);
  return {std::log(mass), (at_a - at_b) / mass, 1 + edges / mass};
}

Moments mirrored(const Moments& moments) {
  return {moments.log_mass, -moments.mean, moments.second};
}

Moments normal_on(double a, double b) {
  return a + b < 0 ? mirrored(truncated_normal(-b, -a)) : truncated_normal(a, b);
}

// int_0^1 s^k exp(-t s) ds for k = 0, 1, 2 and 0 <= t < 1, by the series of the exponential.
double unit_exponential_moment(int k, double t) {
  double term = 1, sum = 0;
  for (int j = 0; j < 20; ++j, term *= -t / j) sum += term / (j + k + 1);
  return sum;
}

// exp(-rate s) on [0, width], rate >= 0.
Moments exponential_on(double rate, double width) {
  const double t = rate * width;
  if (t < 1) {
    const double mass = unit_exponential_moment(0, t);
    return {std::log(width * mass), width * unit_exponential_moment(1, t) / mass,
            width * width * unit_exponential_moment(2, t) / mass};
  }
  const double end = std::exp(-t), mass = 1 - end;
  const double first = width == kInfinity ? 0 : t * end;
  const double second = width == kInfinity ? 0 : (t * t + 2 * t) * end;
  return {std::log(mass / rate), (mass - first) / (mass * rate),
          (2 * mass - second) / (mass * rate * rate)};
}

}  // namespace

void ExpQuadratic::add_square(double center, double sd) {
  if (sd == kInfinity) return;
  const double distance = center / sd;  // a number where the squares of both are none
  precision += 1 / sd / sd;
  linear += distance / sd;
  constant -= distance * distance / 2;
}

Moments shifted(const Moments& m, double shift) {
  return {m.log_mass, m.mean + shift, m.second + shift * (2 * m.mean + shift)};
}

Moments operator+(const Moments& one, const Moments& other) {
  const double top = std::max(one.log_mass, other.log_mass);
  if (std::isinf(top)) return one.log_mass == top ? one : other;
  const double p = std::exp(one.log_mass - top), q = std::exp(other.log_mass - top);
  return {top + std::log(p + q), (p * one.mean + q * other.mean) / (p + q),
          (p * one.second + q * other.second) / (p + q)};
}

Moments integrate(const ExpQuadratic& f, double lower, double upper) {
  if (!(lower < upper)) return {-kInfinity, 0, 0};
  if (f.precision > 0) {
    const double sd = 1 / std::sqrt(f.precision), center = f.linear / f.precision;
    if (upper - lower < kShort * sd) {
      const double peak = std::clamp(center, lower, upper);
      return side(f, peak, upper - peak, 1) + side(f, peak, peak - lower, -1);
    }
    const Moments unit = normal_on((lower - center) / sd, (upper - center) / sd);
    const double log_peak = f.constant + f.linear * center / 2 + std::log(sd) + kLogSqrt2Pi;
    return shifted({unit.log_mass + log_peak, sd * unit.mean, sd * sd * unit.second}, center);
  }
  const double rate = std::abs(f.linear), width = upper - lower;
  const double start = f.linear > 0 ? upper : lower;  // where the density is largest
  if (std::isinf(start) || (rate == 0 && std::isinf(width))) return {kInfinity, 0, 0};
  Moments m = exponential_on(rate, width);
  m.log_mass += f.constant + f.linear * start;
  return shifted(f.linear > 0 ? mirrored(m) : m, start);
}

}  // namespace psd
