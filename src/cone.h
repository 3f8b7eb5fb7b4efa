// cone.h: regression with outputs in a cone given by half-spaces.
//
// Output s is u_s(x) = phi(x)' A_s phi(x), A_s symmetric, with penalty l1 |A_s|_* + (l2 /
// 2) |A_s|^2 (nuclear norm), subject to sum_s c_st A_s >= 0 for every half-space t, which
// puts u(x) into the cone {u : C' u >= 0} at every x. Over a (J x n) and Lambda_t >= 0 the
// dual minimises
//   risk.conjugate(a) + sum_s |soft(X_s)|^2 / (2 l2),  X_s = sum_t c_st Lambda_t - V
//   diag(a_s) V',
// where soft moves eigenvalues towards zero by l1, and A_s = soft(X_s) / l2.
#pragma once
#include "solver.h"

namespace psd {

struct Halfspaces {
  Mat normals;   // C: one column a half-space
  Vec interior;  // a point with C' y >= 1
};

// Accelerated proximal gradient with projections onto the PSD matrices. Its A_s satisfy the
// cone only in the limit; the certificate is for A_s + y_s N, y the interior point and N the
// sum over t of the negative parts of sum_s c_st A_s. As C' y >= 1, the cone holds exactly,
// and the gap includes the repair. The coefficients of the solution are the A_s. `start` is
// the dual of an earlier solution, or empty.
Solution solve_in_halfspaces(const Risk& risk, const Mat& v, double l1, double l2,
                             const Halfspaces& cone, const Settings& settings, Vec start,
                             const Monitor& monitor);

}  // namespace psd
