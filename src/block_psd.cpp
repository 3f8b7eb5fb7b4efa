// block_psd.cpp: g = phi' A phi, A >= 0. With S = l1 I + Q + V diag(b) V' + sum_m nu_m W_m = U e
// U', Q the offset, the conjugate is |[S]_-|^2 / (2 l2), and A = [S]_- / l2.
//
// Second derivatives. With P the negative eigenvalues and G = U' V, a step dS moves [S]_- by the
// matrix with entries -h_kl (U' dS U)_kl, h = 1 for k, l in P, e_k / (e_k - e_l) for k in P and l
// not, 0 otherwise.
//
// Smoothed: with -m log det A in the penalty, A has the eigenvalues a > 0 of l2 a - m / a = -e, all
// of them, and h_kl = a_k a_l / (a_k a_l + m / l2). An interior point that shrinks m along with
// its other barriers is spared the kinks of [S]_-, steep when l2 is small.
#include <algorithm>
#include <cmath>

#include "block.h"
#include "nodes.h"
#include "pairs.h"
#include "spectral.h"

namespace psd {
namespace {

constexpr Index kDenseLimit = 4000;  // observations above which no n x n matrix is formed

class PsdBlock : public Block {
 public:
  PsdBlock(Mat v, double l1, double l2, std::vector<Mat> w, std::shared_ptr<const Nodes> nodes,
           Mat offset)
      : v_(std::move(v)),
        l1_(l1),
        l2_(l2),
        offset_(std::move(offset)),
        w_(std::move(w)),
        nodes_(std::move(nodes)) {}

  Index space() const override { return v_.rows(); }

  double spread() const override {
    const double trace = v_.squaredNorm();
    return trace * trace / Mat(v_ * v_.transpose()).squaredNorm();
  }

  double move_to(const Vec& b, const Vec& nu, Ask ask) override {
    const bool known = complete_ && b == b_ && nu == nu_;  // the same point, smoothed otherwise
    if (!known) {
      const Mat s = slack(b, nu);
      complete_ = ask.curved || ask.barrier > 0;
      spectrum_ = complete_ ? eigen_all(s) : eigen_lowest(s, std::min(ask.lowest, s.rows()));
      b_ = b;
      nu_ = nu;
      if (complete_) g_.noalias() = spectrum_.vectors.transpose() * v_;
    }
    smoothing_ = ask.barrier / static_cast<double>(v_.rows());
    amounts_ = amounts_of(spectrum_.values, smoothing_);
    rank_ = amounts_.size();
    root_ = spectrum_.vectors.leftCols(rank_) * amounts_.cwiseSqrt().asDiagonal();
    values_ = values_of(root_);
    integrals_ = integrals_of(root_);
    if (ask.curved) curve_setup();
    return conjugate_of(amounts_, smoothing_);
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                      const Vec& dnu, double barrier) const override {
    const Mat from = slack(b, nu), step = change(db, dnu);
    const double smoothing = barrier / static_cast<double>(v_.rows());
    return [from, step, smoothing, this](double t) {
      return conjugate_of(amounts_of(eigen_values(from + t * step), smoothing), smoothing);
    };
  }

  // S is positive definite exactly when it has a Cholesky factor.
  bool vanishes(const Vec& b, const Vec& nu) const override {
    return Eigen::LLT<Mat>(slack(b, nu)).info() == Eigen::Success;
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    const auto negative = g_.topRows(rank_);
    Mat step = (negative * db.asDiagonal()) * g_.transpose();  // rows P of U' dS U
    for (size_t m = 0; m < w_.size(); ++m) {
      if (w_[m].size() > 0) step += dnu[static_cast<Index>(m)] * rotated_[m];
    }
    step.array() *= pairs_.array() / l2_;
    out_b = (negative.array() * (step * g_).array()).colwise().sum().transpose();
    out_nu.setZero(static_cast<Index>(w_.size()));
    for (size_t m = 0; m < w_.size(); ++m) {
      if (w_[m].size() > 0) {
        out_nu[static_cast<Index>(m)] = (step.array() * rotated_[m].array()).sum();
      }
    }
  }

