// low_rank_dual.h: the way from a root R, A = R R', to the dual.
#pragma once
#include "problem.h"

namespace psd {

// A point of the dual near the optimum, from R near it: one of Newton's steps for both; or `z`, if
// that is better. The dual's own steps are short at first, as what it makes of a point near the
// optimum, [S]_- / l2, is far from A if l2 is small.
Vec dual_beside(Problem& problem, const SmoothRisk& risk, const Mat& root, Vec z);

}  // namespace psd
