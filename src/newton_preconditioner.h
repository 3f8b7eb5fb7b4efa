// newton_preconditioner.h: an approximation of D + the blocks' Hessian in a, factorised once.
#pragma once
#include "decompositions.h"
#include "problem.h"

namespace psd {

// D by its blocks: column i of `blocks` is the one of observation i.
inline Eigen::Map<const Mat> square(const Mat& blocks, Index i, Index size) {
  return {blocks.col(i).data(), size, size};
}

// How good an approximation has to be: good enough for gradients to do the rest; with the exact
// Hessian; and by a dense factor if that fits, as Woodbury's formula loses digits when D spans many
// orders of magnitude.
enum class Care { little, exact, dense };

class Preconditioner {
 public:
  // `diagonal`: column i is the J x J block of D at observation i.
  Preconditioner(const Problem& problem, const Mat& diagonal, Care care);

  // With curvatures that are not those of the blocks, one a block.
  Preconditioner(const Problem& problem, const Mat& diagonal, std::vector<Curvature> curvatures);

  Mat solve(const Mat& rhs) const;

  bool exact() const;  // up to nodes and rounding

  // The diagonal of the inverse, for one output.
  Vec inverse_diagonal() const;

  // The diagonal blocks of D - D (the inverse) D, or (D^{-1} + (the blocks' Hessian)^{-1})^{-1}:
  // how the outputs at each observation follow what they are asked to be. One column each.
  Mat response_blocks() const;

 private:
  enum class Kind { woodbury, dense, diagonal };

  void factorise(bool dense);
  void choose(bool dense);
  void set_woodbury();
  void set_dense();
  void set_diagonal();
  void invert(const Mat& diagonal);
  Mat times_inverse(const Mat& rhs) const;
  Mat factored_responses() const;

  const Problem& problem_;
  const Mat& diagonal_;
  std::vector<Curvature> curvatures_;
  Kind kind_ = Kind::woodbury;
  Mat inverse_;  // column i: the inverse of block i
  Cholesky factor_;
};

}  // namespace psd
