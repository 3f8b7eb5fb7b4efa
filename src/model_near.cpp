#include "model_near.h"

#include <numeric>

namespace psd {
namespace {

// A term below exp(-100) of the largest changes no digit of a sum, nor one of those that are left
// where it cancels.
constexpr double kLost = 100;

std::vector<Index> all_of(Index count) {
  std::vector<Index> out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

Mat rows_of(const Mat& m, const std::vector<Index>& rows) {
  Mat out(static_cast<Index>(rows.size()), m.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = m.row(rows[static_cast<size_t>(i)]);
  return out;
}

}  // namespace

std::vector<Index> near_sections(const Model& model, const ConstMat& points) {
  const Index count = model.anchors.size();
  if (!points.allFinite()) return all_of(count);
  // The logs of the terms where they are largest and smallest in a box with all points.
  Array most = model.coefficients.rowwise().norm().array().log(), least = most;
  for (Index c = 0; c < points.cols(); ++c) {
    const double low = points.col(c).minCoeff(), high = points.col(c).maxCoeff();
    const Array at = model.anchors.at.col(c), width = model.anchors.width.col(c);
    most += model.kernel.log_values((low - at).max(at - high).max(0) / width);
    least += model.kernel.log_values((high - at).max(at - low) / width);
  }
  const double lost = least.maxCoeff() - kLost;
  std::vector<Index> out;
  for (Index j = 0; j < count; ++j) {
    if (!(most[j] < lost)) out.push_back(j);
  }
  return out;
}

Model only(const Model& model, const std::vector<Index>& sections) {
  const Anchors anchors{rows_of(model.anchors.at, sections),
                        rows_of(model.anchors.width, sections)};
  return {model.kernel, anchors, rows_of(model.coefficients, sections), model.shape, model.slopes};
}

}  // namespace psd