  Curvature curvature() const override {
    if (!nodes_) nodes_ = std::make_shared<Nodes>(make_nodes(v_));
    if (nodes_->few()) {
      const std::shared_ptr<const Mat> basis(nodes_, &nodes_->basis);
      return {Curvature::Kind::low_rank, nodes_->root(hessian_at(nodes_->select(g_))), basis};
    }
    if (v_.cols() <= kDenseLimit) return {Curvature::Kind::dense, hessian_at(g_), nullptr};
    const Mat squares = g_.cwiseAbs2();
    const Vec diagonal =
        (squares.topRows(rank_).array() * (pairs_ * squares).array()).colwise().sum();
    return {Curvature::Kind::diagonal, diagonal / l2_, nullptr};
  }

  // Smoothed, without the eigenvalues that go to zero fastest: those of a clearly positive e, far
  // below sqrt(m / l2), which is a at e = 0.
  Mat coefficients() const override {
    return root_.leftCols((amounts_.array() > 1e-3 * std::sqrt(smoothing_ / l2_)).count());
  }

  Vec values_of(const Mat& root) const override {
    return (root.transpose() * v_).colwise().squaredNorm().transpose();
  }

  Vec integrals_of(const Mat& root) const override {
    Vec out = Vec::Zero(static_cast<Index>(w_.size()));
    for (size_t m = 0; m < w_.size(); ++m) {
      if (w_[m].size() > 0) {
        out[static_cast<Index>(m)] = (root.array() * (w_[m] * root).array()).sum();
      }
    }
    return out;
  }

  double penalty_of(const Mat& root) const override {
    const double offset =
        offset_.size() > 0 ? (root.array() * (offset_ * root).array()).sum() : 0;
    return l1_ * root.squaredNorm() + offset +
           l2_ / 2 * (root.transpose() * root).squaredNorm();
  }

  Index rank_of(const Mat& root) const override { return root.cols(); }

  void scale(Mat& root, double factor) const override { root *= std::sqrt(factor); }

  std::unique_ptr<Block> restricted(const Mat& basis) const override {
    const auto within = [&](const Mat& whole) {
      return whole.size() > 0 ? Mat(basis.transpose() * whole * basis) : Mat();
    };
    std::vector<Mat> w;
    for (const Mat& whole : w_) w.push_back(within(whole));
    return std::make_unique<PsdBlock>(basis.transpose() * v_, l1_, l2_, std::move(w), nullptr,
                                      within(offset_));
  }

  Mat working_basis(const Mat& root, Index lowest) const override {
    lowest = std::min(lowest, spectrum_.vectors.cols());
    Mat span(v_.rows(), root.cols() + lowest);
    span << root.colwise().normalized(), spectrum_.vectors.leftCols(lowest);
    const Eigen::ColPivHouseholderQR<Mat> qr(span);
    return qr.householderQ() * Mat::Identity(span.rows(), std::min(qr.rank(), span.rows()));
  }

  // A moves to R (I + sum_m t_m R' W_m R) R', which stays positive for small t.
  Mat repair_gram(const Mat& root, const std::vector<Index>& which) const override {
    const Index count = static_cast<Index>(which.size());
    const std::vector<Mat> inner = inner_of(root, which);
    Mat out(count, count);
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < count; ++j) out(i, j) = (inner[i].array() * inner[j].array()).sum();
    }
    return out;
  }

  bool repair(Mat& root, const std::vector<Index>& which, const Vec& amount) const override {
    if (root.cols() == 0) return false;
    const std::vector<Mat> inner = inner_of(root, which);
    Mat middle = Mat::Identity(root.cols(), root.cols());
    for (size_t k = 0; k < which.size(); ++k) middle += amount[static_cast<Index>(k)] * inner[k];
    const Spectrum spectrum = eigen_all(middle);
    if (spectrum.negative_count() > 0) return false;
    root = root * spectrum.vectors * spectrum.values.cwiseSqrt().asDiagonal();
    return true;
  }

