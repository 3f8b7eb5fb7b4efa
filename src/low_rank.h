// low_rank.h: the primal problem over A = R R', R of few columns: -sum_i w_i log f(x_i) with one
// PSD block and at most one constraint, <A, W> = c.
//
// At an optimum A has far fewer columns than there are features, and as a function of R the problem
// has no kinks: Newton's method on R costs products of R with the features only. In R it is not
// convex, but the dual problem tells at any point how far that may be from the optimum of the whole
// problem, and along which directions columns are missing.
#pragma once
#include "solver.h"

namespace psd {

bool low_rank_applies(const Problem& problem, const SmoothRisk& risk);

// From R, or a positive start if it has no columns. "stalled" where the dual should take over: when
// it is near, as it then converges faster, or when R makes no progress.
Solution low_rank(Problem& problem, const SmoothRisk& risk, const Settings& settings, Mat root,
                  const Monitor& monitor);

}  // namespace psd
