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

namespace psd {
namespace {

// Below, Eigen's own solver wins whatever the BLAS; above, LAPACK is as fast with the reference
// BLAS and several times faster with a tuned one.
constexpr Index kLapackFrom = 100;

// Q' A Q = T, tridiagonal: Q is a product of reflections, kept in `reflections` and `scales`.
struct Tridiagonal {
  Mat reflections;
  Vec scales, diagonal, beside;

  explicit Tridiagonal(Mat a)
      : reflections(std::move(a)),
        scales(reflections.rows()),
        diagonal(reflections.rows()),
        beside(reflections.rows()) {
    const int n = size();
    int info = 0;
    auto run = [&](double* work, int work_size) {
      F77_CALL(dsytrd)
      ("L", &n, reflections.data(), &n, diagonal.data(), beside.data(), scales.data(), work,
       &work_size, &info FCONE);
      if (info != 0) throw std::runtime_error("LAPACK dsytrd failed");
    };
    double best = 0;
    run(&best, -1);
    std::vector<double> work(static_cast<size_t>(best));
    run(work.data(), static_cast<int>(work.size()));
  }

  int size() const { return static_cast<int>(reflections.rows()); }

  Vec values() const {
    const int n = size();
    Vec out = diagonal, off = beside;
    int info = 0;
    F77_CALL(dsterf)(&n, out.data(), off.data(), &info);
    if (info != 0) throw std::runtime_error("LAPACK dsterf failed");
    return out;
  }

  // The `count` lowest pairs, none if the algorithm fails, as it may where eigenvalues span too
  // many orders of magnitude. The reflections are applied by Eigen, which is several times faster
  // at it than LAPACK on the reference BLAS.
  Spectrum lowest(Index count) const {
    int n = size(), first = 1, last = static_cast<int>(count), found = 0, info = 0;
    Spectrum out{Vec(n), Mat(n, count)};
    if (count == 0) return {Vec(), out.vectors};
    Vec on = diagonal, off = beside;
    double unused = 0;
    std::vector<int> support(2 * count), iwork(10 * n);
    std::vector<double> work(18 * n);
    int work_size = 18 * n, iwork_size = 10 * n;
    F77_CALL(dstegr)
    ("V", count < n ? "I" : "A", &n, on.data(), off.data(), &unused, &unused, &first, &last,
     &unused, &found, out.values.data(), out.vectors.data(), &n, support.data(), work.data(),
     &work_size, iwork.data(), &iwork_size, &info FCONE FCONE);
    if (info != 0) return {Vec(), Mat()};
    out.values.conservativeResize(count);
    out.vectors.applyOnTheLeft(
        Eigen::HouseholderSequence<Mat, Vec>(reflections, scales).setLength(n - 1).setShift(1));
    return out;
  }
};

}  // namespace

Spectrum eigen_all(const Mat& symmetric) {
  if (symmetric.rows() >= kLapackFrom) {
    Spectrum found = Tridiagonal(symmetric).lowest(symmetric.rows());
    if (found.values.size() > 0) return found;
  }
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec eigen_values(const Mat& symmetric) {
  if (symmetric.rows() >= kLapackFrom) return Tridiagonal(symmetric).values();
  return Eigen::SelfAdjointEigenSolver<Mat>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Spectrum eigen_lowest(const Mat& symmetric, Index least) {
  if (symmetric.rows() >= kLapackFrom) {
    const Tridiagonal reduced(symmetric);
    const Index count = std::max(least, (reduced.values().array() < 0).count());
    Spectrum found = reduced.lowest(count);
    if (count == 0 || found.values.size() > 0) return found;
  }
  const Spectrum all = eigen_all(symmetric);
  const Index p = std::max(least, all.negative_count());
  return {all.values.head(p), all.vectors.leftCols(p)};
}

}  // namespace psd
