#include "solver.h"

#include <algorithm>
#include <cmath>

namespace psd {

bool Tracker::record(Certificate found, const Vec& z, int iteration) {
  Certificate& best = best_.certificate;
  const double dual = std::max(best.dual, found.dual);
  if (best.coefficients.empty() || found.primal <= best.primal) best = std::move(found);
  best.dual = dual;
  best_.dual = z;
  best_.iterations = iteration;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  monitor_({iteration, best.primal, best.dual, best.gap(), best.rank, elapsed.count()});
  return std::isfinite(best.primal) &&
         best.gap() <= settings_.tol * std::max(1.0, std::abs(best.primal));
}

Solution Tracker::finish(const std::string& status) const {
  Solution out = best_;
  out.status = status;
  return out;
}

}  // namespace psd
