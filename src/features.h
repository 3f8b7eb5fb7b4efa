// features.h: phi(x) = L^{-1} mix v(x), the landmarks chosen by pivoted Cholesky of the kernel
// matrix.
//
// The kernel is a sum over scales, sum_s weight_s prod_c k((x_c - z_c) / width_sc): each landmark
// stands for one anchor a scale, and `mix` sums them. Features of other kinds are appended: extra
// sections `size * v(x)`, for which the constant is one of infinite width; and `slope * x_c`.
#pragma once
#include "integrals.h"
#include "pivoted_cholesky.h"
#include "types.h"

namespace psd {

struct Recipe {
  Mat width;         // one row a scale, one column a coordinate
  Vec weight;        // of each scale
  Anchors extra;     // sections besides those at the landmarks,
  Vec size;          //   and what they are multiplied by
  double slope = 0;  // of the coordinates themselves; 0: they are no features
  double tol;        // of the pivoted Cholesky
  Index max_rank;
};

struct Features {
  Anchors anchors;               // all landmarks at the first scale, at the second, ..., the extra
  std::vector<Index> landmarks;  // row numbers in the data
  Mat factor;                    // L: L L' = K on the landmarks; 1 / size for the extra sections
  Vec weight;                    // of the scales
  double slope = 0;
  Mat values;  // V: phi(x_i) in column i; last the coordinates, if they are features
};

// What a function's coefficients on the features are on the anchors, and on the coordinates: one
// row each, no rows if those are no features.
struct Coefficients {
  Mat anchors;
  Mat slopes;
};

PivotedCholesky choose_landmarks(const Kernel& kernel, const ConstMat& x, const Recipe& recipe);

// With landmarks that were chosen for this recipe, or for one that has the same_landmarks().
Features make_features(const Kernel& kernel, const ConstMat& x, const Recipe& recipe,
                       const PivotedCholesky& chosen);

bool same_landmarks(const Recipe& one, const Recipe& other);
PivotedCholesky landmarks_of(const Features& features);

Coefficients to_anchors(const Features& features, const Mat& coefficients);

// W with int x^power phi' A phi = <A, W>, and q with int x^power w' phi = w' q. Coordinates have no
// integrals over the whole space: such features are refused.
ScaledMat square_integral(const Kernel& kernel, const Features& features, const Measure& measure,
                          const std::vector<int>& power);
ScaledMat mean_integral(const Kernel& kernel, const Features& features, const Measure& measure,
                        const std::vector<int>& power);

}  // namespace psd
