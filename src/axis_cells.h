// axis_cells.h: where on a coordinate there is something to be cut into cells.
#pragma once
#include <vector>

#include "kernel.h"

namespace psd {

// Where sections reach, and the narrowest width among them.
struct Interval {
  double low;
  double high;
  double width;
};

// Where the sections reach inside the support, as disjoint intervals in their order, each with the
// narrowest section there: far from all anchors there is nothing to cut into cells, however far
// that is, and where only wide ones reach not much.
std::vector<Interval> covered(const Vec& at, const Vec& width, double reach, const Weight& weight);

}  // namespace psd
