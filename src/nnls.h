// nnls.h: the projection on a cone given by generators: min |G x - t| over x >= 0.
#pragma once
#include <memory>
#include <vector>

#include "types.h"

namespace psd {

// Active sets (Lawson and Hanson), started from the last solution. The generators in use are kept
// as G_P = Q R, Q orthonormal, updated as they come and go.
class ConeProjection {
 public:
  // Generators in columns.
  explicit ConeProjection(std::shared_ptr<const Mat> generators);

  void move_to(const Vec& t);

  const Vec& coefficients() const { return x_; }  // x, one a generator
  const Vec& point() const { return point_; }     // G x, the projection of t

  // Orthonormal columns that span the generators with x > 0.
  auto face() const { return q_.leftCols(count()); }

 private:
  Index count() const { return static_cast<Index>(used_.size()); }
  bool append(Index generator);
  void remove(Index position);
  void settle(const Vec& t);

  std::shared_ptr<const Mat> generators_;
  Vec norms_;
  Vec x_, point_;
  std::vector<Index> used_;
  Mat q_, r_;
};

}  // namespace psd
