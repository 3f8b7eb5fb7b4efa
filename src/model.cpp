#include "model.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr Index kChunk = 512;  // points at a time: memory does not grow with their number

template <class Visit>
void by_chunk(Index n, Visit visit) {
  for (Index first = 0; first < n; first += kChunk) visit(first, std::min(kChunk, n - first));
}

Vec from_sections(const Model& model, const Mat& v) {
  const Mat inner = model.coefficients.transpose() * v;
  return model.psd ? Vec(inner.colwise().squaredNorm().transpose()) : Vec(inner.row(0));
}

}  // namespace

Vec evaluate(const Model& model, const ConstMat& x) {
  Vec out(x.rows());
  by_chunk(x.rows(), [&](Index first, Index size) {
    out.segment(first, size) = from_sections(
        model, sections(model.kernel, model.anchors, x.middleRows(first, size)));
  });
  return out;
}

Vec log_evaluate(const Model& model, const ConstMat& x) {
  Vec out(x.rows());
  by_chunk(x.rows(), [&](Index first, Index size) {
    Mat v = log_sections(model.kernel, model.anchors, x.middleRows(first, size));
    const Vec top = v.colwise().maxCoeff();
    v = (v.rowwise() - top.transpose()).array().exp();
    const Vec scaled = from_sections(model, v).cwiseMax(0);
    out.segment(first, size) = scaled.array().log() + (model.psd ? 2 : 1) * top.array();
  });
  return out;
}

Mat gradient(const Model& model, const ConstMat& x) {
  const Index d = x.cols();
  Mat out(x.rows(), d);
  by_chunk(x.rows(), [&](Index first, Index size) {
    const auto points = x.middleRows(first, size);
    const Mat v = sections(model.kernel, model.anchors, points);
    const Mat inner = model.coefficients.transpose() * v;
    for (Index c = 0; c < d; ++c) {
      Mat slope(v.rows(), size);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < v.rows(); ++j) {
          const double width = model.anchors.width(j, c);
          const double t = (points(i, c) - model.anchors.at(j, c)) / width;
          slope(j, i) = v(j, i) * model.kernel.log_slope(t) / width;
        }
      }
      const Mat moved = model.coefficients.transpose() * slope;
      out.col(c).segment(first, size) =
          model.psd ? Vec(2 * (inner.array() * moved.array()).colwise().sum().transpose())
                    : Vec(moved.row(0));
    }
  });
  return out;
}

Vec box_integrals(const Model& model, const Measure& measure, const ConstMat& lower,
                  const ConstMat& upper) {
  const Mat& r = model.coefficients;
  const std::vector<int> power(measure.size(), 0);
  Vec out(lower.rows());
  for (Index i = 0; i < lower.rows(); ++i) {
    Measure box = measure;
    for (size_t c = 0; c < box.size(); ++c) {
      box[c].lower = lower(i, static_cast<Index>(c));
      box[c].upper = upper(i, static_cast<Index>(c));
    }
    const ScaledMat m = model.psd ? gram(model.kernel, model.anchors, box, power)
                                  : mean_section(model.kernel, model.anchors, box, power);
    const double sum = model.psd ? (r.array() * (m.value * r).array()).sum()
                                 : m.value.col(0).dot(r.col(0));
    out[i] = sum * std::exp(m.log_scale);
  }
  return out;
}

}  // namespace psd
