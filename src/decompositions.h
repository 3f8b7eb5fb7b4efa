// decompositions.h: factors of dense matrices, compiled once for all who use them: every file that
// asks Eigen itself compiles them again, which takes seconds to half a minute.
#pragma once
#include "types.h"

namespace psd {

// L L' of a symmetric matrix, of which the lower triangle is read.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Mat& symmetric) { compute(symmetric); }
  void compute(const Mat& symmetric);

  bool sound() const { return sound_; }  // the matrix is positive definite up to rounding
  Index size() const { return lower_.rows(); }
  Mat lower() const { return lower_.triangularView<Eigen::Lower>(); }  // L

  Mat solve(const Mat& rhs) const { return solve_upper(solve_lower(rhs)); }
  Vec solve(const Vec& rhs) const;
  Mat solve_lower(const Mat& rhs) const;  // L^{-1} rhs
  Mat solve_upper(const Mat& rhs) const;  // L^{-T} rhs

 private:
  Mat lower_;  // and above it what is not to be read
  bool sound_ = false;
};

// Of a symmetric matrix that need not be definite.
class Indefinite {
 public:
  Indefinite() = default;
  explicit Indefinite(const Mat& symmetric) { compute(symmetric); }
  void compute(const Mat& symmetric);

  Mat solve(const Mat& rhs) const;
  Vec solve(const Vec& rhs) const;
  Mat root() const;  // R with R R' the matrix, as far as it is positive

 private:
  Eigen::LDLT<Mat> factor_;
};

// L^{-1} rhs and L^{-T} rhs; of L the lower triangle is read.
Mat lower_solve(const Mat& lower, const Mat& rhs);
Mat upper_solve(const Mat& lower, const Mat& rhs);

// The shortest x with the least |matrix x - rhs|.
Vec least_squares(const Mat& matrix, const Vec& rhs);

// Orthonormal columns that span those given.
Mat orthonormal(const Mat& span);

// values' basis' = v up to `tol`, relative: the rows of `values` orthonormal, as few as that takes.
struct Compressed {
  Mat values, basis;
};
Compressed compressed(const Mat& v, double tol);

// Singular values, falling, and the left vectors.
struct Singular {
  Vec values;
  Mat left;
};
Singular left_singular(Mat matrix);

}  // namespace psd
