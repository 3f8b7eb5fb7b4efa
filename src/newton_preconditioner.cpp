#include "newton_preconditioner.h"

#include <algorithm>

#include "products.h"

namespace psd {
namespace {

constexpr Index kSmall = 400;  // size of a system that costs little as it is

// one' diag(weight) other.
Mat between(const Mat& one, const Mat& other, const Vec& weight) {
  if (&one != &other) {
    return product(transposed(Mat(weight.asDiagonal() * one)), other);
  }
  return lower_square(one.transpose(), weight).selfadjointView<Eigen::Lower>();
}

// From a product of two bases to that of the factors.
Mat of_factors(const Curvature& one, Mat between, const Curvature& other) {
  if (one.x.size() > 0) between = product(transposed(one.x), between);
  return other.x.size() > 0 ? product(between, other.x) : between;
}

}  // namespace

Preconditioner::Preconditioner(const Problem& problem, const Mat& diagonal, Care care)
    : problem_(problem), diagonal_(diagonal) {
  const Index size = problem.observations() * problem.outputs();
  const bool exact = care != Care::little || size <= kSmall;
  for (const auto& block : problem.blocks()) curvatures_.push_back(block->curvature(exact));
  factorise(care == Care::dense);
}

Preconditioner::Preconditioner(const Problem& problem, const Mat& diagonal,
                               std::vector<Curvature> curvatures)
    : problem_(problem), diagonal_(diagonal), curvatures_(std::move(curvatures)) {
  factorise(false);
}

void Preconditioner::factorise(bool dense) {
  choose(dense);
  if (kind_ == Kind::woodbury) set_woodbury();
  if (kind_ == Kind::dense) set_dense();
  if (kind_ == Kind::diagonal) set_diagonal();
}

// Woodbury costs n q^2 + q^3 / 3 for q columns in all, a dense factor (n J)^3 / 3.
void Preconditioner::choose(bool dense) {
  double q = 0;
  bool low_rank = true;
  for (const auto& c : curvatures_) {
    low_rank = low_rank && c.kind == Curvature::Kind::low_rank;
    if (c.kind == Curvature::Kind::low_rank) q += static_cast<double>(c.rank());
  }
  const double n = static_cast<double>(problem_.observations());
  const double size = n * static_cast<double>(problem_.outputs());
  const bool dense_fits = size <= kDenseLimit;
  const bool dense_cheaper = size * size * size / 3 < n * q * q + q * q * q / 3;
  if (low_rank && !(dense_fits && (dense_cheaper || dense))) {
    kind_ = Kind::woodbury;
  } else {
    kind_ = dense_fits ? Kind::dense : Kind::diagonal;
  }
}

void Preconditioner::invert(const Mat& diagonal) {
  const Index j = problem_.outputs();
  if (j == 1) {
    inverse_ = diagonal.cwiseInverse();
    return;
  }
  inverse_.resize(j * j, diagonal.cols());
  for (Index i = 0; i < diagonal.cols(); ++i) {
    Eigen::Map<Mat>(inverse_.col(i).data(), j, j) =
        Cholesky(square(diagonal, i, j)).solve(Mat::Identity(j, j).eval());
  }
}

Mat Preconditioner::times_inverse(const Mat& rhs) const {
  if (rhs.rows() == 1) return rhs.cwiseProduct(inverse_);
  Mat out(rhs.rows(), rhs.cols());
  for (Index i = 0; i < rhs.cols(); ++i) {
    out.col(i).noalias() = square(inverse_, i, rhs.rows()) * rhs.col(i);
  }
  return out;
}

void Preconditioner::set_woodbury() {
  invert(diagonal_);
  const Mat& mixing = problem_.mixing();
  const size_t blocks = curvatures_.size();
  std::vector<Index> first(blocks + 1, 0);
  for (size_t k = 0; k < blocks; ++k) first[k + 1] = first[k] + curvatures_[k].rank();
  Mat inner = Mat::Zero(first[blocks], first[blocks]);
  for (size_t k = 0; k < blocks; ++k) {
    // mixing_k' D_i^{-1} mixing_l, for all i
    const Mat column = mixing.col(static_cast<Index>(k)) * Vec::Ones(inverse_.cols()).transpose();
    const Mat weighted = times_inverse(column);
    for (size_t l = 0; l <= k; ++l) {
      const Vec weight = weighted.transpose() * mixing.col(static_cast<Index>(l));
      if (weight.isZero(0)) continue;  // functions that share no output
      inner.block(first[k], first[l], curvatures_[k].rank(), curvatures_[l].rank()) =
          of_factors(curvatures_[k], between(*curvatures_[k].basis, *curvatures_[l].basis, weight),
                     curvatures_[l]);
    }
  }
  inner.diagonal().array() += 1;
  factor_.compute(inner);  // reads the lower triangle
}

void Preconditioner::set_dense() {
  const Index j = problem_.outputs(), n = problem_.observations();
  Mat all = Mat::Zero(j * n, j * n);
  for (Index i = 0; i < n; ++i) all.block(i * j, i * j, j, j) = square(diagonal_, i, j);
  using Strided = Eigen::Map<Mat, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Curvature& c = curvatures_[k];
    Mat hessian = c.x;
    if (c.kind == Curvature::Kind::low_rank) {
      const Mat factor = c.factor();
      hessian = product(factor, transposed(factor));
    }
    const auto mixing = problem_.mixing().col(static_cast<Index>(k));
    for (Index row = 0; row < j; ++row) {
      for (Index column = 0; column < j; ++column) {
        const double weight = mixing[row] * mixing[column];
        if (weight == 0) continue;
        Strided(all.data() + row + column * all.rows(), n, n,
                Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(j * all.rows(), j)) +=
            weight * hessian;
      }
    }
  }
  factor_.compute(all);
}

