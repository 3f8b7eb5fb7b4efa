// block_psd_root.h: what the matrix S of a PSD block should look like if A = R R' is known.
#pragma once
#include "spectral.h"

namespace psd {

// The spectrum of S as an optimal A = R R' would have it: -l2 times that of A and, beside R, that
// of S with no eigenvalue below `least`.
Spectrum spectrum_around(const Mat& s, const Mat& root, double l2, double least);

}  // namespace psd
