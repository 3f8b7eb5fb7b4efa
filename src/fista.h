// fista.h: accelerated proximal gradient on the dual, as in the paper, with adaptive restart and
// a step size that can also grow. Asks of the risk no more than its prox.
#pragma once
#include "solver.h"

namespace psd {

Solution fista(Problem& problem, const Settings& settings, Vec z, const Monitor& monitor);

}  // namespace psd
