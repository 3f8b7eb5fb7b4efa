// pairs.h: sums over pairs of rows of a matrix g, sum_kl f_kl (g_k o g_l)(g_k o g_l)', which are
// the Hessians of PSD blocks.
#pragma once
#include "types.h"

namespace psd {

// `factors`: one row for each of the first rows of g, ones where both rows are among those. Exact
// for up to four such rows; with more, neighbours among them share their factors.
Mat upper_pairs(const Mat& factors, const Mat& g);

// `factors`: symmetric, for all rows of g, and smooth: its small eigenvalues are left out.
Mat all_pairs(const Mat& factors, const Mat& g);

}  // namespace psd
