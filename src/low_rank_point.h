// low_rank_point.h: a point R of the problem over A = R R', and Newton's step from there.
#pragma once
#include "block_psd_map.h"
#include "types.h"

namespace psd {

class LowRankPoint {
 public:
  // `bound`: that of the constraint, empty if there is none.
  LowRankPoint(const PsdParts& parts, const Vec& weights, Vec bound);

  // Goes to R, scaled so that the constraint holds.
  void go_to(Mat root);

  // The preconditioner of the next steps.
  void prepare();

  // Those in which the data's curvature is at least `least` times the penalty's, once prepared.
  Mat directions(double least) const;

  // One step of Newton's method, and what a step of full length promised to gain.
  double step();

  // Adds columns, scaled so as to gain most; false if they gain nothing.
  bool grow(const Mat& columns);

  // Without the columns whose loss costs no more than `slack`.
  void simplify(double slack);

  const Mat& root() const { return root_; }
  const Vec& values() const { return f_; }  // f at the observations
  double value() const { return value_; }
  Vec multiplier() const { return tied() ? Vec::Constant(1, nu_) : Vec(); }

 private:
  bool tied() const { return bound_.size() > 0; }
  double to_the_constraint(const Mat& root) const;  // a factor of A
  double value_of(const Mat& root, const Vec& f) const;
  double linear_penalty(const Mat& root) const;
  Mat base() const;  // l1 I + Q + nu W, without a negative nu
  Mat curve(const Mat& d) const;
  Mat preconditioned(const Mat& r) const;
  Mat direction(const Mat& gradient) const;
  void rotate();

  const PsdParts& parts_;
  const Mat& phi_;
  const Vec& weights_;
  const Vec bound_;

  Mat root_, u_;   // R, and R' Phi
  Mat normal_;     // W R
  Vec f_, share_;  // and w / f
  double value_ = 0, nu_ = 0;

  Vec columns_;  // the columns' parts of f, as averages over the observations; they sum to one
  Mat basis_;    // in which base() is I and Phi diag(w / f) Phi' is diagonal,
  Vec seen_;     //   with these entries
};

}  // namespace psd
