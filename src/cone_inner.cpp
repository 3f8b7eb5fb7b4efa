#include "cone_inner.h"

#include <algorithm>
#include <cmath>

#include "gradients.h"
#include "products.h"

namespace psd {
namespace {

constexpr double kFlat = 1e-4;  // of the largest curvature: added where there is none
constexpr int kCgMost = 200;
constexpr Index kDenseMost = 600;  // observations: beyond, a diagonal preconditions
constexpr Index kGroups = 4;       // of eigenvectors that share quotients in the preconditioner

double squared_distance(const std::vector<Mat>& one, const std::vector<Mat>& other) {
  double sum = 0;
  for (size_t k = 0; k < one.size(); ++k) sum += (one[k] - other[k]).squaredNorm();
  return sum;
}

}  // namespace

ConeInner::ConeInner(const SmoothRisk& risk, const ConeMaps& maps)
    : risk_(risk),
      maps_(maps),
      weights_(Vec::Ones(maps.outputs()) * risk.weights().transpose()),
      soft_(static_cast<size_t>(maps.outputs()), Shrinkage(-maps.l1(), maps.l1())),
      cone_(static_cast<size_t>(maps.halfspaces()), Shrinkage(-kInf, 0)) {
  point_.a.resize(soft_.size());
  point_.b.resize(cone_.size());
}

void ConeInner::set_center(ConePoint center, double tau, double theta) {
  center_ = std::move(center);
  tau_ = tau;
  theta_ = theta;
}

double ConeInner::move_to(const Vec& z) {
  const auto a = maps_.a(z);
  point_.u = center_.u + theta_ * a.cwiseQuotient(weights_);
  risk_.prox(point_.u, theta_, slope_);
  double value = a.cwiseProduct(point_.u).sum() - risk_.value(point_.u) -
                 weights_.cwiseProduct((point_.u - center_.u).cwiseAbs2()).sum() / (2 * theta_);
  const double l2 = maps_.l2() + 1 / tau_;
  for (size_t s = 0; s < soft_.size(); ++s) {
    soft_[s].move_to(maps_.matrix_at(z, static_cast<Index>(s)) + center_.a[s] / tau_);
    point_.a[s] = soft_[s].value() / l2;
    value += soft_[s].squared_norm() / (2 * l2);
  }
  gradient_.resize(z.size());
  maps_.a(gradient_) = point_.u - maps_.values_of(point_.a);
  for (size_t k = 0; k < cone_.size(); ++k) {
    const Index t = static_cast<Index>(k);
    cone_[k].move_to(center_.b[k] - tau_ * maps_.multiplier(z, t));
    point_.b[k] = cone_[k].value();
    value += cone_[k].squared_norm() / (2 * tau_);
    maps_.multiplier(gradient_, t) = maps_.combined(point_.a, t) - point_.b[k];
  }
  const Constraints& limits = maps_.integrals().limits();
  point_.h = limits.bound;
  for (Index k = 0; k < point_.h.size(); ++k) {
    const double mu = maps_.mu(z)[k], free = center_.h[k] + tau_ * mu;
    if (!limits.equality[static_cast<size_t>(k)]) point_.h[k] = std::min(point_.h[k], free);
    value += mu * point_.h[k] - std::pow(point_.h[k] - center_.h[k], 2) / (2 * tau_);
  }
  maps_.mu(gradient_) = point_.h - maps_.integrals().of(point_.a);
  return value;
}

Vec ConeInner::feasible(const Vec& z) const {
  Vec out(z.size());
  maps_.a(out) = maps_.a(z) - weights_.cwiseProduct(point_.u - center_.u) / theta_;
  for (size_t k = 0; k < cone_.size(); ++k) {
    maps_.multiplier(out, static_cast<Index>(k)) = cone_[k].rest() / tau_;
  }
  maps_.mu(out) = maps_.mu(z) - (point_.h - center_.h) / tau_;
  for (Index k = 0; k < point_.h.size(); ++k) {  // zero below a bound, up to rounding
    if (point_.h[k] < maps_.integrals().limits().bound[k]) maps_.mu(out)[k] = 0;
  }
  return out;
}

double ConeInner::change() const {
  const double all = squared_distance(point_.a, center_.a) + squared_distance(point_.b, center_.b) +
                     (point_.h - center_.h).squaredNorm();
  return std::sqrt(all + weights_.cwiseProduct((point_.u - center_.u).cwiseAbs2()).sum());
}

double ConeInner::residual() const {
  const auto a = maps_.a(gradient_);
  const double rest = gradient_.tail(gradient_.size() - a.size()).squaredNorm();
  return std::sqrt(rest + weights_.cwiseProduct(a.cwiseAbs2()).sum());
}

// sum_k (g_k g_k') o (G' diag(quotients_k) G) over the vectors of P, neighbours sharing quotients.
Mat ConeInner::pairs(const Shrinkage& soft) const {
  const Mat g = product(transposed(soft.all_vectors()), maps_.v());
  const Mat own = product(transposed(soft.vectors()), maps_.v());
  const Index rank = soft.rank(), groups = std::min(rank, kGroups);
  const Mat rows = g.transpose();
  Mat out = Mat::Zero(g.cols(), g.cols());
  for (Index k = 0; k < groups; ++k) {
    const Index from = k * rank / groups, count = (k + 1) * rank / groups - from;
    const Vec shared = 2 * soft.quotients().middleCols(from, count).rowwise().mean();
    const Mat other = own.middleRows(from, count).transpose();
    out += lower_square(rows, shared).cwiseProduct(lower_square(other, Vec::Ones(count)));
  }
  return out;  // the lower triangle
}

void ConeInner::prepare() {
  const double l2 = maps_.l2() + 1 / tau_;
  for (Shrinkage& one : soft_) one.prepare();
  for (Shrinkage& one : cone_) one.prepare();
  diagonal_ = theta_ * slope_.cwiseMax(kFlat).cwiseQuotient(weights_);
  seen_.clear();
  factors_.clear();
  for (size_t s = 0; s < soft_.size(); ++s) {
    seen_.push_back(product(transposed(soft_[s].vectors()), maps_.v()));
    if (maps_.observations() > kDenseMost) continue;
    Mat inner = pairs(soft_[s]) / l2;
    inner.diagonal() += diagonal_.row(static_cast<Index>(s)).transpose();
    factors_.emplace_back(inner);
  }
}

Vec ConeInner::curve(const Vec& dz) const {
  const double l2 = maps_.l2() + 1 / tau_;
  Vec out = kFlat * tau_ * dz;
  maps_.a(out) = diagonal_.cwiseProduct(maps_.a(dz));
  for (size_t k = 0; k < soft_.size(); ++k) {
    const Index s = static_cast<Index>(k);
    const Mat& p = soft_[k].vectors();
    const Mat weighted = seen_[k] * maps_.a(dz).row(s).asDiagonal();
    const Mat change =
        product(maps_.multipliers_of(dz, s), p) - product(maps_.v(), transposed(weighted));
    const Mat half = soft_[k].half(change) / l2;
    const Mat there = product(transposed(half), maps_.v());
    maps_.a(out).row(s) -= 2 * there.cwiseProduct(seen_[k]).colwise().sum();
    const Mat one_side = product(half, transposed(p));
    const Mat moved = one_side + one_side.transpose();
    for (Index t = 0; t < maps_.halfspaces(); ++t) {
      if (maps_.normals()(s, t) != 0) maps_.multiplier(out, t) += maps_.normals()(s, t) * moved;
    }
    for (Index i = 0; i < maps_.integrals().count(); ++i) {
      maps_.mu(out)[i] -= maps_.integrals().matrix(i, s).cwiseProduct(moved).sum();
    }
  }
  for (Index i = 0; i < point_.h.size(); ++i) {
    if (point_.h[i] < maps_.integrals().limits().bound[i])
      maps_.mu(out)[i] += tau_ * maps_.mu(dz)[i];
  }
  for (size_t k = 0; k < cone_.size(); ++k) {
    const Index t = static_cast<Index>(k);
    const Mat& p = cone_[k].vectors();
    const Mat half = tau_ * cone_[k].half(product(maps_.multiplier(dz, t), p));
    const Mat one_side = product(half, transposed(p));
    maps_.multiplier(out, t) += one_side + one_side.transpose();
  }
  return out;
}

Vec ConeInner::precondition(const Vec& r) const {
  Vec out = r / (tau_ + 1 / (maps_.l2() + 1 / tau_));
  if (factors_.empty()) {
    maps_.a(out) = maps_.a(r).cwiseQuotient(diagonal_);
    return out;
  }
  for (size_t s = 0; s < factors_.size(); ++s) {
    const Index row = static_cast<Index>(s);
    const Vec part = maps_.a(r).row(row).transpose();
    maps_.a(out).row(row) = factors_[s].solve(part).transpose();
  }
  return out;
}

Vec ConeInner::direction(double share) {
  prepare();
  return -conjugate_gradients(
      gradient_, [&](const Vec& p) { return curve(p); },
      [&](const Vec& r) { return precondition(r); },
      [&](double length) { return share * share * length; }, kCgMost);
}

}  // namespace psd
