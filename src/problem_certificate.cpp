// problem_certificate.cpp: primal points that satisfy the constraints exactly, and their value.
#include <algorithm>
#include <cmath>

#include "decompositions.h"
#include "problem.h"

namespace psd {
namespace {

constexpr double kRounding = 1e-13;  // of integrals, relative to max(1, |bound|)
constexpr double kEnough = 1e-9;     // where repeated repairs do not get that far

}  // namespace

Vec Problem::integrals_of(const std::vector<Mat>& coefficients) const {
  Vec sum = Vec::Zero(constraint_count());
  for (size_t k = 0; k < blocks_.size(); ++k) sum += blocks_[k]->integrals_of(coefficients[k]);
  return sum;
}

// By how much the constraints are exceeded, relative to max(1, |bound|).
Vec Problem::excess(const Vec& integrals) const {
  const Vec& bound = constraints_.bound;
  return (integrals - bound).cwiseQuotient(bound.cwiseAbs().cwiseMax(1));
}

// All coefficients by the one factor that brings the equalities nearest.
void Problem::rescale(std::vector<Mat>& coefficients) const {
  const Vec reached = integrals_of(coefficients);
  double along = 0, norm = 0;
  for (Index m = 0; m < constraint_count(); ++m) {
    if (!constraints_.equality[m]) continue;
    along += constraints_.bound[m] * reached[m];
    norm += reached[m] * reached[m];
  }
  if (!(along > 0 && norm > 0)) return;
  for (size_t k = 0; k < blocks_.size(); ++k) blocks_[k]->scale(coefficients[k], along / norm);
}

// A move along each constraint listed, so that it holds to first order.
bool Problem::repair(std::vector<Mat>& coefficients, const std::vector<Index>& broken,
                     const Vec& reached) const {
  const Index size = static_cast<Index>(broken.size());
  Vec missing(size);
  for (Index i = 0; i < size; ++i) missing[i] = constraints_.bound[broken[i]] - reached[broken[i]];
  Mat gram = Mat::Zero(size, size);
  for (size_t k = 0; k < blocks_.size(); ++k) {
    gram += blocks_[k]->repair_gram(coefficients[k], broken);
  }
  const Vec amount = least_squares(gram, missing);
  for (size_t k = 0; k < blocks_.size(); ++k) {
    if (!blocks_[k]->repair(coefficients[k], broken, amount)) return false;
  }
  return true;
}

// One factor first, then small moves for the equalities and for inequalities found violated.
bool Problem::make_feasible(std::vector<Mat>& coefficients) const {
  rescale(coefficients);
  std::vector<Index> broken;
  for (Index m = 0; m < constraint_count(); ++m) {
    if (constraints_.equality[m]) broken.push_back(m);
  }
  double worst = kInf;
  for (Index round = 0;; ++round) {
    const Vec reached = integrals_of(coefficients), excess = this->excess(reached);
    worst = 0;
    for (Index m = 0; m < constraint_count(); ++m) {
      const bool listed = std::find(broken.begin(), broken.end(), m) != broken.end();
      if (!listed && excess[m] > kRounding) broken.push_back(m);
    }
    for (const Index m : broken) worst = std::max(worst, std::abs(excess[m]));
    if (worst <= kRounding || round > constraint_count()) break;
    if (!repair(coefficients, broken, reached)) return false;
  }
  return worst <= kEnough;
}

Certificate Problem::certificate(double objective) const {
  std::vector<Mat> coefficients;
  for (const auto& block : blocks_) coefficients.push_back(block->coefficients());
  return certificate_of(std::move(coefficients), objective);
}

Certificate Problem::certificate_of(std::vector<Mat> coefficients, double objective) const {
  Certificate out;
  out.dual = -objective;
  out.coefficients = std::move(coefficients);
  if (constraint_count() > 0 && !make_feasible(out.coefficients)) return out;
  Mat u = Mat::Zero(outputs(), observations());
  double penalty = 0;
  for (size_t k = 0; k < blocks_.size(); ++k) {
    u +=
        mixing_.col(static_cast<Index>(k)) * blocks_[k]->values_of(out.coefficients[k]).transpose();
    penalty += blocks_[k]->penalty_of(out.coefficients[k]);
    out.rank += blocks_[k]->rank_of(out.coefficients[k]);
  }
  out.primal = risk_.value(u) + penalty;
  return out;
}

}  // namespace psd
