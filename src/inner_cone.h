// inner_cone.h: a smooth stand-in for the projection on the dual of a cone, {c : G' c >= 0}, from
// inside: the c that minimises |c - t|^2 / 2 - m sum_j log(g_j' c).
#pragma once
#include <memory>

#include "types.h"

namespace psd {

// Newton's method, started from the last solution.
class InnerProjection {
 public:
  // Generators in columns; the sum of their directions must lie inside the dual cone, as it does
  // when no two of them have an obtuse angle.
  explicit InnerProjection(std::shared_ptr<const Mat> generators);

  void move_to(const Vec& t, double m);

  const Vec& point() const { return c_; }          // c
  const Vec& heights() const { return heights_; }  // G' c
  double barrier() const { return -heights_.array().log().sum(); }

  // c changes by the inverse of this matrix, I + m G diag(heights^-2) G', times a change of t.
  Mat stiffness() const;

 private:
  double value(const Vec& c, const Vec& heights) const;

  std::shared_ptr<const Mat> generators_;
  Vec t_;
  double m_ = 0;
  Vec c_, heights_;
};

}  // namespace psd
