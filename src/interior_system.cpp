#include "interior_system.h"

#include "gradients.h"
#include "pairs.h"
#include "products.h"

namespace psd {
namespace {

// Woodbury's formula loses digits where d spans many orders of magnitude; conjugate gradients find
// them again.
constexpr int kCgMax = 20;
constexpr double kCgTol = 1e-8;

}  // namespace

Products::Products(const Mat& v, std::shared_ptr<const Nodes> nodes)
    : nodes_(std::move(nodes)), at_(nodes_->few() ? nodes_->select(v) : v) {}

Vec Products::everywhere(const Vec& at_nodes) const {
  if (!nodes_->few()) return at_nodes;
  return nodes_->basis * nodes_->factor.triangularView<Eigen::Lower>().solve(at_nodes);
}

Vec Products::gathered(const Vec& all) const {
  if (!nodes_->few()) return all;
  const Vec half = nodes_->basis.transpose() * all;
  return nodes_->factor.transpose().triangularView<Eigen::Upper>().solve(half);
}

InteriorSystem::InteriorSystem(const Products& products, const Mat& omega, const Mat& g,
                               const Vec& d)
    : products_(products), d_(d) {
  Mat inner = all_pairs(omega, g);
  if (products.nodes().few()) {
    root_ = products.nodes().root(inner);
    const Mat& basis = products.nodes().basis;
    const Mat gram =
        lower_square(basis.transpose(), d.cwiseInverse()).selfadjointView<Eigen::Lower>();
    inner = product(transposed(root_), product(gram, root_));
    inner.diagonal().array() += 1;
  } else {
    inner.diagonal() += d;
  }
  factor_.compute(inner);
}

Vec InteriorSystem::times(const Vec& x) const {
  const Mat& basis = products_.nodes().basis;
  const Vec inner = root_ * (root_.transpose() * (basis.transpose() * x));
  return d_.cwiseProduct(x) + basis * inner;
}

Vec InteriorSystem::approximate(const Vec& rhs) const {
  const Mat& basis = products_.nodes().basis;
  const Vec scaled = rhs.cwiseQuotient(d_);
  const Vec inner = factor_.solve(Vec(root_.transpose() * (basis.transpose() * scaled)));
  return scaled - (basis * (root_ * inner)).cwiseQuotient(d_);
}

Vec InteriorSystem::refined(const Vec& rhs) const {
  return conjugate_gradients(
      rhs, [&](const Vec& p) { return times(p); }, [&](const Vec& r) { return approximate(r); },
      [](double length) { return kCgTol * kCgTol * length; }, kCgMax);
}

Mat InteriorSystem::solve(const Mat& rhs) const {
  if (!products_.nodes().few()) return factor_.solve(rhs);
  Mat out(rhs.rows(), rhs.cols());
  for (Index k = 0; k < rhs.cols(); ++k) out.col(k) = refined(rhs.col(k));
  return out;
}

}  // namespace psd
