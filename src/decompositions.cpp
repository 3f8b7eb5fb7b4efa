#include "decompositions.h"

#define USE_FC_LEN_T
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "products.h"

namespace psd {

namespace {

constexpr Index kPanel = 96;   // rows or columns at a time: what is left are products
constexpr Index kBlocked = 4;  // right-hand sides from which on

auto triangle(const Mat& lower, Index from, Index size) {
  return lower.block(from, from, size, size).triangularView<Eigen::Lower>();
}

auto turned(const Mat& lower, Index from, Index size) {
  return lower.block(from, from, size, size).transpose().triangularView<Eigen::Upper>();
}

}  // namespace

void Cholesky::compute(const Mat& symmetric) {
  lower_ = symmetric.triangularView<Eigen::Lower>();
  const Index n = lower_.rows();
  sound_ = true;
  for (Index j = 0; j < n; j += kPanel) {
    const Index wide = std::min(kPanel, n - j), below = n - j - wide;
    if (j > 0) {
      Mat panel = lower_.block(j, j, n - j, wide);
      panel -= product(lower_.block(j, 0, n - j, j), transposed(lower_.block(j, 0, wide, j)));
      lower_.block(j, j, n - j, wide) = panel;
    }
    const Eigen::LLT<Mat> top(lower_.block(j, j, wide, wide));
    sound_ = top.info() == Eigen::Success;
    if (!sound_) return;
    lower_.block(j, j, wide, wide) = top.matrixL();
    if (below == 0) continue;
    const Mat beside = lower_.block(j + wide, j, below, wide).transpose();
    lower_.block(j + wide, j, below, wide) = triangle(lower_, j, wide).solve(beside).transpose();
  }
}

bool Cholesky::sound() const { return sound_; }
Mat Cholesky::solve(const Mat& rhs) const { return solve_upper(solve_lower(rhs)); }
Mat Cholesky::solve_lower(const Mat& rhs) const { return lower_solve(lower_, rhs); }
Mat Cholesky::solve_upper(const Mat& rhs) const { return upper_solve(lower_, rhs); }

Vec Cholesky::solve(const Vec& rhs) const {
  Vec out = lower_.triangularView<Eigen::Lower>().solve(rhs);
  lower_.transpose().triangularView<Eigen::Upper>().solveInPlace(out);
  return out;
}

void Indefinite::compute(const Mat& symmetric) { factor_.compute(symmetric); }
Mat Indefinite::solve(const Mat& rhs) const { return factor_.solve(rhs); }
Vec Indefinite::solve(const Vec& rhs) const { return factor_.solve(rhs); }

Mat Indefinite::root() const {
  Mat out = factor_.matrixL();
  out = factor_.transpositionsP().transpose() * out;
  return out * factor_.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
}

Mat lower_solve(const Mat& lower, const Mat& rhs) {
  const Index n = lower.rows();
  if (n <= kPanel || rhs.cols() < kBlocked) return triangle(lower, 0, n).solve(rhs);
  Mat out = rhs;
  for (Index j = 0; j < n; j += kPanel) {
    const Index high = std::min(kPanel, n - j);
    Mat strip = out.middleRows(j, high);
    if (j > 0) strip -= product(lower.block(j, 0, high, j), out.topRows(j));
    out.middleRows(j, high) = triangle(lower, j, high).solve(strip);
  }
  return out;
}

Mat upper_solve(const Mat& lower, const Mat& rhs) {
  const Index n = lower.rows();
  if (n <= kPanel || rhs.cols() < kBlocked) return turned(lower, 0, n).solve(rhs);
  Mat out = rhs;
  for (Index end = n; end > 0; end -= std::min(kPanel, end)) {
    const Index high = std::min(kPanel, end), j = end - high;
    Mat strip = out.middleRows(j, high);
    if (end < n) {
      strip -= product(transposed(lower.block(end, j, n - end, high)), out.bottomRows(n - end));
    }
    out.middleRows(j, high) = turned(lower, j, high).solve(strip);
  }
  return out;
}

Vec least_squares(const Mat& matrix, const Vec& rhs) {
  return Eigen::CompleteOrthogonalDecomposition<Mat>(matrix).solve(rhs);
}

Mat orthonormal(const Mat& span) {
  const Index count = std::min(span.rows(), span.cols());
  return Eigen::HouseholderQR<Mat>(span).householderQ() * Mat::Identity(span.rows(), count);
}

Mat orthonormal_range(const Mat& span) {
  const Eigen::ColPivHouseholderQR<Mat> qr(span);
  return qr.householderQ() * Mat::Identity(span.rows(), std::min(qr.rank(), span.rows()));
}

Compressed compressed(const Mat& v, double tol) {
  // Without pivots in blocks, which for many rows is far quicker, and then with pivots.
  const Eigen::HouseholderQR<Mat> tall(v);
  const Index size = std::min(v.rows(), v.cols());
  Eigen::ColPivHouseholderQR<Mat> qr(
      Mat(tall.matrixQR().topRows(size).triangularView<Eigen::Upper>()));
  qr.setThreshold(tol);
  const Index rank = std::max<Index>(qr.rank(), 1);
  Mat q = Mat::Zero(v.rows(), rank);
  q.topRows(size) = qr.householderQ() * Mat::Identity(size, rank);
  const Mat whole = tall.householderQ() * q;
  const Mat triangle = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  return {whole.transpose(), qr.colsPermutation() * triangle.transpose()};
}

Singular left_singular(Mat matrix) {
  const int rows = static_cast<int>(matrix.rows()), columns = static_cast<int>(matrix.cols());
  const int count = std::min(rows, columns), one = 1;
  Singular out{Vec(count), Mat(rows, count)};
  if (count == 0) return out;
  double unused = 0, best = 0;
  int info = 0;
  auto run = [&](double* work, int work_size) {
    F77_CALL(dgesvd)
    ("S", "N", &rows, &columns, matrix.data(), &rows, out.values.data(), out.left.data(), &rows,
     &unused, &one, work, &work_size, &info FCONE FCONE);
    if (info != 0) throw std::runtime_error("LAPACK dgesvd failed");
  };
  run(&best, -1);
  std::vector<double> work(static_cast<size_t>(best));
  run(work.data(), static_cast<int>(work.size()));
  return out;
}

}  // namespace psd
