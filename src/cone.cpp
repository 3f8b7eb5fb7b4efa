#include "cone.h"

#include <algorithm>
#include <cmath>

#include "accelerated.h"
#include "spectral.h"

namespace psd {
namespace {

// Of the repair beyond the violations found, relative to A, so that rounding does not undo it.
constexpr double kMargin = 1e-11;

Mat from_spectrum(const Spectrum& spectrum, const Vec& values) {
  return spectrum.vectors * values.asDiagonal() * spectrum.vectors.transpose();
}

// z = (a, Lambda_1 / scale, Lambda_2 / scale, ...), with a scale that makes both parts
// equally curved.
class ConeDual : public Composite {
 public:
  ConeDual(const Risk& risk, const Mat& v, double l1, double l2, const Halfspaces& cone)
      : risk_(risk), v_(v), l1_(l1), l2_(l2), cone_(cone), a_(outputs()) {
    Vec along = Vec::Ones(v.cols());  // power iterations for the norm of a -> V diag(a) V'
    for (int k = 0; k < 20; ++k) along = squared_kernel(along.normalized());
    curvature_ = along.norm() / l2_;
    const double normals = (cone.normals.transpose() * cone.normals).norm();
    scale_ = std::sqrt(along.norm() / normals);
  }

  Index size() const { return dual_count() + halfspaces() * features() * features(); }
  double curvature() const { return curvature_; }

  Vec start() const {
    Vec z = Vec::Zero(size());
    a(z) = risk_.start();
    return z;
  }

  double simple(const Vec& z) const override { return risk_.conjugate(a(z)); }

  void prox(Vec& z, double step) const override {
    Mat dual = a(z);
    risk_.prox_conjugate(dual, step);
    a(z) = dual;
    for (Index t = 0; t < halfspaces(); ++t) {
      const Spectrum spectrum = eigen_all(multiplier(z, t));
      multiplier(z, t) = from_spectrum(spectrum, spectrum.values.cwiseMax(0));
    }
  }

  // The blocks' part at z, where the A_s stay.
  double move_to(const Vec& z) override {
    double sum = 0;
    for (Index s = 0; s < outputs(); ++s) {
      const Vec row = a(z).row(s);
      Mat x = -v_ * row.asDiagonal() * v_.transpose();
      for (Index t = 0; t < halfspaces(); ++t) {
        x += scale_ * cone_.normals(s, t) * multiplier(z, t);
      }
      const Spectrum spectrum = eigen_all(x);
      const Vec soft =
          (spectrum.values.array() - l1_).max(0) + (spectrum.values.array() + l1_).min(0);
      a_[static_cast<size_t>(s)] = from_spectrum(spectrum, soft / l2_);
      sum += soft.squaredNorm() / (2 * l2_);
    }
    return sum;
  }

  Vec gradient() const override {
    Vec out(size());
    a(out) = -values_of(a_);
    for (Index t = 0; t < halfspaces(); ++t) multiplier(out, t) = scale_ * combined(a_, t);
    return out;
  }

  Certificate certificate(double objective) const override {
    Certificate out;
    out.dual = -objective;
    out.coefficients = a_;
    double largest = 0;
    for (const Mat& matrix : a_) largest = std::max(largest, matrix.cwiseAbs().maxCoeff());
    Mat repair = kMargin * largest * Mat::Identity(features(), features());
    for (Index t = 0; t < halfspaces(); ++t) {
      const Spectrum spectrum = eigen_all(combined(a_, t));
      repair += from_spectrum(spectrum, -spectrum.values.cwiseMin(0));
    }
    double penalty = 0;
    for (Index s = 0; s < outputs(); ++s) {
      Mat& matrix = out.coefficients[static_cast<size_t>(s)];
      matrix += cone_.interior[s] * repair;
      const Vec e = eigen_all(matrix).values;
      penalty += l1_ * e.lpNorm<1>() + l2_ / 2 * e.squaredNorm();
      out.rank += (e.array().abs() > 1e-9 * e.cwiseAbs().maxCoeff()).count();
    }
    out.primal = risk_.value(values_of(out.coefficients)) + penalty;
    return out;
  }

 private:
  Index outputs() const { return risk_.outputs(); }
  Index halfspaces() const { return cone_.normals.cols(); }
  Index features() const { return v_.rows(); }
  Index dual_count() const { return outputs() * v_.cols(); }

  Eigen::Map<const Mat> a(const Vec& z) const { return {z.data(), outputs(), v_.cols()}; }
  Eigen::Map<Mat> a(Vec& z) const { return {z.data(), outputs(), v_.cols()}; }
  Eigen::Map<const Mat> multiplier(const Vec& z, Index t) const {
    return {z.data() + dual_count() + t * features() * features(), features(), features()};
  }
  Eigen::Map<Mat> multiplier(Vec& z, Index t) const {
    return {z.data() + dual_count() + t * features() * features(), features(), features()};
  }

  // (K o K) a for K = V' V.
  Vec squared_kernel(const Vec& along) const {
    return values_under(v_ * along.asDiagonal() * v_.transpose());
  }

  Vec values_under(const Mat& matrix) const {
    return (v_.array() * (matrix * v_).array()).colwise().sum().transpose();
  }

  Mat values_of(const std::vector<Mat>& matrices) const {
    Mat u(outputs(), v_.cols());
    for (Index s = 0; s < outputs(); ++s) {
      u.row(s) = values_under(matrices[static_cast<size_t>(s)]).transpose();
    }
    return u;
  }

  // sum_s c_st A_s.
  Mat combined(const std::vector<Mat>& matrices, Index t) const {
    Mat sum = Mat::Zero(features(), features());
    for (Index s = 0; s < outputs(); ++s) {
      sum += cone_.normals(s, t) * matrices[static_cast<size_t>(s)];
    }
    return sum;
  }

  const Risk& risk_;
  const Mat& v_;
  double l1_, l2_;
  const Halfspaces& cone_;
  double curvature_ = 1, scale_ = 1;
  std::vector<Mat> a_;  // the A_s
};

}  // namespace

Solution solve_in_halfspaces(const Risk& risk, const Mat& v, double l1, double l2,
                             const Halfspaces& cone, const Settings& settings, Vec start,
                             const Monitor& monitor) {
  if (cone.normals.rows() != risk.outputs() || cone.interior.size() != risk.outputs()) {
    throw std::invalid_argument("half-spaces must have one row an output");
  }
  ConeDual dual(risk, v, l1, l2, cone);
  Vec z = start.size() > 0 ? std::move(start) : dual.start();
  if (z.size() != dual.size()) throw std::invalid_argument("`start` has the wrong length");
  return accelerated(dual, settings, std::move(z), dual.curvature() / 10, monitor);
}

}  // namespace psd
