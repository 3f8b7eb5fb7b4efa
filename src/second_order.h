// second_order.h: the solvers that use second derivatives, and which of them for what problem.
#pragma once
#include "solver.h"

namespace psd {

// With boxed losses their own interior point; for densities with many features a root of few
// columns first; then on the dual an interior point where Newton needs many steps, Newton
// otherwise. `root`: that of a similar problem's A, without columns if it is not known.
Solution second_order(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                      const Start& start, const Mat& root, const Monitor& monitor);

}  // namespace psd
