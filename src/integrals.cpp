#include "integrals.h"

#include <algorithm>
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

// Of section j with the last `count` of others.
Array log_masses(const Kernel& kernel, const Anchors& anchors, Index j, const Anchors& others,
                 Index count, const Measure& measure) {
  Array out = Array::Zero(count);
  for (Index c = 0; c < anchors.dim(); ++c) {
    const Bump own{anchors.at(j, c), anchors.width(j, c)};
    out += kernel.log_masses(own, others.at.col(c).tail(count), others.width.col(c).tail(count),
                             measure[static_cast<size_t>(c)]);
  }
  return out;
}

// The largest of int v_j^2.
double highest(const Kernel& kernel, const Anchors& anchors, const Measure& measure) {
  double top = -kInf;
  const std::vector<int> power(measure.size(), 0);
  for (Index j = 0; j < anchors.size(); ++j) {
    top = std::max(top, product(kernel, anchors, j, j, measure, power).log_mass);
  }
  return top;
}

void mirror(Mat& lower) { lower.triangularView<Eigen::StrictlyUpper>() = lower.transpose(); }

}  // namespace

ScaledMat gram(const Kernel& kernel, const Anchors& anchors, const Measure& measure,
               const std::vector<int>& power) {
  const Index r = anchors.size();
  Mat log_mass(r, r), moments = Mat::Ones(r, r);
  const bool masses = std::all_of(power.begin(), power.end(), [](int p) { return p == 0; });
  for (Index j = 0; j < r; ++j) {
    if (masses)
      log_mass.col(j).tail(r - j) = log_masses(kernel, anchors, j, anchors, r - j, measure);
    for (Index i = j; i < r && !masses; ++i) {
      const Entry entry = product(kernel, anchors, i, j, measure, power);
      log_mass(i, j) = entry.log_mass;
      moments(i, j) = entry.moment;
    }
  }
  mirror(log_mass);
  mirror(moments);
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

PairedSum paired_sum(const Kernel& kernel, const Anchors& one, const Vec& a, const Anchors& other,
                     const Vec& b, const Measure& measure) {
  // No integral of a product is larger than the root of that of both squares.
  const double top = (highest(kernel, one, measure) + highest(kernel, other, measure)) / 2;
  PairedSum out{0, 0, top};
  for (Index i = 0; i < one.size(); ++i) {
    const Array masses = log_masses(kernel, one, i, other, other.size(), measure);
    const Array terms = a[i] * b.array() * (masses - top).exp();
    out.sum += terms.sum();
    out.absolute += terms.abs().sum();
  }
  return out;
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