 private:
  // The eigenvalues of A that belong to eigenvalues e of S, ascending: the positive ones.
  Vec amounts_of(const Vec& e, double smoothing) const {
    if (smoothing == 0) return -e.head((e.array() < 0).count()) / l2_;
    return e.unaryExpr([&](double x) {
      const double root = std::hypot(x, 2 * std::sqrt(l2_ * smoothing));
      return x < 0 ? (root - x) / (2 * l2_) : 2 * smoothing / (root + x);
    });
  }

  // -<A, S> - (l2 / 2) |A|^2 + m log det A at the maximising A, where S = m A^{-1} - l2 A.
  double conjugate_of(const Vec& amounts, double smoothing) const {
    const double square = l2_ / 2 * amounts.squaredNorm();
    if (smoothing == 0) return square;
    return square + smoothing * (amounts.array().log() - 1).sum();
  }

  // S; only its lower triangle is meant to be read.
  Mat slack(const Vec& b, const Vec& nu) const {
    Mat s = change(b, nu);
    s.diagonal().array() += l1_;
    if (offset_.size() > 0) s += offset_;
    return s;
  }

  // The part of S that is linear in (b, nu).
  Mat change(const Vec& b, const Vec& nu) const {
    Mat s = Mat::Zero(v_.rows(), v_.rows());
    s.triangularView<Eigen::Lower>() = v_ * b.asDiagonal() * v_.transpose();
    for (size_t m = 0; m < w_.size(); ++m) {
      if (w_[m].size() > 0) s += nu[static_cast<Index>(m)] * w_[m];
    }
    return s;
  }

  std::vector<Mat> inner_of(const Mat& root, const std::vector<Index>& which) const {
    std::vector<Mat> out;
    for (const Index m : which) {
      const Mat& w = w_[static_cast<size_t>(m)];
      out.push_back(w.size() > 0 ? Mat(root.transpose() * w * root)
                                 : Mat::Zero(root.cols(), root.cols()));
    }
    return out;
  }

  // The rotated constraints, and the factors 1 and 2 e_k / (e_k - e_l): pairs (k, l) with l
  // outside P stand for (l, k) as well.
  void curve_setup() {
    const Index r = v_.rows();
    rotated_.assign(w_.size(), Mat());
    for (size_t m = 0; m < w_.size(); ++m) {
      if (w_[m].size() == 0) continue;
      rotated_[m].noalias() =
          (spectrum_.vectors.leftCols(rank_).transpose() * w_[m]) * spectrum_.vectors;
    }
    if (smoothing_ > 0) {
      pairs_ = amounts_ * amounts_.transpose();
      pairs_.array() /= pairs_.array() + smoothing_ / l2_;
      return;
    }
    pairs_.setOnes(rank_, r);
    for (Index l = rank_; l < r; ++l) pairs_.col(l) = pair_factors(spectrum_.values[l]);
  }

  Vec pair_factors(double positive) const {
    const auto negative = spectrum_.values.head(rank_).array();
    return 2 * negative / (negative - positive);
  }

  Mat hessian_at(const Mat& g) const {
    return (smoothing_ > 0 ? all_pairs(pairs_, g) : upper_pairs(pairs_, g)) / l2_;
  }

  Mat v_;
  double l1_, l2_;
  Mat offset_;  // Q, of size zero if there is none
  std::vector<Mat> w_;

  Vec b_, nu_;             // where the block stands
  bool complete_ = false;  // whether the whole spectrum is known there
  double smoothing_ = 0;
  Spectrum spectrum_;
  Index rank_ = 0;
  Vec amounts_;  // the eigenvalues of A, and
  Mat root_;     //   A = R R'
  Vec values_, integrals_;

  Mat g_, pairs_;
  std::vector<Mat> rotated_;
  mutable std::shared_ptr<const Nodes> nodes_;  // found when first asked for, if not given
};

}  // namespace

std::unique_ptr<Block> make_psd_block(Mat v, double l1, double l2, std::vector<Mat> w,
                                      std::shared_ptr<const Nodes> nodes, Mat offset) {
  return std::make_unique<PsdBlock>(std::move(v), l1, l2, std::move(w), std::move(nodes),
                                    std::move(offset));
}

}  // namespace psd
