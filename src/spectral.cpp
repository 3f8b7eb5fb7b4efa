#include "spectral.h"

#define USE_FC_LEN_T
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "products.h"
#include "work.h"

namespace psd {
namespace {

// Below, Eigen's own solver is as quick: for values or a few vectors, and for all of them.
constexpr Index kFewFrom = 24, kAllFrom = 64;

constexpr Index kPanel = 48;  // reflections that are applied together

// Work, in products of the same size: of the reduction, of its vectors, and of Eigen's own solver.
constexpr double kReduction = 3, kVectors = 1, kOwn = 20;

// A = size Q T Q', T tridiagonal. The reduction is Eigen's, whatever the size: several times faster
// than LAPACK's on the reference BLAS. The spectrum of T is LAPACK's, which finds vectors in n^2
// operations each where Eigen's takes n^3 for all.
class Tridiagonal {
 public:
  explicit Tridiagonal(const Mat& a)
      : size_(scale_of(a)),
        reduced_(a / size_),
        diagonal_(reduced_.diagonal()),
        beside_(reduced_.subDiagonal()) {
    add_work(kReduction, a.size(), a.rows());
  }

  Vec values() const {
    const int n = order();
    Vec out = diagonal_, off = beside_;
    int info = 0;
    F77_CALL(dsterf)(&n, out.data(), off.data(), &info);
    if (info != 0) throw std::runtime_error("LAPACK dsterf failed");
    return size_ * out;
  }

  // By Sylvester's law: as many as the factor of T has negative pivots.
  Index negative_count() const {
    Index count = 0;
    double pivot = 1;
    for (Index k = 0; k < diagonal_.size(); ++k) {
      pivot = diagonal_[k] - (k > 0 ? beside_[k - 1] * (beside_[k - 1] / pivot) : 0);
      if (pivot == 0) pivot = kLeastPivot;
      if (pivot < 0) ++count;
    }
    return count;
  }

  // The `count` lowest pairs, none if the algorithm fails, as it may where eigenvalues span too
  // many orders of magnitude.
  Spectrum lowest(Index count) const {
    int n = order(), first = 1, last = static_cast<int>(count), found = 0, info = 0;
    Spectrum out{Vec(n), Mat(n, count)};
    if (count == 0) return {Vec(), out.vectors};
    add_work(kVectors, n, n, count);
    Vec on = diagonal_, off(n);
    off.head(n - 1) = beside_;
    double unused = 0;
    std::vector<int> support(2 * count), iwork(10 * n);
    std::vector<double> work(18 * n);
    int work_size = 18 * n, iwork_size = 10 * n;
    F77_CALL(dstegr)
    ("V", count < n ? "I" : "A", &n, on.data(), off.data(), &unused, &unused, &first, &last,
     &unused, &found, out.values.data(), out.vectors.data(), &n, support.data(), work.data(),
     &work_size, iwork.data(), &iwork_size, &info FCONE FCONE);
    if (info != 0 || found < last) return {Vec(), Mat()};
    out.values.conservativeResize(count);
    out.values *= size_;
    turn(out.vectors);
    return out;
  }

 private:
  // X becomes Q X. Q is a product of reflections, those of a panel being I - Y C Y'.
  void turn(Mat& x) const {
    const Index count = x.rows() - 1;
    for (Index from = (count - 1) / kPanel * kPanel; from >= 0; from -= kPanel) {
      const Index width = std::min(kPanel, count - from), rows = count - from;
      const Mat y = reduced_.packedMatrix()
                        .block(from + 1, from, rows, width)
                        .triangularView<Eigen::UnitLower>();
      const Mat c = joined(y, reduced_.householderCoefficients().segment(from, width));
      auto below = x.bottomRows(rows);
      below -= product(y, product(c, product(transposed(y), below)));
    }
  }

  // C, upper triangular, one reflection I - h y y' after the other.
  static Mat joined(const Mat& y, const Vec& h) {
    const Mat gram = product(transposed(y), y);
    Mat c = Mat::Zero(h.size(), h.size());
    for (Index k = 0; k < h.size(); ++k) {
      c.col(k).head(k) = -h[k] * (c.topLeftCorner(k, k) * gram.col(k).head(k));
      c(k, k) = h[k];
    }
    return c;
  }

  static constexpr double kLeastPivot = std::numeric_limits<double>::min();

  // So that squares neither overflow nor vanish.
  static double scale_of(const Mat& a) {
    const double largest = a.cwiseAbs().maxCoeff();
    return largest > 0 ? largest : 1;
  }

  int order() const { return static_cast<int>(diagonal_.size()); }

  double size_;
  Eigen::Tridiagonalization<Mat> reduced_;
  Vec diagonal_, beside_;
};

// LAPACK may not come to an end, or to a bad one, where entries are no numbers.
bool lapack_pays(const Mat& symmetric, Index from) {
  return symmetric.rows() >= from && symmetric.allFinite();
}

}  // namespace

Spectrum eigen_all(const Mat& symmetric) {
  if (lapack_pays(symmetric, kAllFrom)) {
    Spectrum found = Tridiagonal(symmetric).lowest(symmetric.rows());
    if (found.values.size() > 0) return found;
  }
  add_work(kOwn, symmetric.size(), symmetric.rows());
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec eigen_values(const Mat& symmetric) {
  if (lapack_pays(symmetric, kFewFrom)) return Tridiagonal(symmetric).values();
  add_work(kOwn / 4, symmetric.size(), symmetric.rows());
  return Eigen::SelfAdjointEigenSolver<Mat>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Spectrum eigen_negative(const Mat& symmetric) {
  if (lapack_pays(symmetric, kFewFrom)) {
    const Tridiagonal reduced(symmetric);
    const Index count = reduced.negative_count();
    Spectrum found = reduced.lowest(count);
    if (count == 0 || found.values.size() > 0) return found;
  }
  const Spectrum all = eigen_all(symmetric);
  const Index p = all.negative_count();
  return {all.values.head(p), all.vectors.leftCols(p)};
}

}  // namespace psd
