#include "cone_maps.h"

#include "products.h"

namespace psd {

ConeMaps::ConeMaps(const Mat& v, double l1, double l2, Halfspaces cone, ConeIntegrals integrals)
    : v_(v), l1_(l1), l2_(l2), cone_(std::move(cone)), integrals_(std::move(integrals)) {
  if (cone_.interior.size() != cone_.normals.rows()) {
    throw std::invalid_argument("half-spaces must have one row an output");
  }
  if (integrals_.count() > 0) find_inside();
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
  for (Index k = 0; k < integrals_.count(); ++k) sum -= mu(z)[k] * integrals_.matrix(k, s);
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

}  // namespace psd
