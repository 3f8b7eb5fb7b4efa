// newton_preconditioner.h: an approximation of D + the blocks' Hessian in a, factorised once.
#pragma once
#include "decompositions.h"
#include "problem.h"

namespace psd {

// D by its blocks: column i of `blocks` is the one of observation i.
inline Eigen::Map<const Mat> square(const Mat& blocks, Index i, Index size) {
  return {blocks.col(i).data(), size, size};
}

class Preconditioner {
 public:
  // `diagonal`: column i is the J x J block of D at observation i. `accurate`: a dense factor if it
  // fits, as Woodbury's formula loses digits when D spans many orders of magnitude.
  Preconditioner(const Problem& problem, const Mat& diagonal, bool accurate);

  Mat solve(const Mat& rhs) const;

  // The diagonal of the inverse, for one output.
  Vec inverse_diagonal() const;

 private:
  enum class Kind { woodbury, dense, diagonal };

  void choose(bool accurate);
  void set_woodbury();
  void set_dense();
  void set_diagonal();
  void invert(const Mat& diagonal);
  Mat times_inverse(const Mat& rhs) const;

  const Problem& problem_;
  const Mat& diagonal_;
  std::vector<Curvature> curvatures_;
  Kind kind_ = Kind::woodbury;
  Mat inverse_;  // column i: the inverse of block i
  Cholesky factor_;
};

}  // namespace psd
