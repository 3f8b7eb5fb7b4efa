#include "interior_scaling.h"

#include <algorithm>

#include "decompositions.h"
#include "products.h"

namespace psd {

// With A = L L' and L' Z L = Q D Q', G = L Q D^{-1/4} and the diagonal is D^{1/2}.
bool Scaling::set(const Mat& a, const Mat& z) {
  const Cholesky cholesky(a);
  if (!cholesky.sound()) return false;
  const Mat root = cholesky.lower();
  const Spectrum both = eigen_all(product(transposed(root), product(z, root)));
  if (!(both.values[0] > 0)) return false;
  diagonal_ = both.values.cwiseSqrt();
  const Vec half = diagonal_.cwiseSqrt();
  to_ = product(root, both.vectors) * half.cwiseInverse().asDiagonal();
  const Mat rotated = cholesky.solve_upper(both.vectors * half.asDiagonal());
  back_ = rotated.transpose();
  spectrum_ = eigen_all(product(to_, transposed(to_)));
  return spectrum_.values[0] > 0;
}

Scaling::Step Scaling::seen(const Mat& da, const Mat& dz) const {
  return {product(product(back_, da), transposed(back_)),
          product(transposed(to_), product(dz, to_))};
}

// To ask for a Cholesky factor at the end is cheaper than to ask for eigenvalues.
double Scaling::reach(const Step& step, double most) const {
  for (const Mat* x : {&step.a, &step.z}) {
    Mat there = most * *x;
    there.diagonal() += diagonal_;
    if (Cholesky(there).sound()) continue;
    const Vec half = diagonal_.cwiseSqrt().cwiseInverse();
    const double lowest = eigen_values(half.asDiagonal() * *x * half.asDiagonal())[0];
    if (lowest < 0) most = std::min(most, -1 / lowest);
  }
  return most;
}

// With X = G' T G: D X + X D = 2 (target I - D^2 - the changes' product), D the diagonal.
Mat Scaling::corrected(double target, const Step& earlier) const {
  const Mat changes = product(earlier.a, earlier.z);
  Mat x = -(changes + changes.transpose()) / 2;
  x.diagonal().array() += target - diagonal_.array().square();
  for (Index k = 0; k < x.cols(); ++k) {
    x.col(k).array() *= 2 / (diagonal_.array() + diagonal_[k]);
  }
  return product(transposed(back_), product(x, back_));
}

double positive_reach(const Mat& x, const Mat& dx) {
  const Cholesky cholesky(x);
  if (!cholesky.sound()) return 0;
  const Mat half = cholesky.solve_lower(dx);
  const double lowest = eigen_values(cholesky.solve_lower(half.transpose()))[0];
  return lowest < 0 ? -1 / lowest : kInf;
}

}  // namespace psd
