#include "low_rank.h"

#include <algorithm>
#include <cmath>

#include "decompositions.h"
#include "gradients.h"
#include "interior.h"
#include "low_rank_dual.h"
#include "low_rank_point.h"
#include "newton.h"

namespace psd {
namespace {

constexpr double kNear = 1e-2;    // a gap, relative, that the dual's own solver closes in few steps
constexpr double kWithin = 1e-5;  // a gap in the directions resolved, before all are looked at,
constexpr int kMostWithin = 40;   //   and iterations towards it
constexpr double kBeside = 1e-2;  // a gap from which a step for R and the dual together is worth it
constexpr int kMostRounds = 25;
constexpr int kMostIdle = 2;     // rounds in a row that do not halve a gap are the last ones,
constexpr double kClosed = 0.1;  //   if the gap is no wider
constexpr int kMostSteps = 8, kFewSteps = 4;   // a round, for a certificate and without
constexpr double kFirst = 1e-3, kFiner = 0.1;  // what a round may leave to gain, and the next one
constexpr double kLeast = 1e-9;
constexpr double kNegligible = 0.01;   // of the tolerance: what a column must bring
constexpr Index kMostNew = 6;          // columns a round
constexpr double kMostColumns = 0.5;   // of the features: beyond, nothing is gained
constexpr double kSpanned = 1e-6;      // of the longest direction
constexpr double kResolved = 1e-2;     // of the curvature of the penalty
constexpr double kMostResolved = 0.8;  // of all directions: else they are not few

// The directions of `found` that R does not span, longest first.
Mat beyond(const Mat& root, const Mat& found) {
  if (found.cols() == 0) return found;
  const Mat q = orthonormal(root);
  const Singular directions = left_singular(found - q * (q.transpose() * found));
  const Vec& sizes = directions.values;
  Index count = 0;
  while (count < std::min(kMostNew, sizes.size()) && sizes[count] > kSpanned * sizes[0]) ++count;
  return directions.left.leftCols(count) * sizes.head(count).asDiagonal();
}

// Newton's steps until not much is left to gain; what that is.
double descend(LowRankPoint& point, double target, int most, int& iterations) {
  double left = kInf;
  for (int k = 0; k < most && left > target; ++k, ++iterations) left = point.step();
  return left;
}

// Descent, a look at the dual, new columns, and again.
Solution rounds(Problem& problem, const SmoothRisk& risk, const Settings& settings, Mat root,
                Tracker& tracker) {
  const Block& block = *problem.blocks()[0];
  const PsdParts& parts = *block.psd_parts();
  LowRankPoint point(parts, risk.weights(), problem.constraints().bound);
  point.go_to(std::move(root));
  double target = kFirst, last = kInf, last_value = kInf;
  int iterations = 0, idle = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    point.prepare();
    const int most =
        std::min(settings.certified ? kMostSteps : kFewSteps, settings.max_iter - iterations);
    const double left = descend(point, target, most, iterations);
    point.simplify(kNegligible * settings.tol);
    Vec z(problem.dual_size());
    z << -risk.weights().cwiseQuotient(point.values()), point.multiplier();
    const double objective = problem.move_to(z, {}) + problem.simple(z);
    if (tracker.record(problem.certificate_of({point.root()}, objective), z, iterations)) {
      return tracker.finish("converged");
    }
    if (settings.spent(iterations)) return tracker.finish(settings.limit(iterations));
    const double gap = tracker.relative_gap();
    const bool wide = point.root().cols() > kMostColumns * static_cast<double>(parts.map.size());
    if (wide || (settings.certified && gap <= kNear)) break;
    if (!settings.certified && left <= settings.tol && last_value - point.value() <= settings.tol) {
      return tracker.finish("converged");
    }
    last_value = point.value();
    const bool grown = point.grow(beyond(point.root(), block.coefficients()));
    if (!grown && !(gap < last / 2) && target <= kLeast) break;
    if (left <= target) target = std::max(kFiner * target, kLeast);
    idle = gap > last / 2 ? idle + 1 : 0;
    if (settings.certified && idle >= kMostIdle && gap <= kClosed) break;
    last = gap;
  }
  return tracker.finish("stalled");
}

// The directions that the penalty lets the data resolve, judged at R; all, if they are most of
// them.
Mat resolved(const Problem& problem, const SmoothRisk& risk, const Mat& root) {
  LowRankPoint point(*problem.blocks()[0]->psd_parts(), risk.weights(),
                     problem.constraints().bound);
  point.go_to(root);
  point.prepare();
  const Mat seen = point.directions(kResolved);
  if (static_cast<double>(seen.cols()) > kMostResolved * static_cast<double>(seen.rows())) {
    return Mat::Identity(seen.rows(), seen.rows());
  }
  Mat span(seen.rows(), seen.cols() + root.cols());
  span << root, seen;
  return orthonormal(span);
}

// The dual's own solvers in these directions, where a step costs a fraction of one in all.
Solution closer(Problem& small, const SmoothRisk& risk, const Settings& settings, Solution found,
                const Monitor& monitor) {
  const bool pays = interior_pays(small, risk);
  const int most = found.iterations + (pays ? kUnevenChance : kMostWithin);
  Settings within{std::max(settings.tol, kWithin), std::min(settings.max_iter, most),
                  settings.max_work};
  if (relative_gap(found.certificate) <= kBeside) {
    found.dual = dual_beside(small, risk, found.certificate.coefficients[0], std::move(found.dual));
  }
  found = continued(std::move(found), within, monitor, newton_stage(small, risk));
  if (pays && found.status != "converged") {
    // Newton's first steps in all directions mend what is left here, but not in this case.
    within = {settings.tol, std::min(settings.max_iter, most + kMostWithin), settings.max_work};
    found = continued(std::move(found), within, monitor, interior_stage(small, risk));
  }
  found.status = settings.spent(found.iterations) ? settings.limit(found.iterations) : "stalled";
  return found;
}

}  // namespace

bool low_rank_applies(const Problem& problem, const SmoothRisk& risk) {
  const PsdParts* parts = log_density_block(problem, risk);
  if (!parts || problem.constraint_count() > 1) return false;
  if (problem.constraint_count() == 0) return true;
  return problem.constraints().equality[0] && problem.constraints().bound[0] > 0 &&
         parts->map.forms()[0].size() > 0;
}

Solution low_rank(Problem& problem, const SmoothRisk& risk, const Settings& settings, Mat root,
                  const Monitor& monitor) {
  const PsdParts& parts = *problem.blocks()[0]->psd_parts();
  if (root.cols() == 0) root = parts.map.features() * risk.weights();  // positive, as kernels are
  const Mat basis = resolved(problem, risk, root);
  Problem small = problem.restricted({basis});
  const Monitor silent{[](const Progress&) {}, monitor.check};
  Tracker inner(settings, silent);
  Solution found = rounds(small, risk, settings, basis.transpose() * root, inner);
  if (settings.certified && found.status == "stalled") {
    found = closer(small, risk, settings, std::move(found), silent);
  }
  Mat& coefficients = found.certificate.coefficients[0];
  coefficients = basis * coefficients;
  if (!settings.certified) return found;
  Tracker tracker(settings, monitor);
  const double objective = problem.move_to(found.dual, {}) + problem.simple(found.dual);
  const bool closed = tracker.record(problem.certificate_of({coefficients}, objective), found.dual,
                                     found.iterations);
  if (closed) return tracker.finish("converged");
  return tracker.finish(found.status == "converged" ? "stalled" : found.status);
}

}  // namespace psd
