// pivoted_cholesky.h: K ~ V' V from columns of K asked for one at a time; K is never formed.
#pragma once
#include <functional>
#include <vector>

#include "types.h"

namespace psd {

struct PivotedCholesky {
  std::vector<Index> pivots;
  Mat rows;  // V: rank x n; restricted to the pivots it is upper triangular

  // L, lower triangular, with L L' = K restricted to the pivots.
  Mat factor() const;
};

// Stops when the largest remaining diagonal is at most tol times the largest of all, or at
// max_rank. O(n rank) memory, O(n rank^2) time. `column(j)` is K_{., j}.
PivotedCholesky pivoted_cholesky(Vec diagonal, const std::function<Vec(Index)>& column, double tol,
                                 Index max_rank);

// The same for those who need the tolerance: no pivots if max_rank does not do. That is seen early:
// once there are `enough` pivots for all points to be near one, what remains falls ever more
// slowly.
PivotedCholesky whole_pivoted_cholesky(Vec diagonal, const std::function<Vec(Index)>& column,
                                       double tol, Index max_rank, Index enough);

}  // namespace psd
