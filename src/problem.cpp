#include "problem.h"

#include <algorithm>

namespace psd {

Problem::Problem(const Risk& risk, std::vector<std::shared_ptr<Block>> blocks, Mat mixing,
                 Constraints constraints)
    : risk_(risk),
      blocks_(std::move(blocks)),
      mixing_(std::move(mixing)),
      constraints_(std::move(constraints)) {
  if (mixing_.rows() != risk.outputs() || mixing_.cols() != static_cast<Index>(blocks_.size())) {
    throw std::invalid_argument("`mixing` must have one row an output and one column a block");
  }
}

Index Problem::largest_space() const {
  Index out = 0;
  for (const auto& block : blocks_) {
    const FeatureSpace* space = block->feature_space();
    if (space) out = std::max(out, space->size());
  }
  return out;
}

bool Problem::kinked() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const auto& b) { return b->kinked(); });
}

Eigen::Map<const Mat> Problem::a(const Vec& z) const {
  return {z.data(), outputs(), observations()};
}

Eigen::Map<Mat> Problem::a(Vec& z) const { return {z.data(), outputs(), observations()}; }

double Problem::simple(const Vec& z) const {
  return risk_.conjugate(a(z)) + nu(z).dot(constraints_.bound);
}

void Problem::prox(Vec& z, double step, double nu_step) const {
  Mat dual = a(z);
  risk_.prox_conjugate(dual, step);
  a(z) = dual;
  auto multipliers = nu(z);
  multipliers -= nu_step * constraints_.bound;
  for (Index m = 0; m < constraint_count(); ++m) {
    if (!constraints_.equality[m]) multipliers[m] = std::max(0.0, multipliers[m]);
  }
}

double Problem::move_to(const Vec& z, Ask ask) {
  double sum = 0;
  for (size_t k = 0; k < blocks_.size(); ++k) {
    sum += blocks_[k]->move_to(mixed(z, static_cast<Index>(k)), nu(z), ask);
  }
  return sum;
}

std::function<double(double)> Problem::along(const Vec& z, const Vec& dz, double barrier) const {
  std::vector<std::function<double(double)>> parts;
  for (size_t k = 0; k < blocks_.size(); ++k) {
    const Index column = static_cast<Index>(k);
    parts.push_back(blocks_[k]->along(mixed(z, column), nu(z), mixed(dz, column), nu(dz), barrier));
  }
  return [parts](double t) {
    double sum = 0;
    for (const auto& part : parts) sum += part(t);
    return sum;
  };
}

Vec Problem::gradient() const {
  Vec out = Vec::Zero(dual_size());
  for (size_t k = 0; k < blocks_.size(); ++k) {
    a(out) -= mixing_.col(static_cast<Index>(k)) * blocks_[k]->values().transpose();
    nu(out) -= blocks_[k]->integrals();
  }
  return out;
}

Vec Problem::curve(const Vec& dz) const {
  Vec out = Vec::Zero(dual_size()), out_b, out_nu;
  for (size_t k = 0; k < blocks_.size(); ++k) {
    const Index column = static_cast<Index>(k);
    blocks_[k]->curve(mixed(dz, column), nu(dz), out_b, out_nu);
    a(out) += mixing_.col(column) * out_b.transpose();
    nu(out) += out_nu;
  }
  return out;
}

// Blocks without smaller spaces are shared: either problem moves them before it asks.
Problem Problem::restricted(const std::vector<Mat>& bases) const {
  std::vector<std::shared_ptr<Block>> blocks;
  for (size_t k = 0; k < blocks_.size(); ++k) {
    const FeatureSpace* space = blocks_[k]->feature_space();
    if (space) blocks.push_back(space->restricted(bases[k]));
    if (!space) blocks.push_back(blocks_[k]);
  }
  return Problem(risk_, std::move(blocks), mixing_, constraints_);
}

}  // namespace psd
