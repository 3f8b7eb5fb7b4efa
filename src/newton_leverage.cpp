#include "newton_leverage.h"

#include <stdexcept>

#include "newton_system.h"

namespace psd {
namespace {

constexpr double kCgTol = 1e-6;  // leverages are compared, not summed: a few digits do

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

}  // namespace psd
