// model.h: a fitted function, and what can be asked of it.
#pragma once
#include "integrals.h"
#include "types.h"

namespace psd {

// With v the anchors' functions: |R' v(x)|^2, w' v(x) or exp(w' v(x)).
enum class Shape { psd, linear, exponential };

struct Model {
  const Kernel& kernel;
  Anchors anchors;
  Mat coefficients;  // R (anchors x rank) or w (one column)
  Shape shape;
};

// One row a point, one column a model. Neighbours with the same anchors share the sections.
Mat evaluate(const std::vector<Model>& models, const ConstMat& x);

// Exact also where the function itself is too small for a double; -Inf where it is not positive.
Vec log_evaluate(const Model& model, const ConstMat& x);

// One row a point, one column a coordinate.
Mat gradient(const Model& model, const ConstMat& x);

// The integral over each box lower_i <= x <= upper_i (rows), against the density of the measure,
// whose own box is left aside. An exponential has no closed form, and is refused.
Vec box_integrals(const Model& model, const Measure& measure, const ConstMat& lower,
                  const ConstMat& upper);

}  // namespace psd
