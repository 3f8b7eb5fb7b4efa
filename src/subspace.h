// subspace.h: Newton for PSD blocks with many features and few negative eigenvalues.
//
// The optimal A has low rank: it lives in a small space, spanned near the optimum by the lowest
// eigenvectors of S. So solve in a working space (cheap: its size replaces the number of features),
// look at the full S once, take its lowest eigenvectors into the space, and go on until the full
// certificate closes: column generation with a PSD master problem.
#pragma once
#include "solver.h"

namespace psd {

// The solver for a problem: a root of few columns first where there are many features of a density,
// then on the dual an interior point where Newton needs many steps, Newton in a working space where
// it pays (many features, no box to keep off), plain Newton otherwise. `root`: that of a similar
// problem's A, without columns if it is not known.
Solution subspace_newton(Problem& problem, const SmoothRisk& risk, const Settings& settings,
                         const Start& start, const Mat& root, const Monitor& monitor);

}  // namespace psd
