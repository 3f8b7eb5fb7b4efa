// cone_inner.h: the smooth dual of one proximal point in half-spaces (see cone_newton()).
#pragma once
#include <vector>

#include "cone_maps.h"
#include "cone_shrinkage.h"
#include "decompositions.h"

namespace psd {

// A primal point: A_s, B_t, outputs u and integrals h, all but the first equal to sum_s c_st A_s,
// phi' A_s phi and sum_s <W_ks, A_s> only where the dual is at its minimum.
struct ConePoint {
  std::vector<Mat> a, b;
  Mat u;
  Vec h;
};

// Over z = (a, Lambda, mu) minimise
//   sup_u {<a, u> - risk(u) - sum_i w_i |u_i - center|^2 / (2 theta)}
//   + sum_s |soft(X_s + center_s / tau)|^2 / (2 (l2 + 1 / tau))
//   + sum_t |[center_t - tau Lambda_t]_+|^2 / (2 tau)
//   + sum_k sup_h {mu_k h - (h - center_k)^2 / (2 tau)}, h the bound, or any number below it.
class ConeInner {
 public:
  ConeInner(const SmoothRisk& risk, const ConeMaps& maps);

  void set_center(ConePoint center, double tau, double theta);
  const ConePoint& center() const { return center_; }

  double move_to(const Vec& z);

  // Where it stands: the primal point and the gradient, which is what the point lacks.
  const ConePoint& point() const { return point_; }
  const Vec& gradient() const { return gradient_; }

  // A feasible dual point of the problem itself, the better the nearer the point is to the center.
  Vec feasible(const Vec& z) const;

  // In the size of A: how far point and center are apart, and how much the point lacks.
  double change() const;
  double residual() const;

  // -H^{-1} gradient by conjugate gradients, until the residual is `share` of what it was.
  Vec direction(double share);

 private:
  void prepare();
  Vec curve(const Vec& dz) const;
  Vec precondition(const Vec& r) const;
  Mat pairs(const Shrinkage& soft) const;

  const SmoothRisk& risk_;
  const ConeMaps& maps_;
  ConePoint center_, point_;
  double tau_ = 1, theta_ = 1;
  Mat weights_;                         // J x n
  std::vector<Shrinkage> soft_, cone_;  // of X_s, of B_t
  Mat slope_;                           // of u by a
  Vec gradient_;
  std::vector<Mat> seen_;  // P' V, one an output
  std::vector<Cholesky> factors_;
  Mat diagonal_;
};

}  // namespace psd
