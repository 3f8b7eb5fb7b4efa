// block_linear.cpp: g = w' phi. With s = V b + sum_m nu_m q_m the conjugate is |s|^2 / (2 l), and
// w = -s / l.
#include <cmath>

#include "block.h"

namespace psd {
namespace {

class LinearBlock : public Block {
 public:
  LinearBlock(Mat v, double l, Mat q) : v_(std::move(v)), l_(l), q_(std::move(q)) {}

  Index space() const override { return 0; }

  double move_to(const Vec& b, const Vec& nu, Ask) override {
    w_ = -(v_ * b + q_ * nu) / l_;
    values_ = v_.transpose() * w_;
    integrals_ = q_.transpose() * w_;
    return l_ * w_.squaredNorm() / 2;
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                      const Vec& dnu, double) const override {
    const Vec from = v_ * b + q_ * nu, step = v_ * db + q_ * dnu;
    return [=](double t) { return (from + t * step).squaredNorm() / (2 * l_); };
  }

  bool vanishes(const Vec&, const Vec&) const override { return false; }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const Vec dw = (v_ * db + q_ * dnu) / l_;
    out_b.noalias() = v_.transpose() * dw;
    out_nu.noalias() = q_.transpose() * dw;
  }

  Curvature curvature() const override {
    if (!basis_) basis_ = std::make_shared<Mat>(v_.transpose());
    return {Curvature::Kind::low_rank, Mat::Identity(v_.rows(), v_.rows()) / std::sqrt(l_), basis_};
  }

  Mat coefficients() const override { return w_; }
  Vec values_of(const Mat& w) const override { return v_.transpose() * w; }
  Vec integrals_of(const Mat& w) const override { return q_.transpose() * w; }
  double penalty_of(const Mat& w) const override { return l_ * w.squaredNorm() / 2; }
  Index rank_of(const Mat&) const override { return 0; }
  void scale(Mat& w, double factor) const override { w *= factor; }

  std::unique_ptr<Block> restricted(const Mat&) const override {
    return std::make_unique<LinearBlock>(v_, l_, q_);
  }
  Mat working_basis(const Mat&, Index) const override { return Mat(); }

  Mat repair_gram(const Mat&, const std::vector<Index>& which) const override {
    const Mat directions = chosen(which);
    return directions.transpose() * directions;
  }

  bool repair(Mat& w, const std::vector<Index>& which, const Vec& amount) const override {
    w += chosen(which) * amount;
    return true;
  }

 private:
  Mat chosen(const std::vector<Index>& which) const {
    Mat out(q_.rows(), static_cast<Index>(which.size()));
    for (size_t k = 0; k < which.size(); ++k) out.col(static_cast<Index>(k)) = q_.col(which[k]);
    return out;
  }

  Mat v_;
  double l_;
  Mat q_;
  Vec w_, values_, integrals_;
  mutable std::shared_ptr<const Mat> basis_;  // V', when first asked for
};

}  // namespace

std::unique_ptr<Block> make_linear_block(Mat v, double l, Mat q) {
  return std::make_unique<LinearBlock>(std::move(v), l, std::move(q));
}

}  // namespace psd
