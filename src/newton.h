// newton.h: damped semismooth Newton on the dual, primal-dual interior point where the
// conjugate's domain has a box.
#pragma once
#include "solver.h"

namespace psd {

Solution newton(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                const Monitor& monitor);

// Goes on from what another solver has tracked; iterations are counted from `first`.
Solution newton(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                Tracker& tracker, int first);

// As a solver that goes on from where another one stopped.
inline Stage newton_stage(Problem& problem, const SmoothRisk& risk) {
  return [&](const Settings& left, const Vec& z, const Monitor& monitor) {
    return newton(problem, risk, left, z, monitor);
  };
}

}  // namespace psd
