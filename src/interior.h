// interior.h: primal-dual interior point for the logarithm and one PSD block.
//
// Newton's method on the dual has to pass the kinks of [S]_-, and moves the multiplier alpha_i =
// -a_i of an observation by a fraction of itself: where weights or the function are tiny that takes
// a step for every factor of two. Here both sides are unknown: A > 0 and Z > 0 with A Z = mu I, mu
// falling to zero; and f_i = phi_i' A phi_i and alpha_i with alpha_i f_i = w_i, linearised as a
// product. A dozen steps do, whatever the weights and however many observations.
#pragma once
#include "newton.h"

namespace psd {

// Whether the problem is of that form, with few enough features.
bool interior_applies(const Problem& problem, const SmoothRisk& risk);

// Whether a step of such a problem is cheap. To look for the nodes that make it so takes a while.
bool interior_is_cheap(const Problem& problem);

// Whether it is the way for problems that are larger than that: the weights are such that Newton's
// method would take hundreds of steps, and observations and features not too many.
constexpr int kUnevenChance = 12;  // iterations that Newton's method has nevertheless
bool uneven(const SmoothRisk& risk);
bool interior_pays(const Problem& problem, const SmoothRisk& risk);

// From z only nu is taken. Where rounding errors stop it, Newton's method goes on. Iterations are
// counted from `first`.
Solution interior(Problem& problem, const SmoothRisk& risk, const Settings& settings, const Vec& z,
                  Tracker& tracker, int first);

// As a solver that goes on from where another one stopped.
inline Stage interior_stage(Problem& problem, const SmoothRisk& risk) {
  return [&](const Settings& left, const Vec& z, const Monitor& monitor) {
    Tracker tracker(left, monitor);
    return interior(problem, risk, left, z, tracker, 0);
  };
}

}  // namespace psd
