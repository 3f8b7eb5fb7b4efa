// axis_stretches.h: the sections on an axis, compressed: at the nodes of a stretch of cells those
// that reach it are basis * values, with orthonormal rows of `values`.
//
// One stretch is quickest where sections are few or wide. Thousands of narrow ones have stretches
// of their own, as no other section is seen from there.
#pragma once
#include <vector>

#include "integrals.h"

namespace psd {

// Cells in a row, and the integrals of the products of two of `values` over them.
struct Part {
  Index stretch, first, count;
  Mat gram;
};

struct Stretch {
  Index first_node;
  std::vector<Index> near;  // the sections that reach it
  Mat basis, values;
};

struct Stretches {
  std::vector<Stretch> all;
  std::vector<Part> parts;  // all of them in a row
};

// The anchors (of one coordinate) that reach a point between low and high, in units of their width.
std::vector<Index> reaching(const Anchors& anchors, double low, double high, double reach);
Anchors some_of(const Anchors& anchors, const std::vector<Index>& which);
Mat rows_of(const Mat& m, const std::vector<Index>& which);

// `points`: the nodes, `per_cell` to a cell; `root`: of the density of the measure there; `weight`:
// of the nodes in an integral.
Stretches make_stretches(const Kernel& kernel, const Anchors& anchors, const Mat& points,
                         const Vec& root, const Vec& weight, Index per_cell, double reach);

}  // namespace psd
