// block_conic.cpp: g = w' phi with w = G x, x >= 0, in the cone of the columns of G. With
// s = V b + sum_m nu_m q_m and P the projection on the cone the conjugate is |P(-s)|^2 / (2 l), and
// w = P(-s) / l.
//
// P is linear on each face of the cone: its derivative there is the projection on the span of the
// face.
#include <cmath>

#include "block.h"
#include "nnls.h"

namespace psd {
namespace {

class ConicBlock : public Block {
 public:
  ConicBlock(Mat v, std::shared_ptr<const Mat> generators, double l, Mat q)
      : v_(std::move(v)),
        generators_(std::move(generators)),
        l_(l),
        q_(std::move(q)),
        projection_(generators_) {}

  Index space() const override { return 0; }

  double move_to(const Vec& b, const Vec& nu, Ask) override {
    const Vec t = -(v_ * b + q_ * nu);
    projection_.move_to(t);
    w_ = projection_.point() / l_;
    values_ = v_.transpose() * w_;
    integrals_ = q_.transpose() * w_;
    return conjugate(projection_, t);
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                      const Vec& dnu, double) const override {
    const Vec from = -(v_ * b + q_ * nu), step = -(v_ * db + q_ * dnu);
    const auto projection = std::make_shared<ConeProjection>(projection_);
    return [=](double at) {
      const Vec t = from + at * step;
      projection->move_to(t);
      return conjugate(*projection, t);
    };
  }

  // No generator has an acute angle with -s.
  bool vanishes(const Vec& b, const Vec& nu) const override {
    const Vec s = v_ * b + q_ * nu;
    return (generators_->transpose() * s).minCoeff() >= 0;
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const Vec inner = projection_.face().transpose() * (v_ * db + q_ * dnu);
    const Vec dw = projection_.face() * inner / l_;
    out_b.noalias() = v_.transpose() * dw;
    out_nu.noalias() = q_.transpose() * dw;
  }

  Curvature curvature() const override {
    if (!basis_) basis_ = std::make_shared<Mat>(v_.transpose());
    return {Curvature::Kind::low_rank, projection_.face() / std::sqrt(l_), basis_};
  }

  Mat coefficients() const override { return projection_.coefficients() / l_; }
  Vec values_of(const Mat& x) const override { return v_.transpose() * weight(x); }
  Vec integrals_of(const Mat& x) const override { return q_.transpose() * weight(x); }
  double penalty_of(const Mat& x) const override { return l_ * weight(x).squaredNorm() / 2; }
  Index rank_of(const Mat&) const override { return 0; }
  void scale(Mat& x, double factor) const override { x *= factor; }

  std::unique_ptr<Block> restricted(const Mat&) const override {
    return std::make_unique<ConicBlock>(v_, generators_, l_, q_);
  }
  Mat working_basis(const Mat&, Index) const override { return Mat(); }

  // x moves to x o (1 + sum_m t_m G' q_m), which stays positive for small t.
  Mat repair_gram(const Mat& x, const std::vector<Index>& which) const override {
    const Mat growth = growth_of(which);
    return growth.transpose() * x.col(0).asDiagonal() * growth;
  }

  bool repair(Mat& x, const std::vector<Index>& which, const Vec& amount) const override {
    const Vec factor = 1 + (growth_of(which) * amount).array();
    if (factor.minCoeff() < 0) return false;
    x.array() *= factor.array();
    return true;
  }

 private:
  double conjugate(const ConeProjection& projection, const Vec& t) const {
    const Vec& point = projection.point();
    return (t.dot(point) - point.squaredNorm() / 2) / l_;
  }

  Vec weight(const Mat& x) const { return *generators_ * x.col(0); }

  // The integrals of the generators, for the constraints in `which`.
  Mat growth_of(const std::vector<Index>& which) const {
    Mat out(generators_->cols(), static_cast<Index>(which.size()));
    for (size_t k = 0; k < which.size(); ++k) {
      out.col(static_cast<Index>(k)) = generators_->transpose() * q_.col(which[k]);
    }
    return out;
  }

  Mat v_;
  std::shared_ptr<const Mat> generators_;
  double l_;
  Mat q_;
  ConeProjection projection_;
  Vec w_, values_, integrals_;
  mutable std::shared_ptr<const Mat> basis_;  // V', when first asked for
};

}  // namespace

std::unique_ptr<Block> make_conic_block(Mat v, Mat generators, double l, Mat q) {
  return std::make_unique<ConicBlock>(std::move(v), std::make_shared<Mat>(std::move(generators)), l,
                                      std::move(q));
}

}  // namespace psd
