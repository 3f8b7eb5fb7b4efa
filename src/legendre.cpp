#include "legendre.h"

#include <algorithm>
#include <cmath>

namespace psd {

Vec legendre(double t, int degree) {
  Vec p(degree + 1);
  p[0] = 1;
  p[1] = t;
  for (int l = 1; l < degree; ++l) p[l + 1] = ((2 * l + 1) * t * p[l] - l * p[l - 1]) / (l + 1);
  return p;
}

GaussRule::GaussRule(int count) : nodes(count), weights(count) {
  for (int i = 0; i < count; ++i) {
    double t = std::cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int step = 0; step < 20; ++step) {  // Newton's method for the zeros of P_count
      const Vec p = legendre(t, count);
      slope = count * (t * p[count] - p[count - 1]) / (t * t - 1);
      t -= p[count] / slope;
    }
    nodes[i] = t;
    weights[i] = 2 / ((1 - t * t) * slope * slope);
  }
}

Mat GaussRule::to_coefficients() const {
  const int count = static_cast<int>(nodes.size());
  Mat out(count, count);
  for (int i = 0; i < count; ++i) {
    const Vec p = legendre(nodes[i], count);
    for (int l = 0; l < count; ++l) out(l, i) = (l + 0.5) * weights[i] * p[l];
  }
  return out;
}

double integral_below(const Vec& c, const Vec& p) {
  double sum = c[0] * (p[1] + 1);
  for (Index l = 1; l < c.size(); ++l) {
    sum += c[l] * (p[l + 1] - p[l - 1]) / (2 * static_cast<double>(l) + 1);
  }
  return sum;
}

// Newton's method, kept inside a shrinking bracket.
double invert_integral(const Vec& c, double mass) {
  const int degree = static_cast<int>(c.size());
  double low = -1, high = 1;
  double t = std::clamp(mass / c[0] - 1, low, high);
  for (int step = 0; step < 80 && high - low > 1e-16; ++step) {
    const Vec p = legendre(t, degree);
    const double error = integral_below(c, p) - mass;
    (error < 0 ? low : high) = t;
    double next = t - error / c.dot(p.head(degree));
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - t) < 1e-15) return next;
    t = next;
  }
  return t;
}

}  // namespace psd
