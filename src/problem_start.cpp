// problem_start.cpp: where the solvers begin.
#include <cmath>

#include "problem.h"

namespace psd {
namespace {

constexpr double kStartSize = 2;                // of a, where 1 leaves every function zero
constexpr double kInequalityStart = 0.1;        // of the multiplier of an inequality
constexpr double kLeast = 1e-12, kMost = 1e12;  // sizes of a beyond which no start is looked for

}  // namespace

bool Problem::vanishes(const Vec& z) const {
  for (size_t k = 0; k < blocks_.size(); ++k) {
    if (!blocks_[k]->vanishes(mixed(z, static_cast<Index>(k)), nu(z))) return false;
  }
  return true;
}

// At the optimum nu' c = -<a, u> up to the penalties, and <a, u> is known on the risk's graph: the
// smallest such nu, over the equalities.
Vec Problem::start() {
  Vec z(dual_size());
  a(z) = risk_.start();
  const double pairing = constraint_count() > 0 ? risk_.pairing(a(z)) : 0;
  double square = 0;
  for (Index m = 0; m < constraint_count(); ++m) {
    if (constraints_.equality[m]) square += constraints_.bound[m] * constraints_.bound[m];
  }
  for (Index m = 0; m < constraint_count(); ++m) {
    const double share = square > 0 ? -pairing * constraints_.bound[m] / square : 0;
    nu(z)[m] = constraints_.equality[m] ? share : kInequalityStart;
  }
  return sized(z);
}

Vec Problem::improved(const Vec& z) {
  const Vec other = sized(z);
  const bool better = move_to(other, {}) + simple(other) < move_to(z, {}) + simple(z);
  return better || vanishes(z) ? other : z;
}

// Where the conjugate falls along a ray: a small a leaves every function zero, a large one is far
// from the optimum, and the right size is where the functions just cease to be zero.
Vec Problem::sized(const Vec& z) {
  if (constraint_count() == 0) return shortened(z);
  Vec scaled = z;
  auto at = [&](double scale) -> const Vec& {
    a(scaled) = scale * a(z);
    return scaled;
  };
  const bool on_a_ray = simple(at(kMost)) < simple(z);
  if (!on_a_ray || !vanishes(at(kLeast)) || vanishes(at(kMost))) return z;
  double zero = 1;  // every function is zero there, and not at twice that
  while (!vanishes(at(zero))) zero /= 2;
  while (vanishes(at(2 * zero))) zero *= 2;
  return at(kStartSize * zero);
}

// Without constraints the best point on the ray of the start is easily found. It has few negative
// eigenvalues, so that the Hessian there knows little: half way to it, in logs, is better still.
Vec Problem::shortened(const Vec& z) {
  auto objective = [&](double scale) { return move_to(scale * z, {}) + simple(scale * z); };
  double best = 1, value = objective(1);
  for (double next = objective(0.25); next < value && best > kLeast; next = objective(best / 4)) {
    value = next;
    best /= 4;
  }
  return std::sqrt(best) * z;
}

}  // namespace psd
