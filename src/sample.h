// sample.h: the distribution functions of |R' v(x)|^2 measure(dx), on the line and of one
// coordinate given others; and draws, by inverting them one after another.
#pragma once
#include <functional>
#include <vector>

#include "model.h"

namespace psd {

// The share of the integral of a PSD model on the line that lies below each end.
Vec distribution(const Model& model, const Weight& measure, const ConstVec& ends);

// One row a draw, from uniforms `u` of the same shape. `factors[k]` is F with
// F F' = (R R') o (Gram matrix of the coordinates after k): the density of coordinate k
// given those before it is |F' (c o v_k(x_k))|^2 up to a constant, c the product of the
// earlier sections. `tick` is called now and then.
Mat draw(const Kernel& kernel, const Anchors& anchors, const std::vector<Mat>& factors,
         const Measure& measure, const ConstMat& u, const std::function<void()>& tick);

}  // namespace psd
