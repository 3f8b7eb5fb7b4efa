// newton_box.h: the box l <= z <= u of the dual, kept off by a barrier, with one multiplier an end.
#pragma once
#include <vector>

#include "problem.h"

namespace psd {

// A pair (room to the end, multiplier) is central when room * multiplier = mu * weight.
class Box {
 public:
  Box(const Problem& problem, const SmoothRisk& risk);

  bool empty() const { return ends_.empty(); }

  void center(const Vec& z, double mu);

  // The mean of room * multiplier.
  double complementarity(const Vec& z) const;

  double barrier(const Vec& z, double mu) const;
  void add_gradient(const Vec& z, double mu, Vec& gradient) const;

  // What the pairs add to the Hessian, when the multipliers follow.
  Vec diagonal(const Vec& z) const;

  // The largest t for which z + t dz stays inside.
  double reach(const Vec& z, const Vec& dz) const;

  // The multipliers' own Newton step, damped to stay positive and near centrality; z went to
  // `next`.
  void step_multipliers(const Vec& z, const Vec& dz, double mu, const Vec& next);

 private:
  struct End {
    Index at;
    double sign, bound, weight, multiplier;
  };

  void add_ends(Index at, double lower, double upper, double weight);
  static double room(const End& end, const Vec& z) { return end.sign * z[end.at] - end.bound; }

  std::vector<End> ends_;
  double total_weight_ = 0;
};

}  // namespace psd
