// block_conic.cpp: g = w' phi with w in a cone: that of the columns of G, w = G x with x >= 0; or
// its dual, G' w >= 0. With s = V b + sum_m nu_m q_m and P the projection on the cone the conjugate
// is |P(-s)|^2 / (2 l), and w = P(-s) / l.
//
// P is linear on each face: its derivative there is the projection on the span of the face. The
// projections on the cone C and its dual D know each other, as t = P_C(t) - P_D(-t).
//
// Smoothed: with -m sum_j log x_j, or -m sum_j log(g_j' w), in the penalty P_D becomes an
// InnerProjection, in both cases.
#include <cmath>

#include "block.h"
#include "block_linear_map.h"
#include "inner_cone.h"
#include "nnls.h"
#include "spectral.h"

namespace psd {
namespace {

constexpr double kOutside = 1e-10;  // how far below zero rounding may bring g

// t -> P(t), and its derivative where it stands.
class Projector {
 public:
  Projector(std::shared_ptr<const Mat> generators, bool dual)
      : dual_(dual), exact_(generators), inner_(generators) {}

  // |P(t)|^2 / 2, smoothed by `m` if that is not zero.
  double move_to(const Vec& t, double m) {
    m_ = m;
    if (m == 0) {
      exact_.move_to(dual_ ? Vec(-t) : t);
      point_ = dual_ ? Vec(t + exact_.point()) : exact_.point();
      return t.dot(point_) - point_.squaredNorm() / 2;
    }
    inner_.move_to(dual_ ? t : Vec(-t), m);
    point_ = dual_ ? inner_.point() : Vec(t + inner_.point());
    const double square = t.dot(point_) - point_.squaredNorm() / 2;
    return dual_ ? square - m * inner_.barrier() : point_.squaredNorm() / 2 + m * inner_.barrier();
  }

  const Vec& point() const { return point_; }

  // x with point = G x, for the cone of the generators.
  Vec shares() const {
    return m_ == 0 ? exact_.coefficients() : Vec(m_ * inner_.heights().cwiseInverse());
  }

  // X with X X' the derivative.
  Mat root() const {
    const Index r = point_.size();
    if (m_ == 0) {
      if (!dual_) return exact_.face();
      return Mat::Identity(r, r) - exact_.face() * exact_.face().transpose();
    }
    const Spectrum stiffness = eigen_all(inner_.stiffness());
    const auto flexible = stiffness.values.array().inverse();
    const Vec factor = dual_ ? Vec(flexible) : Vec((1 - flexible).max(0));
    return stiffness.vectors * factor.cwiseSqrt().asDiagonal();
  }

 private:
  bool dual_;
  double m_ = 0;
  ConeProjection exact_;
  InnerProjection inner_;
  Vec point_;
};

class ConicBlock : public Block {
 public:
  ConicBlock(LinearMap map, std::shared_ptr<const Mat> generators, bool dual, double l)
      : map_(std::move(map)),
        generators_(std::move(generators)),
        dual_(dual),
        l_(l),
        projector_(generators_, dual) {}

  double move_to(const Vec& b, const Vec& nu, Ask ask) override {
    const double square = projector_.move_to(-map_.back(b, nu), smoothing(ask.barrier));
    weights_ = projector_.point() / l_;
    values_ = map_.values(weights_);
    integrals_ = map_.integrals(weights_);
    if (ask.curved) root_ = projector_.root() / std::sqrt(l_);
    return square / l_;
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db, const Vec& dnu,
                                      double barrier) const override {
    const Vec from = -map_.back(b, nu), step = -map_.back(db, dnu);
    const auto projector = std::make_shared<Projector>(projector_);
    return [this, projector, from, step, barrier](double t) {
      return projector->move_to(from + t * step, smoothing(barrier)) / l_;
    };
  }

  bool vanishes(const Vec& b, const Vec& nu) const override {
    if (dual_) return false;
    const Vec s = map_.back(b, nu);  // no generator has an acute angle with -s
    return (generators_->transpose() * s).minCoeff() >= 0;
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const Vec inner = root_.transpose() * map_.back(db, dnu);
    const Vec change = root_ * inner;
    out_b = map_.values(change);
    out_nu = map_.integrals(change);
  }

  Curvature curvature(bool /*exact*/) const override {
    return {Curvature::Kind::low_rank, root_, map_.basis()};
  }

  bool kinked() const override { return true; }

  // x for the cone, w for its dual.
  Mat coefficients() const override {
    return dual_ ? inside(weights_) : Vec(projector_.shares() / l_);
  }
  Vec values_of(const Mat& x) const override { return map_.values(weights_of(x)); }
  Vec integrals_of(const Mat& x) const override { return map_.integrals(weights_of(x)); }
  double penalty_of(const Mat& x) const override { return l_ * weights_of(x).squaredNorm() / 2; }

  // x moves to x o (1 + sum_m t_m G' q_m), which stays positive for small t; w along the q_m.
  Mat repair_gram(const Mat& x, const std::vector<Index>& which) const override {
    const Mat q = map_.directions(which);
    if (dual_) return q.transpose() * q;
    const Mat growth = generators_->transpose() * q;
    return growth.transpose() * x.col(0).asDiagonal() * growth;
  }

  bool repair(Mat& x, const std::vector<Index>& which, const Vec& amount) const override {
    const Vec step = map_.directions(which) * amount;
    if (dual_) {
      x += step;
      return (generators_->transpose() * x).minCoeff() >= -kOutside;
    }
    const Vec growth = generators_->transpose() * step;
    x.array() *= 1 + growth.array();
    return x.minCoeff() >= 0;
  }

 private:
  // The block's share of a barrier, one a generator, in the units of P.
  double smoothing(double barrier) const {
    return l_ * barrier / static_cast<double>(generators_->cols());
  }

  // P is exact up to rounding of -s, which the division by a small l makes large beside w: there w
  // itself is projected.
  Vec inside(const Vec& w) const {
    if ((generators_->transpose() * w).minCoeff() >= -kOutside * w.norm()) return w;
    ConeProjection onto(generators_);
    onto.move_to(-w);
    return w + onto.point();
  }

  Vec weights_of(const Mat& x) const { return dual_ ? Vec(x.col(0)) : *generators_ * x.col(0); }

  LinearMap map_;
  std::shared_ptr<const Mat> generators_;
  bool dual_;
  double l_;
  Projector projector_;
  Vec weights_, values_, integrals_;
  Mat root_;  // root_ root_' is the derivative of w
};

}  // namespace

std::unique_ptr<Block> make_conic_block(Mat v, Mat generators, double l, Mat q) {
  return std::make_unique<ConicBlock>(LinearMap(std::move(v), std::move(q)),
                                      std::make_shared<Mat>(std::move(generators)), false, l);
}

std::unique_ptr<Block> make_partial_block(Mat v, double l, Mat q) {
  const auto generators = std::make_shared<Mat>(v);
  return std::make_unique<ConicBlock>(LinearMap(std::move(v), std::move(q)), generators, true, l);
}

}  // namespace psd
