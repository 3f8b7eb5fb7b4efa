#include "interior_ends.h"

#include <algorithm>
#include <cmath>

namespace psd {
namespace {

constexpr double kNear = 0.1;  // of the central product, and its inverse: no outlier

double reach_of(const Array& x, const Array& dx) {
  double t = kInf;
  for (Index i = 0; i < x.size(); ++i) {
    if (dx[i] < 0) t = std::min(t, -x[i] / dx[i]);
  }
  return t;
}

}  // namespace

Ends::Ends(const SmoothRisk& risk) {
  Mat lower, upper;
  risk.box(lower, upper);
  sides_[0] = side(1, lower, risk.weights());
  sides_[1] = side(-1, upper, risk.weights());
  for (const Side& side : sides_) total_weight_ += side.weight.sum();
}

Ends::Side Ends::side(double sign, const Mat& bound, const Vec& weights) {
  Side out;
  out.sign = sign;
  out.bound = Eigen::Map<const Array>(bound.data(), bound.size());
  out.weight.resize(bound.size());
  for (Index k = 0; k < bound.size(); ++k) {
    out.weight[k] = std::isfinite(out.bound[k]) ? weights[k / bound.rows()] : 0;
  }
  return out;
}

bool Ends::hold(const Vec& a) const {
  return std::all_of(std::begin(sides_), std::end(sides_), [&](const Side& side) {
    return (side.sign * (a.array() - side.bound) > 0).all();
  });
}

void Ends::start(const Vec& a, const Vec& slope, double least) {
  for (Side& side : sides_) {
    const auto there = side.weight > 0;
    side.room = there.select(side.sign * (a.array() - side.bound), 1);
    side.multiplier = there.select((side.sign * slope.array()).max(0) + least, 0);
  }
}

double Ends::complementarity() const {
  double sum = 0;
  for (const Side& side : sides_) sum += (side.room * side.multiplier).sum();
  return sum;
}

double Ends::complementarity_after(double t) const {
  double sum = 0;
  for (const Side& side : sides_) {
    sum += ((side.room + t * side.room_change) * (side.multiplier + t * side.change)).sum();
  }
  return sum;
}

Vec Ends::force() const { return sides_[0].multiplier - sides_[1].multiplier; }

Vec Ends::diagonal() const {
  return sides_[0].multiplier / sides_[0].room + sides_[1].multiplier / sides_[1].room;
}

Vec Ends::aim(double mu, bool corrected) {
  Vec out = Vec::Zero(sides_[0].room.size());
  for (Side& side : sides_) {
    side.target = mu * side.weight;
    if (corrected) side.target -= side.room_change * side.change;
    out.array() += side.sign * (side.target / side.room - side.multiplier);
  }
  return out;
}

Vec Ends::aim_at_outliers(double mu, double length) {
  Vec out = Vec::Zero(sides_[0].room.size());
  for (Side& side : sides_) {
    const Array goal = mu * side.weight;
    const Array there =
        (side.room + length * side.room_change) * (side.multiplier + length * side.change);
    const Array change = (there.max(kNear * goal).min(goal / kNear) - there).max(-goal / kNear);
    side.target += change;
    out.array() += side.sign * change / side.room;
  }
  return out;
}

void Ends::follow(const Vec& da) {
  for (Side& side : sides_) {
    side.room_change = (side.weight > 0).select(side.sign * da.array(), 0);
    side.change = (side.target - side.multiplier * side.room_change) / side.room - side.multiplier;
  }
}

double Ends::reach() const {
  double t = kInf;
  for (const Side& side : sides_) {
    t = std::min(
        {t, reach_of(side.room, side.room_change), reach_of(side.multiplier, side.change)});
  }
  return t;
}

void Ends::move(double length) {
  for (Side& side : sides_) {
    side.room += length * side.room_change;
    side.multiplier += length * side.change;
  }
}

}  // namespace psd
