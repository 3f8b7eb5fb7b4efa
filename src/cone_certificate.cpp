// cone_certificate.cpp: primal points that are in the cone and have their integrals exactly.
#include <algorithm>

#include "cone_maps.h"
#include "products.h"
#include "spectral.h"

namespace psd {
namespace {

// Of the repair beyond the violations found, relative to A, so that rounding does not undo it.
constexpr double kMargin = 1e-11;
constexpr int kCycles = 30;            // of projections
constexpr double kThinner = 1.0 / 30;  // the margin to try next
constexpr int kMargins = 3;

Mat negative_part(const Mat& matrix) {
  const Spectrum spectrum = eigen_negative(matrix);
  const Index count = spectrum.negative_count();
  const auto vectors = spectrum.vectors.leftCols(count);
  return product(Mat(vectors * (-spectrum.values.head(count)).asDiagonal()), transposed(vectors));
}

double largest(const std::vector<Mat>& matrices) {
  double out = 0;
  for (const Mat& matrix : matrices) out = std::max(out, matrix.cwiseAbs().maxCoeff());
  return out;
}

}  // namespace

double ConeMaps::margin_of(const std::vector<Mat>& matrices) const {
  double out = kInf;
  for (Index t = 0; t < halfspaces(); ++t) {
    out = std::min(out, eigen_values(combined(matrices, t)).minCoeff());
  }
  return out;
}

// Projections in turn onto the points with these integrals and onto each half-space with a margin,
// until half of it is left.
void ConeMaps::find_inside() {
  const Mat identity = Mat::Identity(features(), features());
  double size = integrals_.limits().bound.cwiseAbs().maxCoeff();
  if (!(size > 0)) size = 1;
  std::vector<Mat> a;
  for (Index s = 0; s < outputs(); ++s) a.push_back(size * cone_.interior[s] * identity);
  integrals_.rescale(a);
  double margin = margin_of(a);
  for (int thinner = 0; thinner < kMargins; ++thinner, margin *= kThinner) {
    for (int cycle = 0; cycle < kCycles; ++cycle) {
      if (!integrals_.meet(a)) return;
      const double reached = margin_of(a);
      if (reached >= margin / 2) {
        inside_ = std::move(a);
        margin_ = reached;
        return;
      }
      for (Index t = 0; t < halfspaces(); ++t) {
        const Mat lack = negative_part(combined(a, t) - margin * identity);
        const auto normal = cone_.normals.col(t);
        for (Index s = 0; s < outputs(); ++s) {
          a[static_cast<size_t>(s)] += normal[s] / normal.squaredNorm() * lack;
        }
      }
    }
  }
}

// One factor keeps points in the cone, and may do. Other moves leave it a little: as much of the
// point inside brings them back.
bool ConeMaps::with_integrals(std::vector<Mat>& matrices) const {
  if (!feasible()) return false;
  integrals_.rescale(matrices);
  if (integrals_.hold(matrices)) return true;
  if (!integrals_.meet(matrices)) return false;
  const double lack = kMargin * largest(matrices) - margin_of(matrices);
  if (lack <= 0) return true;
  const double share = lack / (lack + margin_);
  for (size_t s = 0; s < matrices.size(); ++s) {
    matrices[s] = (1 - share) * matrices[s] + share * inside_[s];
  }
  return true;
}

Certificate ConeMaps::certificate(const Risk& risk, const std::vector<Mat>& matrices,
                                  double objective) const {
  Certificate out;
  out.dual = -objective;
  out.coefficients = matrices;
  Mat repair = kMargin * largest(matrices) * Mat::Identity(features(), features());
  for (Index t = 0; t < halfspaces(); ++t) repair += negative_part(combined(matrices, t));
  for (Index s = 0; s < outputs(); ++s) {
    out.coefficients[static_cast<size_t>(s)] += cone_.interior[s] * repair;
  }
  if (integrals_.count() > 0 && !with_integrals(out.coefficients)) return out;
  double penalty = 0;
  for (const Mat& matrix : out.coefficients) {
    const Vec e = eigen_values(matrix);
    penalty += l1_ * e.lpNorm<1>() + l2_ / 2 * e.squaredNorm();
    out.rank += (e.array().abs() > 1e-9 * e.cwiseAbs().maxCoeff()).count();
  }
  out.primal = risk.value(values_of(out.coefficients)) + penalty;
  return out;
}

}  // namespace psd
