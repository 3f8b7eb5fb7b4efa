// kernel_units.h: integrals in units of what is narrowest, where the powers that moments are made
// of are numbers. A unit is a power of two, which changes no digit.
#pragma once
#include "kernel.h"

namespace psd {

class Units {
 public:
  Units(const Bump& one, const Bump& other, const Weight& weight);

  Bump operator()(const Bump& bump) const;
  Weight operator()(const Weight& weight) const;

  // From these units to those of the arguments.
  Moments back(const Moments& moments, const Weight& weight) const;

 private:
  int power_ = 0;
  double unit_ = 1;
};

}  // namespace psd
