// block_psd.cpp: g = phi' A phi, A >= 0. With S = l1 I + Q + V diag(b) V' + sum_m nu_m W_m, Q the
// offset, the conjugate is |[S]_-|^2 / (2 l2), and A = [S]_- / l2.
//
// Smoothed: with -m log det A in the penalty, A has the eigenvalues a > 0 of l2 a - m / a = -e, e
// those of S, all of them. An interior point that shrinks m along with its other barriers is spared
// the kinks of [S]_-, steep when l2 is small.
#include <algorithm>
#include <cmath>

#include "block.h"
#include "block_psd_curvature.h"
#include "block_psd_map.h"
#include "block_psd_root.h"
#include "decompositions.h"
#include "products.h"

namespace psd {
namespace {

// Of the eigenvalues of a smoothed A, relative to sqrt(m / l2), which is a at e = 0: below, e is
// clearly positive and a on its way to zero.
constexpr double kVanishing = 1e-3;
// Of l1: what an eigenvalue of S beside those that make A is at least, if A is given.
constexpr double kLeastBeside = 1e-2;

class PsdBlock : public Block, private FeatureSpace, private Guided {
 public:
  explicit PsdBlock(PsdParts parts)
      : parts_(std::move(parts)), map_(parts_.map), l1_(parts_.l1), l2_(parts_.l2) {}

  // The members that refer to parts_ would go with it.
  PsdBlock(const PsdBlock&) = delete;
  PsdBlock& operator=(const PsdBlock&) = delete;

  double move_to(const Vec& b, const Vec& nu, Ask ask) override {
    const bool known = complete_ && b == b_ && nu == nu_;  // the same point, smoothed otherwise
    if (!known) {
      const Mat s = parts_.matrix_at(b, nu);
      complete_ = ask.curved || ask.barrier > 0;
      spectrum_ = complete_ ? eigen_all(s) : eigen_negative(s);
      b_ = b;
      nu_ = nu;
      if (complete_) curvature_.move_to(map_, spectrum_);
    }
    smoothing_ = smoothing_of(ask.barrier);
    amounts_ = amounts_of(spectrum_.values, smoothing_);
    root_ = spectrum_.vectors.leftCols(amounts_.size()) * amounts_.cwiseSqrt().asDiagonal();
    values_ = map_.values(root_);
    integrals_ = map_.integrals(root_);
    if (ask.curved) curvature_.set(map_, spectrum_, amounts_, l2_, smoothing_);
    return conjugate_of(amounts_, smoothing_);
  }

  std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db, const Vec& dnu,
                                      double barrier) const override {
    const Mat from = parts_.matrix_at(b, nu), step = map_.back(db, dnu);
    const double smoothing = smoothing_of(barrier);
    return [from, step, smoothing, this](double t) {
      return conjugate_of(amounts_of(eigen_values(from + t * step), smoothing), smoothing);
    };
  }

  // S is positive definite exactly when it has a Cholesky factor.
  bool vanishes(const Vec& b, const Vec& nu) const override {
    return Cholesky(parts_.matrix_at(b, nu)).sound();
  }

  const Vec& values() const override { return values_; }
  const Vec& integrals() const override { return integrals_; }

  void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const override {
    curvature_.times(db, dnu, out_b, out_nu);
  }

  Curvature curvature(bool exact) const override { return curvature_.matrix(parts_, exact); }

  // Smoothed, without the eigenvalues that go to zero fastest.
  Mat coefficients() const override {
    return root_.leftCols((amounts_.array() > kVanishing * std::sqrt(smoothing_ / l2_)).count());
  }

  Vec values_of(const Mat& root) const override { return map_.values(root); }
  Vec integrals_of(const Mat& root) const override { return map_.integrals(root); }

  double penalty_of(const Mat& root) const override {
    const double offset =
        parts_.offset.size() > 0 ? (root.array() * (parts_.offset * root).array()).sum() : 0;
    return l1_ * root.squaredNorm() + offset + l2_ / 2 * (root.transpose() * root).squaredNorm();
  }

