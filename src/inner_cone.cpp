#include "inner_cone.h"

#include <algorithm>
#include <cmath>

#include "decompositions.h"
#include "products.h"
#include "work.h"

namespace psd {
namespace {

constexpr int kMost = 200;          // Newton steps
constexpr double kClose = 1e-9;     // squared decrement, in units of m, before the last step
constexpr double kFraction = 0.95;  // of the way to the boundary, at most
constexpr double kLogarithm = 30;   // multiplications

}  // namespace

InnerProjection::InnerProjection(std::shared_ptr<const Mat> generators)
    : generators_(std::move(generators)), c_(generators_->colwise().normalized().rowwise().sum()) {
  heights_ = generators_->transpose() * c_;
}

void InnerProjection::move_to(const Vec& t, double m) {
  t_ = t;
  m_ = m;
  double here = value(c_, heights_);
  for (int k = 0; k < kMost; ++k) {
    add_work(4, generators_->size());
    const Vec gradient = c_ - t - m * (*generators_ * heights_.cwiseInverse());
    const Vec step = -Cholesky(stiffness()).solve(gradient);
    const double decrement = -gradient.dot(step);
    const Vec change = generators_->transpose() * step;
    double length = 1;
    for (Index j = 0; j < change.size(); ++j) {
      if (change[j] < 0) length = std::min(length, -kFraction * heights_[j] / change[j]);
    }
    double there = kInf;
    for (int halving = 0; halving < 40; ++halving, length /= 2) {
      there = value(c_ + length * step, heights_ + length * change);
      if (there <= here - 1e-4 * length * decrement + 1e-15 * std::abs(here)) break;
    }
    if (!(there <= here + 1e-15 * std::abs(here))) return;  // rounding errors are all that is left
    c_ += length * step;
    heights_ = generators_->transpose() * c_;
    here = there;
    if (decrement <= kClose * m) return;
  }
}

Mat InnerProjection::stiffness() const {
  Mat out = lower_square(*generators_, m_ * heights_.cwiseAbs2().cwiseInverse());
  out.diagonal().array() += 1;
  return out.selfadjointView<Eigen::Lower>();
}

double InnerProjection::value(const Vec& c, const Vec& heights) const {
  add_work(kLogarithm, heights.size());
  if (!(heights.minCoeff() > 0)) return kInf;
  return (c - t_).squaredNorm() / 2 - m_ * heights.array().log().sum();
}

}  // namespace psd
