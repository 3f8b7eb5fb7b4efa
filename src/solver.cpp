#include "solver.h"

#include <algorithm>
#include <cmath>

#include "work.h"

namespace psd {

double relative_gap(const Certificate& found) {
  if (!std::isfinite(found.primal)) return kInf;
  return found.gap() / std::max(1.0, std::abs(found.primal));
}

std::string Settings::limit(int iteration) const {
  if (iteration >= max_iter) return "max_iter";
  return work_done() >= max_work ? "max_work" : "";
}

const PsdParts* log_density_block(const Problem& problem, const SmoothRisk& risk) {
  const bool lone = problem.blocks().size() == 1 && problem.mixing()(0, 0) == 1;
  return lone && risk.logarithmic() ? problem.blocks()[0]->psd_parts() : nullptr;
}

Solution continued(Solution found, const Settings& settings, const Monitor& monitor,
                   const Stage& next) {
  const int first = found.iterations + 1;
  const Monitor later{[&](Progress progress) {
                        progress.iteration += first;
                        monitor.report(progress);
                      },
                      monitor.check};
  Settings left = settings;
  left.max_iter = std::max(0, settings.max_iter - first);
  Solution other = next(left, found.dual, later);
  other.iterations += first;
  if (other.certificate.gap() > found.certificate.gap()) {
    other.certificate = std::move(found.certificate);
    other.dual = std::move(found.dual);
  }
  return other;
}

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

bool Tracker::prefer(Certificate simpler) {
  simpler.dual = best_.certificate.dual;
  if (!(psd::relative_gap(simpler) <= settings_.tol)) return false;
  best_.certificate = std::move(simpler);
  return true;
}

double Tracker::relative_gap() const { return psd::relative_gap(best_.certificate); }

Solution Tracker::finish(const std::string& status) const {
  Solution out = best_;
  out.status = status;
  return out;
}

}  // namespace psd
