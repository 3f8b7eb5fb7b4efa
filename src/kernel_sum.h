// kernel_sum.h: the sum of Gaussian kernels at the rows of a sample, each row left out in turn.
#pragma once
#include "types.h"

namespace psd {

struct LeftOut {
  double
      mean_log;  // of sum_j w_j exp(-|z_i - z_j|^2 / 2) over j other than i, with the weights w_i
  Mat square;    // mean of (x_i - x_j) (x_i - x_j)', j as likely as its kernel is large at i
};

// `z` are the rows of `x` in units of the kernel; weights sum to one.
LeftOut left_out(const ConstMat& x, const ConstMat& z, const ConstVec& weights);

}  // namespace psd
