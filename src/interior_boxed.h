// interior_boxed.h: primal-dual interior point for losses whose conjugates end at a box, as those
// of quantiles do: steps of Nesterov, Todd and Mehrotra in A and Z of every PSD block and in the
// dual point with a multiplier for each end of its box. A barrier in the dual alone, as in
// newton.h, sees A only through S, which it moves with 1 / l2: there twice as many steps are
// needed.
#pragma once
#include "newton.h"

namespace psd {

// Whether the problem has such losses, linear blocks and PSD ones, no constraints, and a step costs
// not too much.
bool boxed_interior_applies(const Problem& problem, const SmoothRisk& risk);

// Where a step is dear, Newton's method is tried first; where rounding errors stop the interior
// point, Newton's method goes on.
Solution boxed_interior(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                        const Start& start, const Monitor& monitor);

}  // namespace psd
