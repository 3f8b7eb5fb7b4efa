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

namespace psd {

void Cholesky::compute(const Mat& symmetric) { factor_.compute(symmetric); }
bool Cholesky::sound() const { return factor_.info() == Eigen::Success; }
Mat Cholesky::lower() const { return factor_.matrixL(); }
Mat Cholesky::solve(const Mat& rhs) const { return factor_.solve(rhs); }
Vec Cholesky::solve(const Vec& rhs) const { return factor_.solve(rhs); }
Mat Cholesky::solve_lower(const Mat& rhs) const { return factor_.matrixL().solve(rhs); }
Mat Cholesky::solve_upper(const Mat& rhs) const { return factor_.matrixU().solve(rhs); }

void Indefinite::compute(const Mat& symmetric) { factor_.compute(symmetric); }
Mat Indefinite::solve(const Mat& rhs) const { return factor_.solve(rhs); }
Vec Indefinite::solve(const Vec& rhs) const { return factor_.solve(rhs); }

Mat Indefinite::root() const {
  Mat out = factor_.matrixL();
  out = factor_.transpositionsP().transpose() * out;
  return out * factor_.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
}

Mat lower_solve(const Mat& lower, const Mat& rhs) {
  return lower.triangularView<Eigen::Lower>().solve(rhs);
}

Mat upper_solve(const Mat& lower, const Mat& rhs) {
  return lower.transpose().triangularView<Eigen::Upper>().solve(rhs);
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
