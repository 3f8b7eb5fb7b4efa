// cone.h: regression with outputs in a cone given by half-spaces.
//
// Output s is u_s(x) = phi(x)' A_s phi(x), A_s symmetric, with penalty l1 |A_s|_* + (l2 /
// 2) |A_s|^2 (nuclear norm), subject to sum_s c_st A_s >= 0 for every half-space t, which
// puts u(x) into the cone {u : C' u >= 0} at every x, and to sum_s <W_ks, A_s> = b_k (or <= b_k)
// for every integral k. Over z = (a, Lambda_1, Lambda_2, ..., mu), a J x n, Lambda_t >= 0 and mu_k
// >= 0 where k is an inequality, the dual minimises
//   risk.conjugate(a) + sum_s |soft(X_s)|^2 / (2 l2) + mu' b,
//   X_s = sum_t c_st Lambda_t - V diag(a_s) V' - sum_k mu_k W_ks,
// where soft moves eigenvalues towards zero by l1, and A_s = soft(X_s) / l2.
//
// Either solver's A_s satisfy the cone only in the limit; the certificate is for A_s + y_s N, y the
// interior point and N the sum over t of the negative parts of sum_s c_st A_s. As C' y >= 1, the
// cone holds exactly, and the gap includes the repair. Integrals are repaired by one factor, or
// else by the least move and a share of a point inside the cone that has them
// (cone_certificate.cpp). The coefficients of a solution are those A_s, its dual is z.
#pragma once
#include "cone_maps.h"
#include "solver.h"

namespace psd {

// Accelerated proximal gradient with projections onto the PSD matrices: for any risk. `start` is
// the dual of an earlier solution, or empty.
Solution cone_fista(const Risk& risk, const ConeMaps& maps, const Settings& settings,
                    const Vec& start, const Monitor& monitor);

// Proximal points of the primal, each by semismooth Newton on the dual (the augmented Lagrangian
// method of SDPNAL): with the last A_s, B_t = sum_s c_st A_s and u as a center,
//   |A_s - center|^2 / (2 tau),  |B_t - center|^2 / (2 tau),  sum_i w_i |u_i - center|^2 / (2
//   theta)
// are added, which makes the dual smooth in all of z and its curvature even; tau and theta grow as
// Newton allows. Iterations are Newton's. For losses of one output each.
Solution cone_newton(const SmoothRisk& risk, const ConeMaps& maps, const Settings& settings,
                     const Vec& start, const Monitor& monitor);

}  // namespace psd
