// accelerated.h: accelerated proximal gradient (FISTA) on a smooth function plus a simple one.
#pragma once
#include "solver.h"

namespace psd {

// A dual problem in units in which all directions curve alike.
class Composite {
 public:
  virtual ~Composite() = default;

  // The smooth part: its value at z, where the problem stays, and its gradient there.
  virtual double move_to(const Vec& z) = 0;
  virtual Vec gradient() const = 0;

  // The simple part and its prox.
  virtual double simple(const Vec& z) const = 0;
  virtual void prox(Vec& z, double step) const = 0;

  // The primal point where the problem stands; `objective` is the sum of both parts there.
  virtual Certificate certificate(double objective) const = 0;
};

// From z, with a first guess of the curvature of the smooth part.
Solution accelerated(Composite& problem, const Settings& settings, Vec z, double curvature,
                     const Monitor& monitor);

}  // namespace psd
