#include "spectral.h"

#define USE_FC_LEN_T
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace psd {
namespace {

// Below, Eigen's own solver wins whatever the BLAS; above, LAPACK is as fast with the reference
// BLAS and several times faster with a tuned one.
constexpr Index kLapackFrom = 100;

// job "V": vectors too, "N": values only; range "A": all pairs, "V": those with a negative
// eigenvalue, "I": the `count` lowest.
Spectrum lapack(Mat a, const char* range, Index count, const char* job = "V") {
  const int n = static_cast<int>(a.rows()), first = 1, last = static_cast<int>(count);
  const double lowest = -kInf, zero = 0;
  int found = 0, info = 0;
  Spectrum out{Vec(n), Mat(n, n)};
  std::vector<int> support(2 * n);

  auto run = [&](double* work, int work_size, int* iwork, int iwork_size) {
    F77_CALL(dsyevr)
    (job, range, "L", &n, a.data(), &n, &lowest, &zero, &first, &last, &zero, &found,
     out.values.data(), out.vectors.data(), &n, support.data(), work, &work_size, iwork,
     &iwork_size, &info FCONE FCONE FCONE);
    if (info != 0) throw std::runtime_error("LAPACK dsyevr failed");
  };
  double best_work = 0;
  int best_iwork = 0;
  run(&best_work, -1, &best_iwork, -1);
  std::vector<double> work(static_cast<size_t>(best_work));
  std::vector<int> iwork(best_iwork);
  run(work.data(), static_cast<int>(work.size()), iwork.data(), best_iwork);

  if (found < n) {
    out.values.conservativeResize(found);
    out.vectors.conservativeResize(n, found);
  }
  return out;
}

}  // namespace

Spectrum eigen_all(const Mat& symmetric) {
  if (symmetric.rows() >= kLapackFrom) return lapack(symmetric, "A", 0);
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec eigen_values(const Mat& symmetric) {
  if (symmetric.rows() >= kLapackFrom) return lapack(symmetric, "A", 0, "N").values;
  return Eigen::SelfAdjointEigenSolver<Mat>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Spectrum eigen_lowest(const Mat& symmetric, Index least) {
  if (symmetric.rows() >= kLapackFrom) {
    if (least == 0) return lapack(symmetric, "V", 0);
    const Spectrum lowest = lapack(symmetric, "I", least);
    return lowest.negative_count() < least ? lowest : lapack(symmetric, "V", 0);
  }
  const Spectrum all = eigen_all(symmetric);
  const Index p = std::max(least, all.negative_count());
  return {all.values.head(p), all.vectors.leftCols(p)};
}

}  // namespace psd
