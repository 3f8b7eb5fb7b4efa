// interior_ends.h: the ends of the box l <= a <= u in which the dual of a loss lives, each with the
// room to it and a multiplier; central where room * multiplier = mu * weight.
#pragma once
#include "risk.h"

namespace psd {

class Ends {
 public:
  explicit Ends(const SmoothRisk& risk);

  // Is a strictly inside?
  bool hold(const Vec& a) const;

  // At a, with multipliers of at least `least` whose differences (lower end minus upper one) are
  // the slope, where there are two ends.
  void start(const Vec& a, const Vec& slope, double least);

  double total_weight() const { return total_weight_; }

  // The sum of room * multiplier, now and after t times the step that follow() has found.
  double complementarity() const;
  double complementarity_after(double t) const;

  Vec force() const;     // the multipliers of lower ends minus those of upper ones
  Vec diagonal() const;  // what they add to the Hessian when they follow

  // Where room * multiplier is to go: to mu * weight, less the product of the last step's changes
  // if these are to be `corrected`; and what that adds to the right-hand side.
  Vec aim(double mu, bool corrected);

  // Further (Gondzio): ends that a step of this length would leave far from mu * weight are to be
  // nearer to it. What that adds to the right-hand side.
  Vec aim_at_outliers(double mu, double length);

  // The multipliers' step that belongs to da.
  void follow(const Vec& da);

  double reach() const;
  void move(double length);

 private:
  struct Side {
    double sign;
    Array bound, weight;  // no weight where there is no end
    Array room, multiplier;
    Array target, change, room_change;
  };

  Side side(double sign, const Mat& bound, const Vec& weights);

  Side sides_[2];
  double total_weight_ = 0;
};

}  // namespace psd
