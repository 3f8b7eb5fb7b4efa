#include "kernel_two_sided.h"

#include <algorithm>
#include <cmath>

#include "exp_moments.h"
#include "kernel_units.h"

namespace psd {
namespace {

struct TwoSided {
  double center;
  double rate;  // 0: the constant one
};

// Where no center is inside, the exponent of the product, weight included, is a quadratic function.
struct Interval {
  double lower, upper;
};

class Product {
 public:
  Product(const TwoSided& one, const TwoSided& other, int degree, const Weight& weight)
      : factors_{one, other},
        degree_(degree),
        weight_(weight),
        precision_(1 / (weight.sd * weight.sd)) {}

  // From the peak of the exponent to both sides, where it falls: no sum has terms of both signs
  // that cancel.
  Moments over(const Interval& on) const {
    if (!(on.lower < on.upper)) return {-kInf, 0, 0};
    const double linear = slope(0, on) + slope(1, on);
    double peak = linear > 0 ? on.upper : on.lower;
    if (precision_ > 0) peak = std::clamp(weight_.mean + linear / precision_, on.lower, on.upper);
    const bool flat = linear == 0 && precision_ == 0;
    if (std::isinf(peak) || (flat && std::isinf(on.upper))) return {kInf, 0, 0};
    const double rise = precision_ > 0 ? linear - precision_ * (peak - weight_.mean) : linear;
    return side(on, peak, -1, peak - on.lower, std::max(0.0, rise)) +
           side(on, peak, 1, on.upper - peak, std::max(0.0, -rise));
  }

 private:
  // Of the exponent of factor k.
  double slope(int k, const Interval& on) const {
    const bool beyond = on.lower >= factors_[k].center;
    return beyond ? -factors_[k].rate : factors_[k].rate;
  }

  // The `length` from `peak` in direction `sign`, where the exponent begins to fall at `rate`.
  Moments side(const Interval& on, double peak, int sign, double length, double rate) const {
    if (!(length > 0)) return {-kInf, 0, 0};
    const PowerMoments m = falling_moments(rate, precision_, length);
    double value[2], change[2], exponent = log_weight(peak);  // factors: value + change * s
    for (int k = 0; k < 2; ++k) {
      const double distance = factors_[k].rate * std::abs(peak - factors_[k].center);
      value[k] = 1 + degree_ * distance;
      change[k] = -degree_ * sign * slope(k, on);
      exponent -= distance;
    }
    const double constant = value[0] * value[1], square = change[0] * change[1];
    const double cross = value[0] * change[1] + value[1] * change[0];
    auto integral = [&](size_t power) {
      return constant * m[power] + cross * m[power + 1] + square * m[power + 2];
    };
    const double mass = integral(0);
    return shifted({exponent + std::log(mass), sign * integral(1) / mass, integral(2) / mass},
                   peak);
  }

  double log_weight(double x) const {
    if (std::isinf(weight_.sd)) return 0;
    const double t = (x - weight_.mean) / weight_.sd;
    return -t * t / 2 - std::log(weight_.sd) - kLogSqrt2Pi;
  }

  TwoSided factors_[2];
  int degree_;
  Weight weight_;
  double precision_;
};

Moments product_in_units(const TwoSided& one, const TwoSided& other, int degree,
                         const Weight& weight) {
  const Product product(one, other, degree, weight);
  const auto [left, right] = std::minmax(one.center, other.center);
  const double first = std::clamp(left, weight.lower, weight.upper);
  const double second = std::clamp(right, weight.lower, weight.upper);
  return product.over({weight.lower, first}) + product.over({first, second}) +
         product.over({second, weight.upper});
}

}  // namespace

Moments product_moments(const Bump& one, const Bump& other, double rate, int degree,
                        const Weight& weight) {
  const Units units(one, other, weight);
  auto in_units = [&](const Bump& bump) {
    const Bump moved = units(bump);
    return TwoSided{moved.center, rate / moved.width};
  };
  const Moments found = product_in_units(in_units(one), in_units(other), degree, units(weight));
  return units.back(found, weight);
}

}  // namespace psd
