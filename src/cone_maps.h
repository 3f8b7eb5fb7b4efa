// cone_maps.h: the linear maps of a problem in half-spaces (cone.h), and what a primal point is
// worth.
#pragma once
#include <vector>

#include "cone_integrals.h"

namespace psd {

struct Halfspaces {
  Mat normals;   // C: one column a half-space
  Vec interior;  // a point with C' y >= 1
};

class ConeMaps {
 public:
  // `v`: phi in columns.
  ConeMaps(const Mat& v, double l1, double l2, Halfspaces cone, ConeIntegrals integrals);

  Index outputs() const { return cone_.normals.rows(); }
  Index halfspaces() const { return cone_.normals.cols(); }
  Index features() const { return v_.rows(); }
  Index observations() const { return v_.cols(); }
  double l1() const { return l1_; }
  double l2() const { return l2_; }
  const Mat& v() const { return v_; }
  const Mat& normals() const { return cone_.normals; }
  const ConeIntegrals& integrals() const { return integrals_; }

  // Whether a point inside the cone with such integrals is known; without, there is no certificate.
  bool feasible() const { return integrals_.count() == 0 || !inside_.empty(); }

  // The parts of z.
  Index dual_size() const {
    return dual_count() + halfspaces() * features() * features() + integrals_.count();
  }
  Index dual_count() const { return outputs() * observations(); }
  Eigen::Map<const Mat> a(const Vec& z) const { return {z.data(), outputs(), observations()}; }
  Eigen::Map<Mat> a(Vec& z) const { return {z.data(), outputs(), observations()}; }
  Eigen::Map<const Mat> multiplier(const Vec& z, Index t) const;
  Eigen::Map<Mat> multiplier(Vec& z, Index t) const;
  auto mu(const Vec& z) const { return z.tail(integrals_.count()); }
  auto mu(Vec& z) const { return z.tail(integrals_.count()); }

  Mat multipliers_of(const Vec& z, Index s) const;  // sum_t c_st Lambda_t - sum_k mu_k W_ks
  Mat matrix_at(const Vec& z, Index s) const;       // X_s

  Mat combined(const std::vector<Mat>& matrices, Index t) const;  // sum_s c_st A_s
  Mat values_of(const std::vector<Mat>& matrices) const;          // J x n

  // phi' M phi at the observations.
  Vec values_under(const Mat& matrix) const;

  // The A_s moved into the cone, and to the integrals they must have, and what they are worth;
  // `objective` is that of the dual.
  Certificate certificate(const Risk& risk, const std::vector<Mat>& matrices,
                          double objective) const;

 private:
  void find_inside();
  double margin_of(const std::vector<Mat>& matrices) const;  // lowest eigenvalue of combined()
  bool with_integrals(std::vector<Mat>& matrices) const;

  const Mat& v_;
  double l1_, l2_;
  Halfspaces cone_;
  ConeIntegrals integrals_;
  std::vector<Mat> inside_;  // A_s with the integrals asked for and this margin in the cone
  double margin_ = 0;
};

}  // namespace psd
