#include "kernel_sum.h"

#include <cmath>

namespace psd {

LeftOut left_out(const ConstMat& x, const ConstMat& z, const ConstVec& weights) {
  const Index n = x.rows();
  const Array log_weights = weights.array().log();
  Vec chosen = Vec::Zero(n);  // how often a row's kernel is the one that another came from
  Mat centers(n, x.cols());
  Array share(n);
  double mean_log = 0;
  for (Index i = 0; i < n; ++i) {
    share = log_weights;
    for (Index k = 0; k < z.cols(); ++k) share -= (z.col(k).array() - z(i, k)).square() / 2;
    share[i] = -kInf;
    const double largest = share.maxCoeff();
    share = (share - largest).exp();
    const double total = share.sum();
    mean_log += weights[i] * (std::log(total) + largest);
    share /= total;
    chosen += weights[i] * share.matrix();
    centers.row(i) = share.matrix().transpose() * x;
  }
  const Mat across = x.transpose() * weights.asDiagonal() * centers;
  const Vec both = chosen + weights;
  return {mean_log, x.transpose() * both.asDiagonal() * x - across - across.transpose()};
}

}  // namespace psd
