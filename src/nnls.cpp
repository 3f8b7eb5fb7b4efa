#include "nnls.h"

#include <algorithm>

#include "work.h"

namespace psd {
namespace {

constexpr double kOptimal = 1e-13;    // cosine between the residual and a generator
constexpr double kDependent = 1e-10;  // sine between a generator and the span of those in use

}  // namespace

ConeProjection::ConeProjection(std::shared_ptr<const Mat> generators)
    : generators_(std::move(generators)),
      norms_(generators_->colwise().norm()),
      x_(Vec::Zero(generators_->cols())),
      point_(Vec::Zero(generators_->rows())) {
  const Index most = std::min(generators_->rows(), generators_->cols());
  q_.resize(generators_->rows(), most);
  r_.setZero(most, most);
}

void ConeProjection::move_to(const Vec& t) {
  const double least = kOptimal * t.norm();
  settle(t);
  std::vector<bool> closed(x_.size(), false);  // rounding errors only make them seem useful
  for (const Index j : used_) closed[j] = true;
  for (Index round = 0; round < 3 * x_.size(); ++round) {
    add_work(2, generators_->size());
    const Vec slope = generators_->transpose() * (t - point_);
    Index best = -1;
    double steepest = least;
    for (Index j = 0; j < slope.size(); ++j) {
      if (closed[j] || !(slope[j] > steepest * norms_[j])) continue;
      steepest = slope[j] / norms_[j];
      best = j;
    }
    if (best < 0) return;
    closed[best] = true;
    if (!append(best)) continue;
    const std::vector<Index> before = used_;
    settle(t);
    for (const Index j : before) closed[j] = j == best || x_[j] > 0;
  }
}

// The least squares solution over the generators in use; those it makes negative are dropped on the
// way to it.
void ConeProjection::settle(const Vec& t) {
  while (count() > 0) {
    const Index p = count();
    add_work(2, q_.rows(), p);
    const Vec goal =
        r_.topLeftCorner(p, p).triangularView<Eigen::Upper>().solve(Vec(face().transpose() * t));
    double step = 1;
    Index first = -1;
    for (Index k = 0; k < p; ++k) {
      const double x = x_[used_[k]];
      if (goal[k] > 0) continue;
      const double reach = x > 0 ? x / (x - goal[k]) : 0;
      if (first < 0 || reach < step) step = reach, first = k;
    }
    for (Index k = 0; k < p; ++k) {
      double& x = x_[used_[k]];
      x = first < 0 ? goal[k] : std::max(0.0, x + step * (goal[k] - x));
    }
    if (first < 0) break;
    x_[used_[first]] = 0;
    for (Index k = p - 1; k >= 0; --k) {
      if (!(x_[used_[k]] > 0) && !(goal[k] > 0)) remove(k);
    }
  }
  point_.setZero();
  for (const Index j : used_) point_ += x_[j] * generators_->col(j);
}

// Gram and Schmidt, twice. False if the generator is in the span already.
bool ConeProjection::append(Index generator) {
  const Index p = count();
  if (p == q_.cols()) return false;
  Vec rest = generators_->col(generator), along = Vec::Zero(p);
  for (int pass = 0; pass < 2; ++pass) {
    const Vec part = face().transpose() * rest;
    rest -= face() * part;
    along += part;
  }
  const double size = rest.norm();
  if (size <= kDependent * norms_[generator]) return false;
  q_.col(p) = rest / size;
  r_.col(p).head(p) = along;
  r_(p, p) = size;
  used_.push_back(generator);
  return true;
}

// Rotations make R triangular again.
void ConeProjection::remove(Index position) {
  const Index p = count();
  for (Index k = position; k + 1 < p; ++k) r_.col(k).head(p) = r_.col(k + 1).head(p);
  r_.col(p - 1).setZero();
  for (Index k = position; k + 1 < p; ++k) {
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(r_(k, k), r_(k + 1, k));
    r_.middleCols(k, p - 1 - k).applyOnTheLeft(k, k + 1, rotation.adjoint());
    r_(k + 1, k) = 0;
    q_.applyOnTheRight(k, k + 1, rotation);
  }
  used_.erase(used_.begin() + position);
}

}  // namespace psd
