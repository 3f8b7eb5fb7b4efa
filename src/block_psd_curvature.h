// block_psd_curvature.h: second derivatives of a PSD block's conjugate.
//
// With P the eigenvalues of S that make A, G = U' V, a step dS moves A by the matrix with entries
// -h_kl (U' dS U)_kl / l2. Exactly, h = 1 for k, l in P, e_k / (e_k - e_l) for k in P and l not,
// and 0 otherwise; smoothed by -m log det A, h_kl = a_k a_l / (a_k a_l + m / l2) with a the
// eigenvalues of A, all of which are positive.
#pragma once
#include "block.h"
#include "block_psd_map.h"
#include "spectral.h"

namespace psd {

class PsdCurvature {
 public:
  // At S with the given spectrum, all of it; ...
  void move_to(const PsdMap& map, const Spectrum& spectrum);

  // ... `amounts`: the eigenvalues of A; `smoothing`: m.
  void set(const PsdMap& map, const Spectrum& spectrum, const Vec& amounts, double l2,
           double smoothing);

  // Or by how A moves against dS, dA = -omega o dS, in coordinates where the features are g; no
  // constraints.
  void set(const Mat& g, const Mat& omega);

  void times(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const;

  // The same for any rows P of U' dS U.
  void times_rows(Mat rows, Vec& out_b, Vec& out_nu) const;

  // For a preconditioner; low rank if the pairs of directions that matter are few, or the nodes,
  // and otherwise, unless it must be `exact`, by the largest pairs alone.
  Curvature matrix(const PsdParts& parts, bool exact) const;

 private:
  Mat pair_sizes() const;
  Curvature columns(const Mat& sizes) const;  // of the pairs whose size is not zero
  Mat at(const Mat& g) const;
  Vec diagonal() const;

  double l2_ = 1;
  bool smoothed_ = false;
  Index rank_ = 0;            // size of P
  Mat g_;                     // G
  Mat factors_;               // h for rows P; columns outside P stand for rows outside P as well
  std::vector<Mat> rotated_;  // rows P of U' W_m U
};

}  // namespace psd
