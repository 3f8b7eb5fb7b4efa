#include "newton_leverage.h"

#include <stdexcept>

#include "newton_system.h"

namespace psd {
namespace {

constexpr double kCgTol = 1e-6;      // leverages are compared, not summed: a few digits do
constexpr double kLeastRest = 1e-8;  // of one, what a leverage leaves
// Of the risk, the barrier that smooths the blocks: directions that take no part, but nearly would,
// do so when an observation is left out.
constexpr double kSmoothing = 2e-5;

}  // namespace

Vec leverages(Problem& problem, const SmoothRisk& risk, const Vec& z) {
  if (problem.outputs() != 1) throw std::invalid_argument("leverages are for one output");
  Mat gradient, diagonal;
  problem.move_to(z, {true});
  risk.derivatives(problem.a(z), gradient, diagonal);
  const NewtonSystem system(problem, diagonal, Vec::Zero(problem.constraint_count()), kCgTol,
                            kCgTol, Care::exact);
  return 1 - diagonal.row(0).transpose().array() * system.inverse_diagonal().array();
}

// With a_i forced to zero and the others at their best, the outputs at i change by
//   ([(M^{-1})_ii]^{-1} - D_i) a_i = L K (I - K)^{-1} L' a_i,  D_i = L L',  K = L^{-1} Q_i L^{-T},
// Q_i the response's block; D is diagonal here.
Mat left_out_changes(Problem& problem, const SmoothRisk& risk, const Vec& z, double blur) {
  if (problem.constraint_count() > 0) throw std::invalid_argument("constraints are not known here");
  const Index j = problem.outputs(), n = problem.observations();
  problem.move_to(z, {});
  Mat outputs = Mat::Zero(j, n);
  for (size_t k = 0; k < problem.blocks().size(); ++k) {
    outputs +=
        problem.mixing().col(static_cast<Index>(k)) * problem.blocks()[k]->values().transpose();
  }
  const Mat root = risk.blurred_curvatures(outputs, blur).cwiseSqrt();  // L^{-1}
  Mat diagonal = Mat::Zero(j * j, n);
  for (Index k = 0; k < j; ++k) diagonal.row(k * (j + 1)) = root.row(k).cwiseAbs2().cwiseInverse();
  problem.move_to(z, {true, kSmoothing * risk.value(outputs)});
  const Mat responses = Preconditioner(problem, diagonal, Care::little).response_blocks();
  Mat out(j, n);
  for (Index i = 0; i < n; ++i) {
    const Vec scale = root.col(i);
    const Mat k = scale.asDiagonal() * square(responses, i, j) * scale.asDiagonal();
    Mat rest = -k;
    rest.diagonal().array() += 1 + kLeastRest;
    const Vec seen = problem.a(z).col(i).cwiseQuotient(scale);
    out.col(i) = (k * Cholesky(rest).solve(seen)).cwiseQuotient(scale);
  }
  return out;
}

}  // namespace psd
