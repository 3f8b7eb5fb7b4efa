#include "model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model_near.h"
#include "products.h"

namespace psd {
namespace {

constexpr Index kChunk = 512;     // points at a time: memory does not grow with their number
constexpr double kHighest = 700;  // exponent: sums of several such are still finite

template <class Visit>
void by_chunk(Index n, Visit visit) {
  for (Index first = 0; first < n; first += kChunk) visit(first, std::min(kChunk, n - first));
}

// The same for a model and points x: visit(model, points, first), the model without the sections
// that do not count at these points.
template <class Visit>
void by_chunk(const Model& model, const ConstMat& x, Visit visit) {
  by_chunk(x.rows(), [&](Index first, Index size) {
    const ConstMat points = x.middleRows(first, size);
    const std::vector<Index> near = near_sections(model, points);
    const bool most =
        static_cast<Index>(near.size()) > 0.8 * static_cast<double>(model.anchors.size());
    if (most)
      visit(model, points, first);
    else
      visit(only(model, near), points, first);
  });
}

// R' v + B' x, one column a point.
Mat inner_of(const Model& model, const Mat& v, const ConstMat& x) {
  Mat out = product(transposed(model.coefficients), v);
  if (model.slopes.size() > 0) out.noalias() += model.slopes.transpose() * x.transpose();
  return out;
}

// The function from `inner`, ...
Vec value_of(Shape shape, const Mat& inner) {
  switch (shape) {
    case Shape::psd:
      return inner.colwise().squaredNorm().transpose();
    case Shape::exponential:
      return inner.row(0).array().min(kHighest).exp();
    default:
      return inner.row(0);
  }
}

// ... and its slope from that of `inner`.
Vec slope_of(Shape shape, const Mat& inner, const Mat& moved) {
  switch (shape) {
    case Shape::psd:
      return 2 * (inner.array() * moved.array()).colwise().sum().transpose();
    case Shape::exponential:
      return value_of(shape, inner).cwiseProduct(moved.row(0).transpose());
    default:
      return moved.row(0);
  }
}

// One row a point, one column a coordinate, from the sections v there, in any unit, and `inner` in
// the same.
Mat slopes_at(const Model& model, const ConstMat& points, const Mat& v, const Mat& inner) {
  Mat out(points.rows(), points.cols());
  for (Index c = 0; c < points.cols(); ++c) {
    Mat slope(v.rows(), v.cols());
    const Array width = model.anchors.width.col(c);
    for (Index i = 0; i < points.rows(); ++i) {
      const Array t = (points(i, c) - model.anchors.at.col(c).array()) / width;
      slope.col(i) = v.col(i).array() * model.kernel.log_slopes(t) / width;
    }
    Mat moved = product(transposed(model.coefficients), slope);
    if (model.slopes.size() > 0) moved.colwise() += model.slopes.row(c).transpose();
    out.col(c) = slope_of(model.shape, inner, moved);
  }
  return out;
}

// Whether the sections are the same functions.
bool same(const Model& one, const Model& other) {
  const Anchors &a = one.anchors, &b = other.anchors;
  return &one.kernel == &other.kernel && a.size() == b.size() && a.at == b.at && a.width == b.width;
}

}  // namespace

void refuse_slopes(const Model& model) {
  if (model.slopes.size() > 0) {
    throw std::invalid_argument("a function with slopes has no integrals");
  }
}

Mat evaluate(const std::vector<Model>& models, const ConstMat& x) {
  if (models.size() == 1) return evaluate(models[0], x);
  Mat out(x.rows(), static_cast<Index>(models.size()));
  by_chunk(x.rows(), [&](Index first, Index size) {
    Mat v;
    for (size_t k = 0; k < models.size(); ++k) {
      const Model& model = models[k];
      if (k == 0 || !same(model, models[k - 1])) {
        v = sections(model.kernel, model.anchors, x.middleRows(first, size));
      }
      out.col(static_cast<Index>(k)).segment(first, size) =
          value_of(model.shape, inner_of(model, v, x.middleRows(first, size)));
    }
  });
  return out;
}

Vec evaluate(const Model& model, const ConstMat& x) {
  Vec out(x.rows());
  by_chunk(model, x, [&](const Model& near, const ConstMat& points, Index first) {
    const Mat v = sections(near.kernel, near.anchors, points);
    out.segment(first, points.rows()) = value_of(near.shape, inner_of(near, v, points));
  });
  return out;
}

Vec log_evaluate(const Model& model, const ConstMat& x) {
  if (model.shape == Shape::exponential)
    return evaluate(
        Model{model.kernel, model.anchors, model.coefficients, Shape::linear, model.slopes}, x);
  // Slopes keep the function from being small where the sections are.
  if (model.slopes.size() > 0) return evaluate(model, x).array().max(0).log();
  Vec out(x.rows());
  by_chunk(model, x, [&](const Model& near, const ConstMat& points, Index first) {
    Mat v = log_sections(near.kernel, near.anchors, points);
    const Vec top = v.colwise().maxCoeff();
    v = (v.rowwise() - top.transpose()).array().exp();
    const Vec scaled = value_of(near.shape, product(transposed(near.coefficients), v)).cwiseMax(0);
    const double degree = near.shape == Shape::psd ? 2 : 1;
    out.segment(first, points.rows()) = scaled.array().log() + degree * top.array();
  });
  return out;
}

Mat gradient(const Model& model, const ConstMat& x) {
  Mat out(x.rows(), x.cols());
  by_chunk(model, x, [&](const Model& near, const ConstMat& points, Index first) {
    const Mat v = sections(near.kernel, near.anchors, points);
    out.middleRows(first, points.rows()) = slopes_at(near, points, v, inner_of(near, v, points));
  });
  return out;
}

Mat log_gradient(const Model& model, const ConstMat& x) {
  refuse_slopes(model);
  Mat out(x.rows(), x.cols());
  by_chunk(x.rows(), [&](Index first, Index size) {
    const auto points = x.middleRows(first, size);
    Mat v = log_sections(model.kernel, model.anchors, points);
    const Vec top = v.colwise().maxCoeff();
    v = (v.rowwise() - top.transpose()).array().exp();
    const Mat inner = product(transposed(model.coefficients), v);
    out.middleRows(first, size) =
        slopes_at(model, points, v, inner).array().colwise() / value_of(model.shape, inner).array();
  });
  return out;
}

}  // namespace psd
