// block_psd_map.h: from A to the values phi_i' A phi_i and the integrals <A, W_m>, and the way
// back, to matrices V diag(b) V' + sum_m nu_m W_m. A is given by a root R, A = R R'.
#pragma once
#include <memory>
#include <vector>

#include "nodes.h"
#include "types.h"

namespace psd {

class PsdMap {
 public:
  // phi(x_i) in columns; a form W_m of size zero takes no part.
  PsdMap(Mat v, std::vector<Mat> forms) : v_(std::move(v)), forms_(std::move(forms)) {}

  const Mat& features() const { return v_; }
  const std::vector<Mat>& forms() const { return forms_; }
  Index size() const { return v_.rows(); }

  Vec values(const Mat& root) const;
  Vec integrals(const Mat& root) const;

  // Only its lower triangle is meant to be read.
  Mat back(const Vec& b, const Vec& nu) const;

  // R' W_m R for some constraints.
  std::vector<Mat> within(const Mat& root, const std::vector<Index>& which) const;

  // For A = basis B basis', as a function of B.
  PsdMap restricted(const Mat& basis) const;

 private:
  Mat v_;
  std::vector<Mat> forms_;
};

// All that a PSD block is made of.
struct PsdParts {
  PsdMap map;
  double l1, l2;
  Mat offset;                                  // Q, of size zero if there is none
  mutable std::shared_ptr<const Nodes> nodes;  // found when first asked for, if not given

  // S; only its lower triangle is meant to be read.
  Mat matrix_at(const Vec& b, const Vec& nu) const;

  const std::shared_ptr<const Nodes>& found_nodes() const;
};

}  // namespace psd
