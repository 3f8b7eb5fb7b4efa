#include "cone_integrals.h"

#include <algorithm>

#include "decompositions.h"

namespace psd {
namespace {

constexpr double kRounding = 1e-13;
constexpr double kEnough = 1e-9;  // where repeated moves do not get that far

}  // namespace

ConeIntegrals::ConeIntegrals(std::vector<std::vector<Mat>> matrices, Constraints limits)
    : matrices_(std::move(matrices)), limits_(std::move(limits)) {}

Vec ConeIntegrals::of(const std::vector<Mat>& a) const {
  Vec out = Vec::Zero(count());
  for (Index k = 0; k < count(); ++k) {
    for (size_t s = 0; s < a.size(); ++s) {
      out[k] += matrix(k, static_cast<Index>(s)).cwiseProduct(a[s]).sum();
    }
  }
  return out;
}

Vec ConeIntegrals::excess(const std::vector<Mat>& a) const {
  return (of(a) - limits_.bound).cwiseQuotient(limits_.bound.cwiseAbs().cwiseMax(1));
}

bool ConeIntegrals::hold(const std::vector<Mat>& a, double tol) const {
  const Vec excess = this->excess(a);
  for (Index k = 0; k < count(); ++k) {
    if (!(excess[k] <= tol)) return false;
    if (limits_.equality[static_cast<size_t>(k)] && !(excess[k] >= -tol)) return false;
  }
  return true;
}

void ConeIntegrals::rescale(std::vector<Mat>& a) const {
  const Vec reached = of(a);
  double along = 0, norm = 0;
  for (Index k = 0; k < count(); ++k) {
    if (!limits_.equality[static_cast<size_t>(k)]) continue;
    along += limits_.bound[k] * reached[k];
    norm += reached[k] * reached[k];
  }
  if (!(along > 0 && norm > 0)) return;
  for (Mat& matrix : a) matrix *= along / norm;
}

bool ConeIntegrals::meet(std::vector<Mat>& a) const {
  std::vector<bool> moved = limits_.equality;
  for (Index round = 0; round <= count() + 1; ++round) {
    if (hold(a)) return true;
    const Vec reached = of(a), excess = this->excess(a);
    std::vector<Index> list;
    for (Index k = 0; k < count(); ++k) {
      if (excess[k] > kRounding) moved[static_cast<size_t>(k)] = true;
      if (moved[static_cast<size_t>(k)]) list.push_back(k);
    }
    const Index size = static_cast<Index>(list.size());
    Mat gram = Mat::Zero(size, size);
    Vec missing(size);
    for (Index i = 0; i < size; ++i) {
      missing[i] = limits_.bound[list[i]] - reached[list[i]];
      for (Index j = 0; j < size; ++j) {
        for (size_t s = 0; s < a.size(); ++s) {
          const Index output = static_cast<Index>(s);
          gram(i, j) += matrix(list[i], output).cwiseProduct(matrix(list[j], output)).sum();
        }
      }
    }
    const Vec amount = least_squares(gram, missing);
    for (Index i = 0; i < size; ++i) {
      for (size_t s = 0; s < a.size(); ++s) {
        a[s] += amount[i] * matrix(list[i], static_cast<Index>(s));
      }
    }
  }
  return hold(a, kEnough);
}

}  // namespace psd
