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
  monitor_.check();
  monitor_.report({iteration, best.primal, best.dual, best.gap(), best.rank, elapsed.count()});
  return relative_gap() <= settings_.tol;
}

double Tracker::relative_gap() const {
  const Certificate& best = best_.certificate;
  return std::isfinite(best.primal) ? best.gap() / std::max(1.0, std::abs(best.primal)) : kInf;
}

Solution Tracker::finish(const std::string& status) const {
  Solution out = best_;
  out.status = status;
  return out;
}

}  // namespace psd
