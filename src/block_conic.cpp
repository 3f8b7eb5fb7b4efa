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
#include "inner_cone.h"
#include "nnls.h"
#include "spectral.h"

namespace psd {
namespace {

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
    return dual_ ? square - m * inner_.barrier()
                 : point_.squaredNorm() / 2 + m * inner_.barrier();
  }

  const Vec& point() const { return point_; }

  // x with point = G x, for the cone of the generators.
  Vec shares() const {
    return m_ == 0 ? exact_.coefficients() : Vec(m_ * inner_.slack().cwiseInverse());
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
  ConicBlock(Mat v, std::shared_ptr<const Mat> generators, bool dual, double l, Mat q)
      : v_(std::move(v)),
        generators_(std::move(generators)),
        dual_(dual),
        l_(l),
        q_(std::move(q)),
        projector_(generators_, dual) {}

  Index space() const override { return 0; }

  double move_to(const Vec& b, const Vec& nu, Ask ask) override {
    const double square = projector_.move_to(-(v_ * b + q_ * nu), smoothing(ask.barrier));
    w_ = projector_.point() / l_;
    values_ = v_.transpose() * w_;
    integrals_ = q_.transpose() * w_;
    if (ask.curved) root_ = projector_.root() / std::sqrt(l_);
    return square / l_;
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                      const Vec& dnu, double barrier) const override {
    const Vec from = -(v_ * b + q_ * nu), step = -(v_ * db + q_ * dnu);
    const auto projector = std::make_shared<Projector>(projector_);
    return [=](double t) { return projector->move_to(from + t * step, smoothing(barrier)) / l_; };
  }

  bool kinked() const override { return true; }

  bool vanishes(const Vec& b, const Vec& nu) const override {
    if (dual_) return false;
    const Vec s = v_ * b + q_ * nu;  // no generator has an acute angle with -s
    return (generators_->transpose() * s).minCoeff() >= 0;
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const Vec inner = root_.transpose() * (v_ * db + q_ * dnu);
    const Vec dw = root_ * inner;
    out_b.noalias() = v_.transpose() * dw;
    out_nu.noalias() = q_.transpose() * dw;
  }

  Curvature curvature() const override {
    if (!basis_) basis_ = std::make_shared<Mat>(v_.transpose());
    return {Curvature::Kind::low_rank, root_, basis_};
  }

  // x for the cone, w for its dual.
  Mat coefficients() const override { return dual_ ? w_ : Vec(projector_.shares() / l_); }
  Vec values_of(const Mat& x) const override { return v_.transpose() * weight(x); }
  Vec integrals_of(const Mat& x) const override { return q_.transpose() * weight(x); }
  double penalty_of(const Mat& x) const override { return l_ * weight(x).squaredNorm() / 2; }
  Index rank_of(const Mat&) const override { return 0; }
  void scale(Mat& x, double factor) const override { x *= factor; }

  std::unique_ptr<Block> restricted(const Mat&) const override {
    return std::make_unique<ConicBlock>(v_, generators_, dual_, l_, q_);
  }
  Mat working_basis(const Mat&, Index) const override { return Mat(); }

  // x moves to x o (1 + sum_m t_m G' q_m), which stays positive for small t; w along the q_m.
  Mat repair_gram(const Mat& x, const std::vector<Index>& which) const override {
    const Mat q = chosen(which);
    if (dual_) return q.transpose() * q;
    const Mat growth = generators_->transpose() * q;
    return growth.transpose() * x.col(0).asDiagonal() * growth;
  }

  bool repair(Mat& x, const std::vector<Index>& which, const Vec& amount) const override {
    const Vec step = chosen(which) * amount;
    const Vec growth = generators_->transpose() * step;
    if (dual_) {
      x += step;
      return (generators_->transpose() * x).minCoeff() >= -1e-10;
    }
    x.array() *= 1 + growth.array();
    return x.minCoeff() >= 0;
  }

 private:
  // The block's share of a barrier, one a generator, in the units of P.
  double smoothing(double barrier) const {
    return l_ * barrier / static_cast<double>(generators_->cols());
  }

  Vec weight(const Mat& x) const { return dual_ ? Vec(x.col(0)) : *generators_ * x.col(0); }

  Mat chosen(const std::vector<Index>& which) const {
    Mat out(q_.rows(), static_cast<Index>(which.size()));
    for (size_t k = 0; k < which.size(); ++k) out.col(static_cast<Index>(k)) = q_.col(which[k]);
    return out;
  }

  Mat v_;
  std::shared_ptr<const Mat> generators_;
  bool dual_;
  double l_;
  Mat q_;
  Projector projector_;
  Vec w_, values_, integrals_;
  Mat root_;  // root_ root_' is the derivative of w
  mutable std::shared_ptr<const Mat> basis_;  // V', when first asked for
};

}  // namespace

std::unique_ptr<Block> make_conic_block(Mat v, Mat generators, double l, Mat q) {
  return std::make_unique<ConicBlock>(std::move(v), std::make_shared<Mat>(std::move(generators)),
                                      false, l, std::move(q));
}

std::unique_ptr<Block> make_partial_block(Mat v, double l, Mat q) {
  auto generators = std::make_shared<Mat>(v);
  return std::make_unique<ConicBlock>(std::move(v), std::move(generators), true, l, std::move(q));
}

}  // namespace psd
