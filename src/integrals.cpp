#include "integrals.h"

#include <cmath>

namespace psd {
namespace {

double moment(const Moments& m, int power) {
  return power == 0 ? 1 : (power == 1 ? m.mean : m.second);
}

// exp(log_mass) * moment, a product over coordinates.
struct Entry {
  double log_mass = 0;
  double moment = 1;
};

// Of sections i and j; j < 0: of i alone.
Entry product(const Kernel& kernel, const Anchors& anchors, Index i, Index j,
              const Measure& measure, const std::vector<int>& power) {
  Entry out;
  for (Index c = 0; c < anchors.dim(); ++c) {
    const Bump one{anchors.at(i, c), anchors.width(i, c)};
    const Bump other = j < 0 ? Bump{one.center, kInf} : Bump{anchors.at(j, c), anchors.width(j, c)};
    const Moments m = kernel.product(one, other, measure[static_cast<size_t>(c)]);
    out.log_mass += m.log_mass;
    out.moment *= moment(m, power[static_cast<size_t>(c)]);
  }
  return out;
}

ScaledMat scaled(const Mat& log_mass, const Mat& moments) {
  const double top = log_mass.maxCoeff();
  if (top == -kInf) return {Mat::Zero(log_mass.rows(), log_mass.cols()), 0};  // an empty box
  return {(log_mass.array() - top).exp() * moments.array(), top};
}

}  // namespace

ScaledMat gram(const Kernel& kernel, const Anchors& anchors, const Measure& measure,
               const std::vector<int>& power) {
  const Index r = anchors.size();
  Mat log_mass(r, r), moments(r, r);
  for (Index j = 0; j < r; ++j) {
    for (Index i = j; i < r; ++i) {
      const Entry entry = product(kernel, anchors, i, j, measure, power);
      log_mass(i, j) = log_mass(j, i) = entry.log_mass;
      moments(i, j) = moments(j, i) = entry.moment;
    }
  }
  return scaled(log_mass, moments);
}

ScaledMat mean_section(const Kernel& kernel, const Anchors& anchors, const Measure& measure,
                       const std::vector<int>& power) {
  Mat log_mass(anchors.size(), 1), moments(anchors.size(), 1);
  for (Index i = 0; i < anchors.size(); ++i) {
    const Entry entry = product(kernel, anchors, i, -1, measure, power);
    log_mass(i, 0) = entry.log_mass;
    moments(i, 0) = entry.moment;
  }
  return scaled(log_mass, moments);
}

Mat log_sections(const Kernel& kernel, const Anchors& anchors, const ConstMat& x) {
  Mat v = Mat::Zero(x.rows(), anchors.size());
  for (Index j = 0; j < anchors.size(); ++j) {
    for (Index c = 0; c < x.cols(); ++c) {
      const Array t = (x.col(c).array() - anchors.at(j, c)) / anchors.width(j, c);
      v.col(j).array() += kernel.log_values(t);
    }
  }
  return v.transpose();
}

Mat sections(const Kernel& kernel, const Anchors& anchors, const ConstMat& x) {
  return log_sections(kernel, anchors, x).array().exp();
}

}  // namespace psd
