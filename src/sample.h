// sample.h: draws from |R' v(x)|^2 measure(dx), by inverting one conditional distribution function
// after another.
#pragma once
#include <functional>
#include <vector>

#include "model.h"

namespace psd {

// One row a draw, from uniforms `u` of the same shape. `factors[k]` is F with
// F F' = (R R') o (Gram matrix of the coordinates after k): the density of coordinate k given those
// before it is |F' (c o v_k(x_k))|^2 up to a constant, c the product of the earlier sections. `tick`
// is called now and then.
//
// On short cells that density is a polynomial up to rounding. Its integrals are then known at every
// point from values at a few nodes, which are the same for all draws, and lose no digits to
// cancellation as sums over pairs of anchors do.
Mat draw(const Kernel& kernel, const Anchors& anchors, const std::vector<Mat>& factors,
         const Measure& measure, const ConstMat& u, const std::function<void()>& tick);

}  // namespace psd