void Preconditioner::set_diagonal() {
  const Index j = problem_.outputs();
  Mat diagonal = diagonal_;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Curvature& c = curvatures_[k];
    const Vec own = c.kind == Curvature::Kind::low_rank ? Vec(c.factor().rowwise().squaredNorm())
                                                        : Vec(c.x.col(0));
    const Vec mixing = problem_.mixing().col(static_cast<Index>(k));
    const Mat outer = mixing * mixing.transpose();
    diagonal += Eigen::Map<const Vec>(outer.data(), j * j) * own.transpose();
  }
  invert(diagonal);
}

bool Preconditioner::exact() const {
  return kind_ != Kind::diagonal && std::none_of(curvatures_.begin(), curvatures_.end(),
                                                 [](const Curvature& c) { return c.partial; });
}

Mat Preconditioner::solve(const Mat& rhs) const {
  if (kind_ == Kind::diagonal) return times_inverse(rhs);
  if (kind_ == Kind::dense) {
    const Vec flat = factor_.solve(Vec(Eigen::Map<const Vec>(rhs.data(), rhs.size())));
    return Eigen::Map<const Mat>(flat.data(), rhs.rows(), rhs.cols());
  }
  const Mat& mixing = problem_.mixing();
  const Mat scaled = times_inverse(rhs);
  Vec inner(factor_.size());
  Index first = 0;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Curvature& c = curvatures_[k];
    const Vec mixed = scaled.transpose() * mixing.col(static_cast<Index>(k));
    inner.segment(first, c.rank()) = c.factor_transposed_times(mixed);
    first += c.rank();
  }
  inner = factor_.solve(inner);
  Mat all_back = Mat::Zero(rhs.rows(), rhs.cols());
  first = 0;
  for (size_t k = 0; k < curvatures_.size(); ++k) {
    const Curvature& c = curvatures_[k];
    const Vec back = c.factor_times(inner.segment(first, c.rank()));
    all_back += mixing.col(static_cast<Index>(k)) * back.transpose();
    first += c.rank();
  }
  return scaled - times_inverse(all_back);
}

}  // namespace psd
