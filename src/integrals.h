// integrals.h: integrals of products of kernel sections over boxes, in d dimensions.
#pragma once
#include <vector>

#include "kernel.h"
#include "types.h"

namespace psd {

// The functions v_j(x) = prod_c k((x_c - at_jc) / width_jc): each anchor has its own widths.
struct Anchors {
  Mat at;
  Mat width;

  Index size() const { return at.rows(); }
  Index dim() const { return at.cols(); }
};

// One weight a coordinate; a product measure on a box.
using Measure = std::vector<Weight>;

// exp(log_scale) * value: products over many coordinates leave the range of a double.
struct ScaledMat {
  Mat value;
  double log_scale;
};

// M_ij = int prod_c x_c^(power_c) v_i(x) v_j(x) measure(dx), powers 0, 1 or 2.
ScaledMat gram(const Kernel& kernel, const Anchors& anchors, const Measure& measure,
               const std::vector<int>& power);

// The same for v_i alone: one column.
ScaledMat mean_section(const Kernel& kernel, const Anchors& anchors, const Measure& measure,
                       const std::vector<int>& power);

// int (sum_i a_i v_i) (sum_k b_k w_k) measure(dx) = exp(log_scale) sum, and the sum of the absolute
// values of its terms: no matrix of all of them is kept.
struct PairedSum {
  double sum;
  double absolute;
  double log_scale;
};

PairedSum paired_sum(const Kernel& kernel, const Anchors& one, const Vec& a, const Anchors& other,
                     const Vec& b, const Measure& measure);

// v_j(x_i) for all anchors (rows) and points (columns), and their logarithms; points are rows of x.
Mat log_sections(const Kernel& kernel, const Anchors& anchors, const ConstMat& x);
Mat sections(const Kernel& kernel, const Anchors& anchors, const ConstMat& x);

}  // namespace psd
