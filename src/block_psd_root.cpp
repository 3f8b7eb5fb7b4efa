#include "block_psd_root.h"

#include "decompositions.h"
#include "products.h"

namespace psd {

Spectrum spectrum_around(const Mat& s, const Mat& root, double l2, double least) {
  const Singular own = left_singular(root);
  const Index rank = own.values.size();
  const Mat across = product(s, own.left);
  const Mat inner = product(transposed(own.left), across);
  const double beyond = 2 * s.norm() + 1;  // where R's own directions are moved to
  const Mat moved = across - own.left * (inner / 2) - beyond / 2 * own.left;
  const Mat turned = product(moved, transposed(own.left));
  Spectrum out = eigen_all(s - turned - turned.transpose());
  const Mat beside = out.vectors.leftCols(s.rows() - rank);
  const Vec values = out.values.head(s.rows() - rank).cwiseMax(least);
  out.vectors << own.left, beside;
  out.values << -l2 * own.values.cwiseAbs2(), values;
  return out;
}

}  // namespace psd
