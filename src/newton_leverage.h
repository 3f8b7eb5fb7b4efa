// newton_leverage.h: how much each observation decides about its own value. With M the Hessian of
// the dual at the optimum and D its part from the losses, h_i = 1 - D_ii (M^{-1})_ii: zero if the
// value at x_i hardly depends on the observation there, one if on nothing else. What a fit without
// an observation would say of it follows from h without another fit.
#pragma once
#include "problem.h"

namespace psd {

// For problems with one output, at the dual point z.
Vec leverages(Problem& problem, const SmoothRisk& risk, const Vec& z);

// How the outputs at each observation change if it is left out (J x n), for problems without
// constraints, to first order in how the others answer. Losses with kinks are blurred: between two
// others that are fitted exactly an observation would otherwise seem to decide alone.
Mat left_out_changes(Problem& problem, const SmoothRisk& risk, const Vec& z, double blur);

}  // namespace psd
