// nodes.h: products of two features as functions of the observations.
//
// For a smooth kernel a few observations, the nodes, determine such a product at all others:
// h(x) = T h(nodes), from a pivoted Cholesky of the kernel K o K, whose space holds the products.
// A quadratic form in products, such as a block's Hessian, is then T (form at the nodes) T'.
#pragma once
#include <memory>
#include <vector>

#include "types.h"

namespace psd {

struct Nodes {
  std::vector<Index> at;  // empty if they would not be few
  Mat factor;             // L on the nodes; T = basis L^{-1}
  Mat basis;              // n x nodes

  bool few() const { return !at.empty(); }

  // The columns of g that belong to nodes.
  Mat select(const Mat& g) const;

  // R with T form T' = basis R R' basis'.
  Mat root(const Mat& form) const;
};

// `v`: features in rows, observations in columns.
Nodes make_nodes(const Mat& v);

}  // namespace psd
