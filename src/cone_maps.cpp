#include "cone_maps.h"

#include <algorithm>

#include "products.h"
#include "spectral.h"

namespace psd {
namespace {

// Of the repair beyond the violations found, relative to A, so that rounding does not undo it.
constexpr double kMargin = 1e-11;

Mat negative_part(const Mat& matrix) {
  const Spectrum spectrum = eigen_negative(matrix);
  const Index count = spectrum.negative_count();
  const auto vectors = spectrum.vectors.leftCols(count);
  return product(Mat(vectors * (-spectrum.values.head(count)).asDiagonal()), transposed(vectors));
}

}  // namespace

ConeMaps::ConeMaps(const Mat& v, double l1, double l2, Halfspaces cone)
    : v_(v), l1_(l1), l2_(l2), cone_(std::move(cone)) {
  if (cone_.interior.size() != cone_.normals.rows()) {
    throw std::invalid_argument("half-spaces must have one row an output");
  }
}

Eigen::Map<const Mat> ConeMaps::multiplier(const Vec& z, Index t) const {
  return {z.data() + dual_count() + t * features() * features(), features(), features()};
}

Eigen::Map<Mat> ConeMaps::multiplier(Vec& z, Index t) const {
  return {z.data() + dual_count() + t * features() * features(), features(), features()};
}

Mat ConeMaps::multipliers_of(const Vec& z, Index s) const {
  Mat sum = Mat::Zero(features(), features());
  for (Index t = 0; t < halfspaces(); ++t) {
    if (cone_.normals(s, t) != 0) sum += cone_.normals(s, t) * multiplier(z, t);
  }
  return sum;
}

Mat ConeMaps::matrix_at(const Vec& z, Index s) const {
  const Mat weighted = v_ * a(z).row(s).asDiagonal();
  return multipliers_of(z, s) - product(weighted, transposed(v_));
}

Mat ConeMaps::combined(const std::vector<Mat>& matrices, Index t) const {
  Mat sum = Mat::Zero(features(), features());
  for (Index s = 0; s < outputs(); ++s) {
    sum += cone_.normals(s, t) * matrices[static_cast<size_t>(s)];
  }
  return sum;
}

Vec ConeMaps::values_under(const Mat& matrix) const {
  const Mat moved = product(matrix, v_);
  return v_.cwiseProduct(moved).colwise().sum().transpose();
}

Mat ConeMaps::values_of(const std::vector<Mat>& matrices) const {
  Mat u(outputs(), observations());
  for (Index s = 0; s < outputs(); ++s) {
    u.row(s) = values_under(matrices[static_cast<size_t>(s)]).transpose();
  }
  return u;
}

Certificate ConeMaps::certificate(const Risk& risk, const std::vector<Mat>& matrices,
                                  double objective) const {
  Certificate out;
  out.dual = -objective;
  out.coefficients = matrices;
  double largest = 0;
  for (const Mat& matrix : matrices) largest = std::max(largest, matrix.cwiseAbs().maxCoeff());
  Mat repair = kMargin * largest * Mat::Identity(features(), features());
  for (Index t = 0; t < halfspaces(); ++t) repair += negative_part(combined(matrices, t));
  double penalty = 0;
  for (Index s = 0; s < outputs(); ++s) {
    Mat& matrix = out.coefficients[static_cast<size_t>(s)];
    matrix += cone_.interior[s] * repair;
    const Vec e = eigen_values(matrix);
    penalty += l1_ * e.lpNorm<1>() + l2_ / 2 * e.squaredNorm();
    out.rank += (e.array().abs() > 1e-9 * e.cwiseAbs().maxCoeff()).count();
  }
  out.primal = risk.value(values_of(out.coefficients)) + penalty;
  return out;
}

}  // namespace psd
