// block_linear.cpp: g = w' phi. With s = V b + sum_m nu_m q_m the conjugate is |s|^2 / (2 l), and
// w = -s / l.
#include <cmath>

#include "block.h"
#include "block_linear_map.h"

namespace psd {
namespace {

class LinearBlock : public Block {
 public:
  LinearBlock(LinearMap map, double l) : map_(std::move(map)), l_(l) {}

  double move_to(const Vec& b, const Vec& nu, Ask) override {
    weights_ = -map_.back(b, nu) / l_;
    values_ = map_.values(weights_);
    integrals_ = map_.integrals(weights_);
    return penalty_of(weights_);
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db, const Vec& dnu,
                                      double) const override {
    const Vec from = map_.back(b, nu), step = map_.back(db, dnu);
    return [this, from, step](double t) { return (from + t * step).squaredNorm() / (2 * l_); };
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const Vec change = map_.back(db, dnu) / l_;
    out_b = map_.values(change);
    out_nu = map_.integrals(change);
  }

  bool quadratic() const override { return true; }

  Curvature curvature(bool /*exact*/) const override {
    const Index size = map_.size();
    return {Curvature::Kind::low_rank, Mat::Identity(size, size) / std::sqrt(l_), map_.basis()};
  }

  Mat coefficients() const override { return weights_; }
  Vec values_of(const Mat& w) const override { return map_.values(w.col(0)); }
  Vec integrals_of(const Mat& w) const override { return map_.integrals(w.col(0)); }
  double penalty_of(const Mat& w) const override { return l_ * w.squaredNorm() / 2; }

  Mat repair_gram(const Mat&, const std::vector<Index>& which) const override {
    const Mat directions = map_.directions(which);
    return directions.transpose() * directions;
  }

  bool repair(Mat& w, const std::vector<Index>& which, const Vec& amount) const override {
    w += map_.directions(which) * amount;
    return true;
  }

 private:
  LinearMap map_;
  double l_;
  Vec weights_, values_, integrals_;
};

}  // namespace

std::unique_ptr<Block> make_linear_block(Mat v, double l, Mat q) {
  return std::make_unique<LinearBlock>(LinearMap(std::move(v), std::move(q)), l);
}

}  // namespace psd
