// block.h: one function g of the model and its penalty, seen from the dual.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "nodes.h"
#include "types.h"

namespace psd {

// The Hessian of a block in b (n x n), or what stands for it in a preconditioner.
struct Curvature {
  enum class Kind { low_rank, dense, diagonal };
  Kind kind;
  Mat x;  // low_rank: H ~ basis x x' basis'; dense: H ~ x; diagonal: H ~ diag(x), one column
  std::shared_ptr<const Mat> basis;
};

// What to compute besides the value and the gradient.
struct Ask {
  bool curved = false;  // second derivatives
  Index lowest = 0;     // at least so many of the lowest eigenvectors of S
  double barrier = 0;   // smooths a PSD block: -(barrier / size of A) log det A in its penalty
};

// The penalty's conjugate as a function of b (one number an observation) and nu (one a
// constraint). Minus its gradient in b is g at the observations; in nu, the block's share
// <A, W_m> of each constraint.
class Block {
 public:
  virtual ~Block() = default;

  // How many features A acts on; 0 for a linear block.
  virtual Index space() const = 0;

  // The conjugate at (b, nu). The block stays there.
  virtual double move_to(const Vec& b, const Vec& nu, Ask ask) = 0;

  // The conjugate on the line from (b, nu) along (db, dnu), without going there: cheap for many t.
  virtual std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                              const Vec& dnu, double barrier) const = 0;

  // Whether g is zero at (b, nu): cheaper than going there.
  virtual bool vanishes(const Vec& b, const Vec& nu) const = 0;

  // Where the block stands.
  virtual const Vec& values() const = 0;
  virtual const Vec& integrals() const = 0;

  // The Hessian applied to (db, dnu).
  virtual void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const = 0;
  virtual Curvature curvature() const = 0;

  // The primal point: R with A = R R' for a PSD block, w for a linear one; and what can be asked
  // of any such coefficients.
  virtual Mat coefficients() const = 0;
  virtual Vec values_of(const Mat& coefficients) const = 0;
  virtual Vec integrals_of(const Mat& coefficients) const = 0;
  virtual double penalty_of(const Mat& coefficients) const = 0;
  virtual Index rank_of(const Mat& coefficients) const = 0;
  virtual void scale(Mat& coefficients, double factor) const = 0;

  // The same block with features basis' phi, its columns orthonormal; and a basis that keeps the
  // given coefficients and the lowest eigenvectors found by the last move. A linear block is not
  // restricted: its basis is empty.
  virtual std::unique_ptr<Block> restricted(const Mat& basis) const = 0;
  virtual Mat working_basis(const Mat& coefficients, Index lowest) const = 0;

  // Moving coefficients so that constraints hold: along a direction for each constraint m in
  // `which`, along which the integrals grow as `repair_gram`. False if g would leave its set.
  virtual Mat repair_gram(const Mat& coefficients, const std::vector<Index>& which) const = 0;
  virtual bool repair(Mat& coefficients, const std::vector<Index>& which,
                      const Vec& amount) const = 0;
};

// g = phi' A phi, A >= 0, penalty l1 tr A + (l2 / 2) |A|^2. `v`: phi in columns; `w`: one matrix
// a constraint, of size zero where the constraint does not concern this block.
// `nodes`, if known, save finding them. `offset`, if not of size zero, is a symmetric Q that adds
// <A, Q> to the penalty.
std::unique_ptr<Block> make_psd_block(Mat v, double l1, double l2, std::vector<Mat> w,
                                      std::shared_ptr<const Nodes> nodes, Mat offset);

// g = w' phi, penalty (l / 2) |w|^2; constraints w' q_m, q_m the columns of `q`.
std::unique_ptr<Block> make_linear_block(Mat v, double l, Mat q);

}  // namespace psd
