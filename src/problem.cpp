#include "problem.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr double kStartSize = 2;  // of a, where 1 leaves every function zero
constexpr double kSlackStart = 0.1;  // of the multiplier of an inequality

}  // namespace

Problem::Problem(const Risk& risk, std::vector<std::unique_ptr<Block>> blocks, Mat mixing,
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
  for (const auto& block : blocks_) out = std::max(out, block->space());
  return out;
}

bool Problem::kinked() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const auto& b) { return b->kinked(); });
}

Eigen::Map<const Mat> Problem::a(const Vec& z) const {
  return {z.data(), outputs(), observations()};
}

Eigen::Map<Mat> Problem::a(Vec& z) const { return {z.data(), outputs(), observations()}; }

bool Problem::vanishes(const Vec& z) const {
  for (size_t k = 0; k < blocks_.size(); ++k) {
    if (!blocks_[k]->vanishes(mixed(z, static_cast<Index>(k)), nu(z))) return false;
  }
  return true;
}

// At the optimum nu' c = -<a, u> up to the penalties, and <a, u> is known on the risk's graph: the
// smallest such nu, over the equalities.
Vec Problem::start() {
  Vec z(dual_size());
  a(z) = risk_.start();
  const double pairing = constraint_count() > 0 ? risk_.pairing(a(z)) : 0;
  double square = 0;
  for (Index m = 0; m < constraint_count(); ++m) {
    if (constraints_.equality[m]) square += constraints_.bound[m] * constraints_.bound[m];
  }
  for (Index m = 0; m < constraint_count(); ++m) {
    const double share = square > 0 ? -pairing * constraints_.bound[m] / square : 0;
    nu(z)[m] = constraints_.equality[m] ? share : kSlackStart;
  }
  return sized(z);
}

Vec Problem::improved(const Vec& z) {
  const Vec other = sized(z);
  const bool better = move_to(other, {}) + simple(other) < move_to(z, {}) + simple(z);
  return better || vanishes(z) ? other : z;
}

// Where the conjugate falls along a ray: a small a leaves every function zero, a large one is far
// from the optimum, and the right size is where the functions just cease to be zero.
Vec Problem::sized(const Vec& z) {
  if (constraint_count() == 0) return shortened(z);
  Vec scaled = z;
  auto at = [&](double scale) -> const Vec& {
    a(scaled) = scale * a(z);
    return scaled;
  };
  const double least = 1e-12, most = 1e12;
  const bool on_a_ray = simple(at(most)) < simple(z);
  if (!on_a_ray || !vanishes(at(least)) || vanishes(at(most))) return z;
  double zero = 1;  // every function is zero there, and not at twice that
  while (!vanishes(at(zero))) zero /= 2;
  while (vanishes(at(2 * zero))) zero *= 2;
  return at(kStartSize * zero);
}

// Without constraints the best point on the ray of the start is easily found. It has few negative
// eigenvalues, so that the Hessian there knows little: half way to it, in logs, is better still.
Vec Problem::shortened(const Vec& z) {
  auto objective = [&](double scale) { return move_to(scale * z, {}) + simple(scale * z); };
  double best = 1, value = objective(1);
  for (double next = objective(0.25); next < value && best > 1e-12; next = objective(best / 4)) {
    value = next;
    best /= 4;
  }
  return std::sqrt(best) * z;
}

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

Problem Problem::restricted(const std::vector<Mat>& bases) const {
  std::vector<std::unique_ptr<Block>> blocks;
  for (size_t k = 0; k < blocks_.size(); ++k) blocks.push_back(blocks_[k]->restricted(bases[k]));
  return Problem(risk_, std::move(blocks), mixing_, constraints_);
}

Vec Problem::integrals_of(const std::vector<Mat>& coefficients) const {
  Vec sum = Vec::Zero(constraint_count());
  for (size_t k = 0; k < blocks_.size(); ++k) sum += blocks_[k]->integrals_of(coefficients[k]);
  return sum;
}

// First all coefficients by one factor, then a small move along each constraint still violated.
bool Problem::make_feasible(std::vector<Mat>& coefficients) const {
  const Index count = constraint_count();
  const Vec& bound = constraints_.bound;
  std::vector<Index> broken;
  Vec reached = integrals_of(coefficients);
  double along = 0, norm = 0;
  for (Index m = 0; m < count; ++m) {
    if (!constraints_.equality[m]) continue;
    broken.push_back(m);
    along += bound[m] * reached[m];
    norm += reached[m] * reached[m];
  }
  if (along > 0 && norm > 0) {
    for (size_t k = 0; k < blocks_.size(); ++k) blocks_[k]->scale(coefficients[k], along / norm);
    reached *= along / norm;
  }
  auto excess = [&](Index m) { return (reached[m] - bound[m]) / std::max(1.0, std::abs(bound[m])); };
  const double rounding = 1e-13;
  for (Index round = 0; round <= count; ++round) {
    for (Index m = 0; m < count; ++m) {
      const bool listed = std::find(broken.begin(), broken.end(), m) != broken.end();
      if (!listed && excess(m) > rounding) broken.push_back(m);
    }
    const Index size = static_cast<Index>(broken.size());
    Vec missing(size);
    double worst = 0;
    for (Index i = 0; i < size; ++i) {
      missing[i] = bound[broken[i]] - reached[broken[i]];
      worst = std::max(worst, std::abs(excess(broken[i])));
    }
    if (worst <= rounding) return true;
    Mat gram = Mat::Zero(size, size);
    for (size_t k = 0; k < blocks_.size(); ++k) {
      gram += blocks_[k]->repair_gram(coefficients[k], broken);
    }
    const Vec amount = gram.completeOrthogonalDecomposition().solve(missing);
    for (size_t k = 0; k < blocks_.size(); ++k) {
      if (!blocks_[k]->repair(coefficients[k], broken, amount)) return false;
    }
    reached = integrals_of(coefficients);
  }
  for (const Index m : broken) {
    if (std::abs(excess(m)) > 1e-9) return false;
  }
  return true;
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
    u += mixing_.col(static_cast<Index>(k)) *
         blocks_[k]->values_of(out.coefficients[k]).transpose();
    penalty += blocks_[k]->penalty_of(out.coefficients[k]);
    out.rank += blocks_[k]->rank_of(out.coefficients[k]);
  }
  out.primal = risk_.value(u) + penalty;
  return out;
}

}  // namespace psd
