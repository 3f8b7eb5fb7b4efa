#include "low_rank_dual.h"

#include <algorithm>

#include "gradients.h"
#include "low_rank_point.h"
#include "newton_system.h"

namespace psd {
namespace {

constexpr double kStep = 1e-3;    // what gradients leave of the step,
constexpr double kOfReach = 0.9;  //   and what of the way to the boundary it takes, at most

}  // namespace

Vec dual_beside(Problem& problem, const SmoothRisk& risk, const Mat& root, Vec z) {
  Block& block = *problem.blocks()[0];
  LowRankPoint point(*block.psd_parts(), risk.weights(), problem.constraints().bound);
  point.go_to(root);
  const Vec a = -risk.weights().cwiseQuotient(point.values()), nu = point.multiplier();
  block.guided()->assume(point.root(), a, nu);
  Vec at(problem.dual_size()), gradient = problem.gradient();
  at << a, nu;
  Mat of_risk, diagonal;
  risk.derivatives(problem.a(at), of_risk, diagonal);
  gradient.head(a.size()) += of_risk.row(0).transpose();
  gradient.tail(nu.size()) += problem.constraints().bound;
  const NewtonSystem system(problem, diagonal, Vec::Zero(nu.size()), kFinestStep, kStep,
                            Care::little);
  const Vec step = -system.solve(gradient);
  at += std::min(1.0, kOfReach * risk.reach(problem.a(at), problem.a(step))) * step;
  auto objective = [&](const Vec& x) { return problem.move_to(x, {}) + problem.simple(x); };
  return objective(at) < objective(z) ? at : z;
}

}  // namespace psd
