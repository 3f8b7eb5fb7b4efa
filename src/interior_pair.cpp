#include "interior_pair.h"

#include <algorithm>

#include "decompositions.h"
#include "products.h"

namespace psd {
namespace {

Mat symmetric(const Mat& m) { return (m + m.transpose()) / 2; }

double inner(const Mat& one, const Mat& other) { return one.cwiseProduct(other).sum(); }

Mat around(const Mat& u, const Mat& m) { return product(product(u, m), transposed(u)); }

Vec values_at(const Mat& m, const Mat& g) {
  return (g.array() * product(m, g).array()).colwise().sum().transpose();
}

}  // namespace

Pair::Pair(const PsdParts& parts, double a, double z) : parts_(&parts) {
  const Index size = parts.map.size();
  a_ = a * Mat::Identity(size, size);
  z_ = z * Mat::Identity(size, size);
  values_ = values_at(a_, parts.map.features());
}

double Pair::complementarity() const { return inner(a_, z_); }

double Pair::complementarity_after(double t) const { return inner(a_ + t * da_, z_ + t * dz_); }

bool Pair::prepare(const Vec& b) {
  if (!scaling_.set(a_, z_)) return false;
  const Vec& theta = scaling_.spectrum().values;
  omega_ = theta * theta.transpose();
  omega_.array() /= 1 + parts_->l2 * omega_.array();
  g_ = product(transposed(scaling_.spectrum().vectors), parts_->map.features());
  curvature_.set(g_, omega_);
  const Mat s = parts_->matrix_at(b, Vec());
  infeasible_ = Mat(s.selfadjointView<Eigen::Lower>()) + parts_->l2 * a_ - z_;
  return true;
}

// W^{-1} dA W^{-1} + dZ = target, dZ = infeasible + l2 dA + V diag(db) V'.
Vec Pair::aim(double center, bool corrected) {
  const Mat& u = scaling_.spectrum().vectors;
  const Mat target = corrected ? scaling_.corrected(center, step_) : Mat(-z_);
  free_ = omega_.cwiseProduct(product(transposed(u), product(Mat(target - infeasible_), u)));
  return values_at(free_, g_);
}

void Pair::follow(const Vec& db) {
  const Mat& u = scaling_.spectrum().vectors;
  const Mat moved = lower_square(g_, db).selfadjointView<Eigen::Lower>();
  da_ = symmetric(around(u, free_ - omega_.cwiseProduct(moved)));
  dz_ = symmetric(infeasible_ + parts_->l2 * da_ + around(u, moved));
  step_ = scaling_.seen(da_, dz_);
}

void Pair::move(double length) {
  a_ += length * da_;
  z_ += length * dz_;
  values_ = values_at(a_, parts_->map.features());
}

Mat Pair::root() const { return Cholesky(a_).lower(); }

Spectrum Pair::spectrum() const { return eigen_all(a_); }

}  // namespace psd
