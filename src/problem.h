// problem.h: the dual problem: a risk, blocks, the mixing matrix and the constraints.
//
// Over z = (a, nu), a J x n and one nu a constraint, minimise
//   risk.conjugate(a) + sum_k block_k.conjugate(b_k, nu) + nu' c,   b_k = a' mixing_k,
// with nu_m >= 0 where constraint m is an inequality (<=).
#pragma once
#include <memory>
#include <vector>

#include "block.h"
#include "risk.h"

namespace psd {

struct Constraints {
  Vec bound;                   // c
  std::vector<bool> equality;  // else <=
};

// A feasible primal point with its value, and the dual value it is judged by.
struct Certificate {
  double primal = kInf;
  double dual = -kInf;
  Index rank = 0;
  std::vector<Mat> coefficients;

  double gap() const { return primal - dual; }
};

class Problem {
 public:
  Problem(const Risk& risk, std::vector<std::shared_ptr<Block>> blocks, Mat mixing,
          Constraints constraints);

  Index dual_size() const { return outputs() * observations() + constraint_count(); }
  Index outputs() const { return mixing_.rows(); }
  Index observations() const { return risk_.observations(); }
  Index constraint_count() const { return constraints_.bound.size(); }
  const Constraints& constraints() const { return constraints_; }
  Index largest_space() const;  // features of the largest PSD block, 0 if there is none
  bool kinked() const;          // whether a block is
  const Mat& mixing() const { return mixing_; }
  const std::vector<std::shared_ptr<Block>>& blocks() const { return blocks_; }

  // The two parts of z.
  Eigen::Map<const Mat> a(const Vec& z) const;
  Eigen::Map<Mat> a(Vec& z) const;
  auto nu(const Vec& z) const { return z.tail(constraint_count()); }
  auto nu(Vec& z) const { return z.tail(constraint_count()); }

  // An interior starting point: the losses' own; and, given any point, that point or a better one
  // of the same shape if the conjugate lives on a ray (as the logarithm's does).
  Vec start();
  Vec improved(const Vec& z);

  // The simple part of the objective, risk.conjugate(a) + nu' c, and its prox.
  double simple(const Vec& z) const;
  void prox(Vec& z, double step, double nu_step) const;

  // The blocks' part: its value at z, where the blocks stay; then its gradient and Hessian there.
  double move_to(const Vec& z, Ask ask);
  std::function<double(double)> along(const Vec& z, const Vec& dz, double barrier) const;
  Vec gradient() const;
  Vec curve(const Vec& dz) const;

  // The problem over functions in smaller spaces, one basis a block.
  Problem restricted(const std::vector<Mat>& bases) const;

  // The primal point at the blocks' position, made feasible; `dual` is minus the objective there.
  Certificate certificate(double objective) const;

  // Likewise for any coefficients.
  Certificate certificate_of(std::vector<Mat> coefficients, double objective) const;

 private:
  bool vanishes(const Vec& z) const;
  Vec sized(const Vec& z);
  Vec shortened(const Vec& z);
  bool make_feasible(std::vector<Mat>& coefficients) const;
  void rescale(std::vector<Mat>& coefficients) const;
  bool repair(std::vector<Mat>& coefficients, const std::vector<Index>& broken,
              const Vec& reached) const;
  Vec integrals_of(const std::vector<Mat>& coefficients) const;
  Vec excess(const Vec& integrals) const;
  Vec mixed(const Vec& z, Index block) const { return a(z).transpose() * mixing_.col(block); }

  const Risk& risk_;
  std::vector<std::shared_ptr<Block>> blocks_;
  Mat mixing_;
  Constraints constraints_;
};

}  // namespace psd
