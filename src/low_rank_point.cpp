#include "low_rank_point.h"

#include <algorithm>
#include <cmath>

#include "spectral.h"

namespace psd {
namespace {

constexpr int kCgMost = 100;
constexpr double kCgShare = 0.25;         // of the squared length of the gradient
constexpr double kLeastCurvature = 0.02;  // of the preconditioner, relative to the penalty's
constexpr int kHalvings = 30;
constexpr double kArmijo = 1e-4;
constexpr double kZero = 1e-12, kSmall = 1e-2;  // shares of a column: nothing, and worth a trial

double dot(const Mat& a, const Mat& b) { return (a.array() * b.array()).sum(); }

}  // namespace

LowRankPoint::LowRankPoint(const PsdParts& parts, const Vec& weights, Vec bound)
    : parts_(parts), phi_(parts.map.features()), weights_(weights), bound_(std::move(bound)) {}

double LowRankPoint::to_the_constraint(const Mat& root) const {
  return tied() ? bound_[0] / dot(root, parts_.map.forms()[0] * root) : 1;
}

double LowRankPoint::value_of(const Mat& root, const Vec& f) const {
  const double offset = parts_.offset.size() > 0 ? dot(root, parts_.offset * root) : 0;
  return -weights_.dot(f.array().log().matrix()) + parts_.l1 * root.squaredNorm() + offset +
         parts_.l2 / 2 * (root.transpose() * root).squaredNorm();
}

double LowRankPoint::penalty_slope(const Mat& root) const {
  const double offset = parts_.offset.size() > 0 ? dot(root, parts_.offset * root) : 0;
  return parts_.l1 * root.squaredNorm() + offset +
         parts_.l2 * (root.transpose() * root).squaredNorm();
}

void LowRankPoint::go_to(Mat root) {
  root_ = std::sqrt(to_the_constraint(root)) * root;
  u_.noalias() = root_.transpose() * phi_;
  f_ = u_.colwise().squaredNorm().transpose();
  share_ = weights_.cwiseQuotient(f_);
  value_ = value_of(root_, f_);
  if (!tied()) return;
  normal_.noalias() = parts_.map.forms()[0] * root_;
  nu_ = (weights_.sum() - penalty_slope(root_)) / bound_[0];
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
  const Eigen::LLT<Mat> factor(base());
  const Mat scaled = factor.matrixL().solve(phi_ * share_.cwiseSqrt().asDiagonal());
  Mat seen = Mat::Zero(root_.rows(), root_.rows());
  seen.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  const Spectrum spectrum = eigen_all(seen);
  seen_ = spectrum.values;
  basis_ = factor.matrixU().solve(spectrum.vectors);
}

Mat LowRankPoint::directions(double least) const {
  return basis_.rightCols((seen_.array() >= least).count());
}

// Half the Hessian, along d.
Mat LowRankPoint::curve(const Mat& d) const {
  const Mat du = d.transpose() * phi_;
  const Vec along = 2 * u_.cwiseProduct(du).colwise().sum().transpose().cwiseProduct(share_);
  Mat inner = u_ * along.cwiseQuotient(f_).asDiagonal();
  inner -= du * share_.asDiagonal();
  const Mat cross = root_.transpose() * d;
  Mat out = parts_.l1 * d;
  out += parts_.l2 * (d * (root_.transpose() * root_) + root_ * (cross + cross.transpose()));
  if (tied()) out.noalias() += nu_ * (parts_.map.forms()[0] * d);
  if (parts_.offset.size() > 0) out.noalias() += parts_.offset * d;
  out.noalias() += phi_ * inner.transpose();
  return out;
}

// A column that is all of f has the curvature base + Phi diag(w / f) Phi', one that is nothing
// base - Phi diag(w / f) Phi', the others between.
Mat LowRankPoint::preconditioned(const Mat& r) const {
  Mat out = basis_.transpose() * r;
  for (Index j = 0; j < out.cols(); ++j) {
    out.col(j).array() /= (1 + (2 * columns_[j] - 1) * seen_.array()).max(kLeastCurvature);
  }
  return basis_ * out;
}

// Conjugate gradients, along the constraint.
Mat LowRankPoint::direction(const Mat& gradient) const {
  Mat across;
  if (tied()) across = preconditioned(normal_);
  auto along = [&](const Mat& r) -> Mat {
    Mat out = preconditioned(r);
    if (tied()) out -= dot(normal_, out) / dot(normal_, across) * across;
    return out;
  };
  Mat x = Mat::Zero(gradient.rows(), gradient.cols()), r = -gradient, s = along(r), p = s;
  double rs = dot(r, s);
  const double goal = rs * std::min(kCgShare, rs);
  for (int k = 0; k < kCgMost && rs > goal; ++k) {
    const Mat hp = curve(p);
    const double curvature = dot(p, hp);
    if (!(curvature > 0)) return k == 0 ? p : x;
    x += rs / curvature * p;
    r -= rs / curvature * hp;
    s = along(r);
    const double next = dot(r, s);
    p = s + next / rs * p;
    rs = next;
  }
  return x;
}

double LowRankPoint::step() {
  Mat gradient = parts_.l1 * root_ + parts_.l2 * root_ * (root_.transpose() * root_);  // half of it
  if (tied()) gradient += nu_ * normal_;
  if (parts_.offset.size() > 0) gradient += parts_.offset * root_;
  gradient.noalias() -= phi_ * (u_ * share_.asDiagonal()).transpose();
  const Mat d = direction(gradient), from = root_;
  const double gain = -dot(gradient, d), before = value_;
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
  const Vec more = (columns.transpose() * phi_).colwise().squaredNorm().transpose();
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
