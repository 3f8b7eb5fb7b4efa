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
#include "work.h"

namespace psd {

namespace {

constexpr Index kPanel = 64;  // columns at a time: the rest is products, by far the quickest
// What Eigen and LAPACK do takes longer than products of the same size.
constexpr double kByHand = 4;

}  // namespace

void Cholesky::compute(const Mat& symmetric) {
  lower_ = symmetric;
  sound_ = true;
  const Index n = lower_.rows();
  add_work(kByHand / 2, lower_.size(), std::min(n, kPanel));
  for (Index k = 0; k < n && sound_; k += kPanel) {
    const Index wide = std::min(kPanel, n - k), next = k + wide, rest = n - next;
    Eigen::Ref<Mat> corner = lower_.block(k, k, wide, wide);
    sound_ = Eigen::LLT<Eigen::Ref<Mat>>(corner).info() == Eigen::Success;
    if (!sound_ || rest == 0) continue;
    Eigen::Ref<Mat> below = lower_.block(next, k, rest, wide);
    corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    for (Index j = 0; j < rest; j += kPanel) {
      const Index columns = std::min(kPanel, rest - j);
      lower_.block(next + j, next + j, rest - j, columns) -=
          product(below.bottomRows(rest - j), transposed(below.middleRows(j, columns)));
    }
  }
}

Vec Cholesky::solve(const Vec& rhs) const {
  add_work(kByHand, lower_.size());
  Vec out = lower_.triangularView<Eigen::Lower>().solve(rhs);
  lower_.transpose().triangularView<Eigen::Upper>().solveInPlace(out);
  return out;
}

Mat Cholesky::solve_lower(const Mat& rhs) const { return lower_solve(lower_, rhs); }
Mat Cholesky::solve_upper(const Mat& rhs) const { return upper_solve(lower_, rhs); }

void Indefinite::compute(const Mat& symmetric) {
  add_work(kByHand / 6, symmetric.size(), symmetric.rows());
  factor_.compute(symmetric);
}

Mat Indefinite::solve(const Mat& rhs) const { return factor_.solve(rhs); }
Vec Indefinite::solve(const Vec& rhs) const { return factor_.solve(rhs); }

Mat Indefinite::root() const {
  Mat out = factor_.matrixL();
  out = factor_.transpositionsP().transpose() * out;
  return out * factor_.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
}

Mat lower_solve(const Mat& lower, const Mat& rhs) {
  Mat out = rhs;
  if (out.size() == 0) return out;  // no address, which Eigen would take
  add_work(kByHand / 2, rhs.size(), kPanel);
  for (Index k = 0; k < out.rows(); k += kPanel) {
    const Index high = std::min(kPanel, out.rows() - k), rest = out.rows() - k - high;
    Eigen::Ref<Mat> rows = out.middleRows(k, high);
    lower.block(k, k, high, high).triangularView<Eigen::Lower>().solveInPlace(rows);
    if (rest > 0) out.bottomRows(rest) -= product(lower.block(k + high, k, rest, high), rows);
  }
  return out;
}

Mat upper_solve(const Mat& lower, const Mat& rhs) {
  Mat out = rhs;
  if (out.size() == 0) return out;  // no address, which Eigen would take
  add_work(kByHand / 2, rhs.size(), kPanel);
  for (Index end = out.rows(); end > 0;) {
    const Index high = std::min(kPanel, end), k = end - high;
    Eigen::Ref<Mat> rows = out.middleRows(k, high);
    const auto corner = lower.block(k, k, high, high).transpose();
    corner.triangularView<Eigen::Upper>().solveInPlace(rows);
    if (k > 0) out.topRows(k) -= product(transposed(lower.block(k, 0, high, k)), rows);
    end = k;
  }
  return out;
}

Vec least_squares(const Mat& matrix, const Vec& rhs) {
  return Eigen::CompleteOrthogonalDecomposition<Mat>(matrix).solve(rhs);
}

Mat orthonormal(const Mat& span) {
  const Index count = std::min(span.rows(), span.cols());
  add_work(kByHand, span.size(), count);
  return Eigen::HouseholderQR<Mat>(span).householderQ() * Mat::Identity(span.rows(), count);
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
  add_work(2 * kByHand, matrix.size(), count);
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
