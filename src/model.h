// model.h: a fitted function, and what can be asked of it.
#pragma once
#include "integrals.h"
#include "types.h"

namespace psd {

// With v the anchors' functions and B the slopes: |R' v(x) + B' x|^2, and w' v(x) + B' x or its
// exponential, w having one column.
enum class Shape { psd, linear, exponential };

struct Model {
  const Kernel& kernel;
  Anchors anchors;
  Mat coefficients;  // R (anchors x rank) or w (one column)
  Shape shape;
  Mat slopes = Mat();  // B: one row a coordinate, or of size zero
};

// Throws where integrals are asked of a function that has slopes.
void refuse_slopes(const Model& model);

// One row a point, one column a model. Neighbours with the same anchors share the sections.
Mat evaluate(const std::vector<Model>& models, const ConstMat& x);
Vec evaluate(const Model& model, const ConstMat& x);

// Exact also where the function itself is too small for a double; -Inf where it is not positive.
Vec log_evaluate(const Model& model, const ConstMat& x);

// One row a point, one column a coordinate.
Mat gradient(const Model& model, const ConstMat& x);

// grad f / f, exact also where f is too small for a double; not for functions with slopes.
Mat log_gradient(const Model& model, const ConstMat& x);

}  // namespace psd
