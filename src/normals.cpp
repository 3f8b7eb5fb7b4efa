#include "normals.h"

#include <cmath>

namespace psd {
namespace {

// Of all rows: a normal with fewer stays where it is.
constexpr double kNone = 1e-12;

// log of share times density, but for the power of 2 pi: one row a row of x, one column a normal.
Eigen::ArrayXXd log_parts(const ConstMat& x, const Normals& normals) {
  Eigen::ArrayXXd out(x.rows(), normals.share.size());
  for (Index j = 0; j < out.cols(); ++j) {
    out.col(j).setConstant(std::log(normals.share[j]) - normals.sd.row(j).array().log().sum());
    for (Index c = 0; c < x.cols(); ++c) {
      out.col(j) -= ((x.col(c).array() - normals.mean(j, c)) / normals.sd(j, c)).square() / 2;
    }
  }
  return out;
}

// What the rows that belong to it make of the j-th normal.
void move(Normals& normals, Index j, const ConstMat& x, const ConstVec& belongs, double count,
          const ConstVec& least, bool round) {
  normals.mean.row(j) = belongs.transpose() * x / count;
  Vec variance(x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    variance[c] = (x.col(c).array() - normals.mean(j, c)).square().matrix().dot(belongs) / count;
  }
  if (round) variance.setConstant(variance.mean());
  normals.sd.row(j) = variance.cwiseSqrt().cwiseMax(least).transpose();
}

}  // namespace

LikelyNormals more_likely(const ConstMat& x, const ConstVec& weights, Normals start,
                          const ConstVec& least, bool round, int rounds, double gain) {
  const double all = weights.sum();
  LikelyNormals out{std::move(start), -kInf, Vec()};
  Normals& normals = out.normals;
  for (int k = 0; k < rounds; ++k) {
    Eigen::ArrayXXd belongs = log_parts(x, normals);
    const Array largest = belongs.rowwise().maxCoeff();
    belongs = (belongs.colwise() - largest).exp();
    const Array total = belongs.rowwise().sum();
    const double before = out.log_likelihood;
    out.log_likelihood = weights.dot((largest + total.log()).matrix()) -
                         all * static_cast<double>(x.cols()) * std::log(2 * M_PI) / 2;
    belongs.colwise() *= weights.array() / total;
    out.count = belongs.colwise().sum().transpose();
    if (!(out.log_likelihood - before > gain)) break;
    for (Index j = 0; j < out.count.size(); ++j) {
      normals.share[j] = std::max(out.count[j] / all, kNone);
      if (out.count[j] <= kNone * all) continue;
      move(normals, j, x, belongs.col(j).matrix(), out.count[j], least, round);
    }
  }
  return out;
}

}  // namespace psd