  Index rank_of(const Mat& root) const override { return root.cols(); }
  void scale(Mat& root, double factor) const override { root *= std::sqrt(factor); }

  // A moves to R (I + sum_m t_m R' W_m R) R', which stays positive for small t.
  Mat repair_gram(const Mat& root, const std::vector<Index>& which) const override {
    const Index count = static_cast<Index>(which.size());
    const std::vector<Mat> inner = map_.within(root, which);
    Mat out(count, count);
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < count; ++j) out(i, j) = (inner[i].array() * inner[j].array()).sum();
    }
    return out;
  }

  bool repair(Mat& root, const std::vector<Index>& which, const Vec& amount) const override {
    if (root.cols() == 0) return false;
    const std::vector<Mat> inner = map_.within(root, which);
    Mat middle = Mat::Identity(root.cols(), root.cols());
    for (size_t k = 0; k < which.size(); ++k) middle += amount[static_cast<Index>(k)] * inner[k];
    const Spectrum spectrum = eigen_all(middle);
    if (spectrum.negative_count() > 0) return false;
    root = root * spectrum.vectors * spectrum.values.cwiseSqrt().asDiagonal();
    return true;
  }

  const FeatureSpace* feature_space() const override { return this; }
  Guided* guided() override { return this; }
  const PsdParts* psd_parts() const override { return &parts_; }

 private:
  Index size() const override { return map_.size(); }

  std::unique_ptr<Block> restricted(const Mat& basis) const override {
    const Mat offset =
        parts_.offset.size() > 0 ? Mat(basis.transpose() * parts_.offset * basis) : Mat();
    return std::make_unique<PsdBlock>(PsdParts{map_.restricted(basis), l1_, l2_, offset, nullptr});
  }

  void assume(const Mat& root, const Vec& b, const Vec& nu) override {
    complete_ = false;  // the spectrum is not that of S
    b_ = b;
    nu_ = nu;
    smoothing_ = 0;
    const Mat s = parts_.matrix_at(b, nu).selfadjointView<Eigen::Lower>();
    spectrum_ = spectrum_around(s, root, l2_, kLeastBeside * l1_);
    amounts_ = amounts_of(spectrum_.values, 0);
    root_ = root;
    curvature_.move_to(map_, spectrum_);
    curvature_.set(map_, spectrum_, amounts_, l2_, 0);
    const auto negative = spectrum_.vectors.leftCols(amounts_.size());
    Mat rows = product(product(transposed(negative), s), spectrum_.vectors);
    rows.leftCols(amounts_.size()).diagonal() += l2_ * amounts_;
    Vec move_b, move_nu;
    curvature_.times_rows(std::move(rows), move_b, move_nu);
    values_ = map_.values(root) - move_b;
    integrals_ = map_.integrals(root) - move_nu;
  }

  double smoothing_of(double barrier) const { return barrier / static_cast<double>(map_.size()); }

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

  PsdParts parts_;
  const PsdMap& map_;
  const double l1_, l2_;

  Vec b_, nu_;             // where the block stands
  bool complete_ = false;  // whether the whole spectrum is known there
  double smoothing_ = 0;
  Spectrum spectrum_;
  Vec amounts_;  // the eigenvalues of A, and
  Mat root_;     //   A = R R'
  Vec values_, integrals_;
  PsdCurvature curvature_;
};

}  // namespace

std::unique_ptr<Block> make_psd_block(Mat v, double l1, double l2, std::vector<Mat> forms,
                                      std::shared_ptr<const Nodes> nodes, Mat offset) {
  return std::make_unique<PsdBlock>(PsdParts{PsdMap(std::move(v), std::move(forms)), l1, l2,
                                             std::move(offset), std::move(nodes)});
}

}  // namespace psd
