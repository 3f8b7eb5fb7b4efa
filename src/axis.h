// axis.h: one coordinate of |F' (c o v(x))|^2 measure(dx): its distribution function and quantiles.
//
// On short cells such a density is a polynomial up to rounding. Its integrals are then known at
// every point from values at a few nodes. Sums of closed forms over pairs of anchors would lose up
// to eight digits to cancellation; these are good to rounding.
#pragma once
#include <vector>

#include "integrals.h"
#include "legendre.h"

namespace psd {

// Cells, and the sections (times the root of the measure's density) at their nodes as basis *
// values, with orthonormal rows of `values`.
class Axis {
 public:
  // `at`, `width`: of the sections on this coordinate. `factor` is F, and must outlive the axis.
  // `alone`: no other coordinate comes before it, so that no table is asked for but start().
  Axis(const Kernel& kernel, const Vec& at, const Vec& width, const Mat& factor,
       const Weight& weight, bool alone);

  // A density: its Legendre coefficients on each cell (columns), its integral up to each edge.
  struct Table {
    Mat coefficients;
    Vec until;
  };

  // When the sections of the other coordinates are worth `c`, up to a constant; and when nothing is
  // known of the others.
  Table table(const Vec& c) const;
  const Table& start() const { return start_; }

  // The share of the integral below x, and the x with a share u below.
  double below(const Table& density, double x) const;
  double quantile(const Table& density, double u) const;

 private:
  void set_edges(const Kernel& kernel, const Vec& at, const Vec& width, const Weight& weight,
                 double reach);
  Mat node_places() const;
  Vec squares(const Kernel& kernel, const Anchors& anchors, const Mat& points, double reach) const;
  Table tabulated(const Vec& g) const;  // from values at the nodes
  void compress(const Mat& v);
  Vec quadratic(const Mat& gram) const;

  Index cells() const { return static_cast<Index>(edges_.size()) - 1; }
  double half(Index cell) const;             // half its length
  double place(Index cell, double t) const;  // t in [-1, 1]

  const Mat& factor_;
  std::vector<double> edges_;
  Mat basis_, values_;
  Table start_;
};

}  // namespace psd
