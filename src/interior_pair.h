// interior_pair.h: a PSD block in an interior point: A and Z positive definite, on their way to
// A Z = mu I and Z = S + l2 A, with the scaling of Nesterov and Todd.
#pragma once
#include "block_psd_curvature.h"
#include "interior_scaling.h"

namespace psd {

class Pair {
 public:
  // Multiples of the identity.
  Pair(const PsdParts& parts, double a, double z);

  double size() const { return static_cast<double>(parts_->map.size()); }
  const PsdParts& parts() const { return *parts_; }

  double complementarity() const;  // <A, Z>, now and after t times the last step
  double complementarity_after(double t) const;

  const Vec& values() const { return values_; }  // phi' A phi

  // The scaling, and with it how A follows b; false if rounding has taken over.
  bool prepare(const Vec& b);
  const PsdCurvature& curvature() const { return curvature_; }

  // Towards A Z = center I, with the product of the last step's changes if these are to be
  // `corrected`: what the values change by if b does not.
  Vec aim(double center, bool corrected);

  // The step that belongs to db.
  void follow(const Vec& db);

  double reach(double most) const { return scaling_.reach(step_, most); }
  void move(double length);

  Mat root() const;           // R with A = R R'
  Spectrum spectrum() const;  // of A

 private:
  const PsdParts* parts_;
  Mat a_, z_;
  Vec values_;
  Scaling scaling_;
  PsdCurvature curvature_;
  Mat omega_, g_, infeasible_, free_;
  Mat da_, dz_;         // the last step,
  Scaling::Step step_;  //   as the scaling sees it
};

}  // namespace psd
