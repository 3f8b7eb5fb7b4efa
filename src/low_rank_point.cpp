#include "low_rank_point.h"

#include <algorithm>
#include <cmath>

#include "decompositions.h"
#include "gradients.h"
#include "products.h"
#include "spectral.h"

namespace psd {
namespace {

constexpr int kCgMost = 100;
// Of the squared length of the gradient, less as that gets small: what is left of it. The last
// steps are the dual's.
constexpr double kCgMostLeft = 0.25, kCgLeastLeft = 0.1;
constexpr double kLeastCurvature = 0.02;  // of the preconditioner, relative to the penalty's
constexpr int kHalvings = 30;
constexpr double kArmijo = 1e-4;
constexpr double kZero = 1e-12, kSmall = 1e-2;  // shares of a column: nothing, and worth a trial

}  // namespace

LowRankPoint::LowRankPoint(const PsdParts& parts, const Vec& weights, Vec bound)
    : parts_(parts), phi_(parts.map.features()), weights_(weights), bound_(std::move(bound)) {}

double LowRankPoint::to_the_constraint(const Mat& root) const {
  return tied() ? bound_[0] / inner_product(root, parts_.map.forms()[0] * root) : 1;
}

// l1 tr A + <A, Q>.
double LowRankPoint::linear_penalty(const Mat& root) const {
  const double offset = parts_.offset.size() > 0 ? inner_product(root, parts_.offset * root) : 0;
  return parts_.l1 * root.squaredNorm() + offset;
}

double LowRankPoint::value_of(const Mat& root, const Vec& f) const {
  return -weights_.dot(f.array().log().matrix()) + linear_penalty(root) +
         parts_.l2 / 2 * (root.transpose() * root).squaredNorm();
}

void LowRankPoint::go_to(Mat root) {
  root_ = std::sqrt(to_the_constraint(root)) * root;
  u_ = product(transposed(root_), phi_);
  f_ = u_.colwise().squaredNorm().transpose();
  share_ = weights_.cwiseQuotient(f_);
  value_ = value_of(root_, f_);
  if (!tied()) return;
  normal_ = product(parts_.map.forms()[0], root_);
  // Along A itself the slope is zero.
  const double square = (root_.transpose() * root_).squaredNorm();
  nu_ = (weights_.sum() - linear_penalty(root_) - parts_.l2 * square) / bound_[0];
}

// Columns that do not overlap, on average; the smallest first.
void LowRankPoint::rotate() {
  const Spectrum spectrum = eigen_all(u_ * share_.asDiagonal() * u_.transpose());
  const Index zero = (spectrum.values.array() <= kZero).count();
  columns_ = spectrum.values.tail(spectrum.values.size() - zero);
  go_to(root_ * spectrum.vectors.rightCols(columns_.size()));
}

void LowRankPoint::simplify(double slack) {
  rotate();
  const double before = value_;
  while (columns_.size() > 1 && columns_[0] < kSmall) {
    const Mat kept = root_;
    go_to(kept.rightCols(kept.cols() - 1));
    if (!(value_ - before <= slack)) return go_to(kept);
    columns_ = columns_.tail(columns_.size() - 1).eval();
  }
}

Mat LowRankPoint::base() const {
  Mat out = parts_.l1 * Mat::Identity(root_.rows(), root_.rows());
  if (tied()) out += std::max(nu_, 0.0) * parts_.map.forms()[0];
  if (parts_.offset.size() > 0) out += parts_.offset;
  return out;
}

void LowRankPoint::prepare() {
  rotate();
  const Cholesky factor(base());
  const Mat half = factor.solve_lower(lower_square(phi_, share_).selfadjointView<Eigen::Lower>());
  const Spectrum spectrum = eigen_all(factor.solve_lower(half.transpose()));
  seen_ = spectrum.values;
  basis_ = factor.solve_upper(spectrum.vectors);
}

Mat LowRankPoint::directions(double least) const {
  return basis_.rightCols((seen_.array() >= least).count());
}

// Half the Hessian, along d.
Mat LowRankPoint::curve(const Mat& d) const {
  const Mat du = product(transposed(d), phi_);
  const Vec along = 2 * u_.cwiseProduct(du).colwise().sum().transpose().cwiseProduct(share_);
  Mat inner = u_ * along.cwiseQuotient(f_).asDiagonal();
  inner -= du * share_.asDiagonal();
  const Mat cross = root_.transpose() * d;
  Mat out = parts_.l1 * d;
  out += parts_.l2 * (d * (root_.transpose() * root_) + root_ * (cross + cross.transpose()));
  if (tied()) out += nu_ * product(parts_.map.forms()[0], d);
  if (parts_.offset.size() > 0) out += product(parts_.offset, d);
  out += product(phi_, transposed(inner));
  return out;
}

// A column that is all of f has the curvature base + Phi diag(w / f) Phi', one that is nothing
// base - Phi diag(w / f) Phi', the others between.
Mat LowRankPoint::preconditioned(const Mat& r) const {
  Mat out = product(transposed(basis_), r);
  for (Index j = 0; j < out.cols(); ++j) {
    out.col(j).array() /= (1 + (2 * columns_[j] - 1) * seen_.array()).max(kLeastCurvature);
  }
  return product(basis_, out);
}

// Conjugate gradients, along the constraint.
Mat LowRankPoint::direction(const Mat& gradient) const {
  Mat across;
  if (tied()) across = preconditioned(normal_);
  auto along = [&](const Mat& r) -> Mat {
    Mat out = preconditioned(r);
    if (tied()) out -= inner_product(normal_, out) / inner_product(normal_, across) * across;
    return out;
  };
  const Mat x = conjugate_gradients(
      -gradient, [&](const Mat& p) { return curve(p); }, along,
      [](double length) { return length * std::clamp(length, kCgLeastLeft, kCgMostLeft); },
      kCgMost);
  return x.isZero(0) ? along(-gradient) : x;  // the curvature is not positive there
}

double LowRankPoint::step() {
  Mat gradient = parts_.l1 * root_ + parts_.l2 * root_ * (root_.transpose() * root_);  // half of it
  if (tied()) gradient += nu_ * normal_;
  if (parts_.offset.size() > 0) gradient += parts_.offset * root_;
  gradient -= product(phi_, transposed(Mat(u_ * share_.asDiagonal())));
  const Mat d = direction(gradient), from = root_;
  const double gain = -inner_product(gradient, d), before = value_;
  double t = 1;
  for (int k = 0; k < kHalvings; ++k, t /= 2) {
    go_to(from + t * d);
    if (value_ <= before - 2 * kArmijo * t * gain) return gain;
  }
  go_to(from);
  return 0;
}

bool LowRankPoint::grow(const Mat& columns) {
  if (columns.cols() == 0) return false;
  const Vec more = product(transposed(columns), phi_).colwise().squaredNorm().transpose();
  Mat wider(root_.rows(), root_.cols() + columns.cols());
  double lowest = value_, best = 0, t = 1;
  for (int k = 0; k < kHalvings; ++k, t /= 2) {
    wider << root_, t * columns;
    const double scale = to_the_constraint(wider);
    const double here = value_of(std::sqrt(scale) * wider, scale * (f_ + t * t * more));
    if (here >= lowest && best > 0) break;
    if (here < lowest) lowest = here, best = t;
  }
  if (best == 0) return false;
  wider << root_, best * columns;
  go_to(wider);
  return true;
}

}  // namespace psd
