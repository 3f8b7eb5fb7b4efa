// kernel_two_sided.h: integrals of kernels that fall exponentially to both sides of their center,
// exp(-s) or (1 + s) exp(-s) with s = rate |x - center|.
#pragma once
#include "kernel.h"

namespace psd {

struct TwoSided {
  double center;
  double rate;  // 0: the constant one
};

// Of the product of two; `degree` 0: exp(-s), 1: (1 + s) exp(-s).
Moments product_moments(const TwoSided& one, const TwoSided& other, int degree,
                        const Weight& weight);

}  // namespace psd
