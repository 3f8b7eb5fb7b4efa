#include "axis_stretches.h"

#include <algorithm>

#include "decompositions.h"
#include "products.h"

namespace psd {
namespace {

constexpr double kRankTol = 1e-15;    // of the sections at the nodes
constexpr Index kParts = 8;           // of an axis, at least
constexpr double kMostAtOnce = 1e10;  // multiplications to compress an axis as one stretch
constexpr Index kStretch = 100;       // cells of a stretch, otherwise

Stretch compressed_at(const Kernel& kernel, const Anchors& anchors, const Mat& points,
                      const Vec& root, Index first, Index count, std::vector<Index> near) {
  const Anchors some = some_of(anchors, near);
  Mat v = sections(kernel, some, points.middleRows(first, count)).transpose();
  v.array().colwise() *= root.segment(first, count).array();
  Compressed found = compressed(v, kRankTol);
  return {first, std::move(near), std::move(found.basis), std::move(found.values)};
}

}  // namespace

std::vector<Index> reaching(const Anchors& anchors, double low, double high, double reach) {
  std::vector<Index> out;
  for (Index j = 0; j < anchors.size(); ++j) {
    const double at = anchors.at(j, 0), own = reach * anchors.width(j, 0);
    if (at + own > low && at - own < high) out.push_back(j);
  }
  return out;
}

Anchors some_of(const Anchors& anchors, const std::vector<Index>& which) {
  return {rows_of(anchors.at, which), rows_of(anchors.width, which)};
}

Mat rows_of(const Mat& m, const std::vector<Index>& which) {
  Mat out(static_cast<Index>(which.size()), m.cols());
  for (Index k = 0; k < out.rows(); ++k) out.row(k) = m.row(which[static_cast<size_t>(k)]);
  return out;
}

Stretches make_stretches(const Kernel& kernel, const Anchors& anchors, const Mat& points,
                         const Vec& root, const Vec& weight, Index per_cell, double reach) {
  const Index cells = points.rows() / per_cell;
  const double size = static_cast<double>(anchors.size());
  const bool whole = static_cast<double>(points.rows()) * size * size <= kMostAtOnce;
  const Index stretch = whole ? cells : std::min(kStretch, cells);
  const Index part = std::min((cells + kParts - 1) / kParts, stretch);
  Stretches out;
  for (Index first = 0; first < cells; first += stretch) {
    const Index count = std::min(stretch, cells - first), node = first * per_cell;
    const double low = points(node, 0), high = points(node + count * per_cell - 1, 0);
    std::vector<Index> near = reaching(anchors, low, high, whole ? kInf : reach);
    if (near.empty()) continue;
    const Index number = static_cast<Index>(out.all.size());
    out.all.push_back(
        compressed_at(kernel, anchors, points, root, node, count * per_cell, std::move(near)));
    const Mat& values = out.all.back().values;
    for (Index from = 0; from < count; from += part) {
      const Index own = std::min(part, count - from) * per_cell;
      const Mat here = values.middleCols(from * per_cell, own);
      const Mat weighted = here * weight.segment(node + from * per_cell, own).asDiagonal();
      out.parts.push_back(
          {number, first + from, own / per_cell, product(weighted, transposed(here))});
    }
  }
  return out;
}

}  // namespace psd
