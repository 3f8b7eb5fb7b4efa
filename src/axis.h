// axis.h: one coordinate of |F' (c o v(x))|^2 measure(dx): its distribution function and quantiles.
//
// On short cells such a density is a polynomial up to rounding. Its integrals are then known at
// every point from values at a few nodes. Sums of closed forms over pairs of anchors would lose up
// to eight digits to cancellation; these are good to rounding.
#pragma once
#include <vector>

#include "axis_stretches.h"
#include "integrals.h"
#include "legendre.h"

namespace psd {

// Cells, and the sections (times the root of the measure's density) at their nodes, compressed.
// Kernels that are not smooth have a cell between any two anchors, thousands of nodes: a quantile
// is looked for in one of a few parts of the axis, whose masses follow from the Gram matrices of
// `values` there.
class Axis {
 public:
  // `at`, `width`: of the sections on this coordinate. `factor` is F, and must outlive the axis.
  // `alone`: no other coordinate comes before it, so that it is asked for below() and quantile(u).
  Axis(const Kernel& kernel, const Vec& at, const Vec& width, const Mat& factor,
       const Weight& weight, bool alone);

  // Alone: the share of the integral below x, and the x with a share u below.
  double below(double x) const;
  double quantile(double u) const { return quantile(start_, u); }

  // The same x when the sections of the coordinates before are worth `c`, up to a constant.
  double quantile(const Vec& c, double u) const;

 private:
  // A density on the cells from `first` on: its Legendre coefficients on each (columns), its
  // integral up to each edge.
  struct Table {
    Index first;
    Mat coefficients;
    Vec until;
  };

  void set_edges(const Kernel& kernel, const Vec& at, const Vec& width, const Weight& weight,
                 double reach);
  Mat node_places() const;
  Vec squares(const Kernel& kernel, const Anchors& anchors, const Mat& points, double reach) const;
  Table tabulated(const Vec& g, Index first) const;  // from values at the nodes
  double quantile(const Table& density, double u) const;

  Index cells() const { return static_cast<Index>(edges_.size()) - 1; }
  double half(Index cell) const;             // half its length
  double place(Index cell, double t) const;  // t in [-1, 1]

  const Mat& factor_;
  std::vector<double> edges_;
  Stretches stretches_;
  Table start_;
};

}  // namespace psd
