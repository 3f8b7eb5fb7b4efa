// kernel_two_sided.h: integrals of kernels that fall exponentially to both sides of their center,
// exp(-s) or (1 + s) exp(-s) with s = rate |x - center|.
#pragma once
#include "kernel.h"

namespace psd {

// Of the product of two that fall at `rate` per width; `degree` 0: exp(-s), 1: (1 + s) exp(-s).
Moments product_moments(const Bump& one, const Bump& other, double rate, int degree,
                        const Weight& weight);

}  // namespace psd
