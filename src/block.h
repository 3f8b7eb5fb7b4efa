// block.h: one function g of the model and its penalty, seen from the dual.
//
// A block has up to five jobs, each an interface of its own: the penalty's conjugate, its
// curvature, the primal point it stands for, and, where functions live in many dimensions, smaller
// spaces and standing where a function is known.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "nodes.h"
#include "types.h"

namespace psd {

// Observations above which no n x n matrix is formed.
constexpr Index kDenseLimit = 4000;

// The Hessian of a block in b (n x n), or what stands for it in a preconditioner.
struct Curvature {
  enum class Kind { low_rank, dense, diagonal };
  Kind kind;
  Mat x;  // low_rank: H ~ basis x x' basis'; dense: H ~ x; diagonal: H ~ diag(x), one column
  std::shared_ptr<const Mat> basis;
  bool partial = false;  // only the parts that matter most

  // Of low rank, where an empty x stands for the identity.
  Index rank() const { return x.size() > 0 ? x.cols() : basis->cols(); }
  Mat factor() const { return x.size() > 0 ? Mat(*basis * x) : *basis; }
  Vec factor_times(const Vec& v) const { return *basis * (x.size() > 0 ? Vec(x * v) : v); }
  Vec factor_transposed_times(const Vec& v) const {
    const Vec half = basis->transpose() * v;
    return x.size() > 0 ? Vec(x.transpose() * half) : half;
  }
};

// What to compute besides the value and the gradient.
struct Ask {
  bool curved = false;  // second derivatives
  double barrier = 0;   // smooths a PSD block: -(barrier / size of A) log det A in its penalty; and
                        //   conic ones likewise
};

// The penalty's conjugate as a function of b (one number an observation) and nu (one a
// constraint). Minus its gradient in b is g at the observations; in nu, the block's share
// <A, W_m> of each constraint.
class Conjugate {
 public:
  virtual ~Conjugate() = default;

  // The conjugate at (b, nu). The block stays there.
  virtual double move_to(const Vec& b, const Vec& nu, Ask ask) = 0;

  // The conjugate on the line from (b, nu) along (db, dnu), without going there: cheap for many t.
  virtual std::function<double(double)> along(const Vec& b, const Vec& nu, const Vec& db,
                                              const Vec& dnu, double barrier) const = 0;

  // Whether g is zero at (b, nu): cheaper than going there.
  virtual bool vanishes(const Vec& /*b*/, const Vec& /*nu*/) const { return false; }

  // Where the block stands.
  virtual const Vec& values() const = 0;
  virtual const Vec& integrals() const = 0;
};

// The conjugate's second derivatives where the block stands.
class Curved {
 public:
  virtual ~Curved() = default;

  // The Hessian applied to (db, dnu).
  virtual void curve(const Vec& db, const Vec& dnu, Vec& out_b, Vec& out_nu) const = 0;

  // The same in b as a matrix; unless `exact`, near enough to precondition with.
  virtual Curvature curvature(bool exact) const = 0;

  // Whether they are the same everywhere.
  virtual bool quadratic() const { return false; }

  // Whether the gradient has so many kinks that Newton's method may have to go around them.
  virtual bool kinked() const { return false; }
};

// The function g itself, by its coefficients: R with A = R R' for a PSD block, w for a linear one,
// the generators' shares for a conic one.
class Primal {
 public:
  virtual ~Primal() = default;

  // Where the block stands; and what can be asked of any coefficients.
  virtual Mat coefficients() const = 0;
  virtual Vec values_of(const Mat& coefficients) const = 0;
  virtual Vec integrals_of(const Mat& coefficients) const = 0;
  virtual double penalty_of(const Mat& coefficients) const = 0;
  virtual Index rank_of(const Mat& /*coefficients*/) const { return 0; }
  virtual void scale(Mat& coefficients, double factor) const { coefficients *= factor; }

  // Moving coefficients so that constraints hold: along a direction for each constraint m in
  // `which`, along which the integrals grow as `repair_gram`. False if g would leave its set.
  virtual Mat repair_gram(const Mat& coefficients, const std::vector<Index>& which) const = 0;
  virtual bool repair(Mat& coefficients, const std::vector<Index>& which,
                      const Vec& amount) const = 0;
};

class Block;

// The many features that A acts on, few of which matter at the optimum.
class FeatureSpace {
 public:
  virtual ~FeatureSpace() = default;

  virtual Index size() const = 0;

  // The same block with features basis' phi, its columns orthonormal.
  virtual std::unique_ptr<Block> restricted(const Mat& basis) const = 0;
};

// A block that can be told its function.
class Guided {
 public:
  virtual ~Guided() = default;

  // The block stands at (b, nu) as if A were R R' at an optimum; what (b, nu) says against that
  // counts to first order.
  virtual void assume(const Mat& root, const Vec& b, const Vec& nu) = 0;
};

struct PsdParts;

class Block : public Conjugate, public Curved, public Primal {
 public:
  // What a PSD block is made of, for solvers of its own; null for others.
  virtual const PsdParts* psd_parts() const { return nullptr; }

  // Null for a block whose functions are few.
  virtual const FeatureSpace* feature_space() const { return nullptr; }

  // Null for a block that cannot.
  virtual Guided* guided() { return nullptr; }
};

// g = phi' A phi, A >= 0, penalty l1 tr A + (l2 / 2) |A|^2. `v`: phi in columns; `forms`: one
// matrix W_m a constraint, of size zero where the constraint does not concern this block. `nodes`,
// if known, save finding them. `offset`, if not of size zero, is a symmetric Q that adds <A, Q> to
// the penalty.
std::unique_ptr<Block> make_psd_block(Mat v, double l1, double l2, std::vector<Mat> forms,
                                      std::shared_ptr<const Nodes> nodes, Mat offset);

// g = w' phi, penalty (l / 2) |w|^2; constraints w' q_m, q_m the columns of `q`.
std::unique_ptr<Block> make_linear_block(Mat v, double l, Mat q);

// The same with w in the cone generated by the columns of `generators`; its coefficients are those
// of w there, all non-negative.
std::unique_ptr<Block> make_conic_block(Mat v, Mat generators, double l, Mat q);

// A linear block whose g is non-negative at the observations.
std::unique_ptr<Block> make_partial_block(Mat v, double l, Mat q);

}  // namespace psd
