#include "pivoted_cholesky.h"

#include <algorithm>
#include <cmath>

namespace psd {

Mat PivotedCholesky::factor() const {
  const Index r = static_cast<Index>(pivots.size());
  Mat lower = Mat::Zero(r, r);
  for (Index j = 0; j < r; ++j) lower.row(j).head(j + 1) = rows.col(pivots[j]).head(j + 1);
  return lower;
}

namespace {

// `hopeless(rank, remaining)`: to be given up, with so much left of the largest diagonal?
template <class Hopeless>
PivotedCholesky grown_while(Vec diagonal, const std::function<Vec(Index)>& column, double tol,
                            Index max_rank, const Hopeless& hopeless) {
  const Index n = diagonal.size();
  const double largest = diagonal.maxCoeff();
  max_rank = std::min(max_rank, n);
  // The transpose of V while it grows: new columns are appended, products run down columns.
  Mat grown(n, std::min<Index>(max_rank, 32));
  PivotedCholesky out;
  for (Index rank = 0; rank < max_rank; ++rank) {
    Index pivot;
    const double top = diagonal.maxCoeff(&pivot);
    if (!(top > tol * largest)) break;
    if (hopeless(rank, top / largest)) return {};
    if (rank == grown.cols()) grown.conservativeResize(n, std::min(2 * rank, max_rank));
    Vec next = column(pivot);
    next.noalias() -= grown.leftCols(rank) * grown.row(pivot).head(rank).transpose();
    next /= std::sqrt(top);
    for (const Index taken : out.pivots) next[taken] = 0;  // exactly, not up to rounding
    grown.col(rank) = next;
    diagonal -= next.cwiseAbs2();
    diagonal[pivot] = 0;
    out.pivots.push_back(pivot);
  }
  out.rows = grown.leftCols(static_cast<Index>(out.pivots.size())).transpose();
  return out;
}

}  // namespace

PivotedCholesky pivoted_cholesky(Vec diagonal, const std::function<Vec(Index)>& column, double tol,
                                 Index max_rank) {
  return grown_while(std::move(diagonal), column, tol, max_rank,
                     [](Index, double) { return false; });
}

PivotedCholesky whole_pivoted_cholesky(Vec diagonal, const std::function<Vec(Index)>& column,
                                       double tol, Index max_rank, Index enough) {
  // At the pace so far, which only gets slower.
  auto hopeless = [&](Index rank, double remaining) {
    return rank + 1 >= max_rank ||
           (rank >= enough && static_cast<double>(rank) * std::log(tol) <
                                  static_cast<double>(max_rank) * std::log(remaining));
  };
  return grown_while(std::move(diagonal), column, tol, max_rank, hopeless);
}

}  // namespace psd
