// interior_system.h: the linear system of an interior point's step,
//   K x = rhs,  K = diag(d) + H,  H_ij = sum_kl omega_kl g_ki g_li g_kj g_lj.
#pragma once
#include "decompositions.h"
#include "nodes.h"
#include "types.h"

namespace psd {

// x -> phi(x)' M phi(x) at the observations, through the nodes if they are few.
class Products {
 public:
  Products(const Mat& v, std::shared_ptr<const Nodes> nodes);

  const Mat& features() const { return at_; }  // at the nodes, or everywhere
  const Nodes& nodes() const { return *nodes_; }

  // From the nodes to all observations, and the transpose.
  Vec everywhere(const Vec& at_nodes) const;
  Vec gathered(const Vec& all) const;

 private:
  std::shared_ptr<const Nodes> nodes_;
  Mat at_;
};

class InteriorSystem {
 public:
  // `g`: the products' features, rotated.
  InteriorSystem(const Products& products, const Mat& omega, const Mat& g, const Vec& d);

  bool sound() const { return factor_.sound(); }  // K is positive definite

  Mat solve(const Mat& rhs) const;

 private:
  Vec times(const Vec& x) const;
  Vec approximate(const Vec& rhs) const;
  Vec refined(const Vec& rhs) const;

  const Products& products_;
  const Vec& d_;
  Mat root_;  // H = basis root root' basis' if the nodes are few
  Cholesky factor_;
};

}  // namespace psd
