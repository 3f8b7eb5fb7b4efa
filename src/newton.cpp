#include "newton.h"

#include <algorithm>
#include <cmath>

#include "gradients.h"
#include "newton_box.h"
#include "newton_system.h"

namespace psd {
namespace {

// Of the decrease that the slope promises, the share a step must bring: little, as steps that bring
// less are rare and halving is dear.
constexpr double kArmijo = 1e-4;
// What the gradients leave of a step's residual where they are dear, in units of the tolerance
// asked for, and at most: a step that leaves less gains no more, as the next one has another
// Hessian.
constexpr double kLoose = 1e3, kLoosest = 1e-3;
constexpr double kShort = 0.5;  // a step that says its direction was not good enough
constexpr int kPatience = 40;   // iterations over kinks before they are smoothed
constexpr int kHope = 40;       // iterations that leave no less than
constexpr double kVain = 0.95;  //   this of a gap are the last ones, where
constexpr double kWide = 1e-2;  //   it is so wide that rounding keeps it open
// Of the way to the boundary, at most: of the box, which a barrier keeps off; and of the losses'
// own, where the logarithm's curvature is so misleading that the way back takes many steps.
constexpr double kFraction = 0.995, kRiskFraction = 0.9;
constexpr int kHalvings = 40;                     // of a step: beyond, rounding errors decide
constexpr double kRounding = 1e-14;               // of the objective, relative
constexpr double kNoSlope = 1e-3;                 // of rounding: a smaller decrease cannot be seen
constexpr double kMuLeast = 1e-6, kMuMost = 1e3;  // where the barrier begins, by the gap

// By what mu shrinks after a step of this length, and what of the decrement it stays above, so that
// it does not run ahead of the iterates.
double shrinkage(double step) { return step > 0.9 ? 0.1 : (step > 0.5 ? 0.3 : 0.7); }
double behind(double step) { return step > 0.9 ? 0.01 : 0.05; }

class Descent {
 public:
  Descent(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
          Tracker& tracker, int first)
      : problem_(problem),
        risk_(risk),
        settings_(settings),
        tracker_(tracker),
        first_(first),
        box_(problem, risk),
        z_(std::move(z)),
        barrier_(!box_.empty()),
        fine_(step_tolerance(settings.tol)),
        loose_(usually_loose()) {}

  Solution run() {
    for (int iteration = first_;; ++iteration) {
      if (iteration == first_ + kPatience && problem_.kinked()) barrier_ = true;
      if (iteration == first_ || barrier_) smooth_ = problem_.move_to(z_, {true});
      if (tracker_.record(look(), z_, iteration)) return tracker_.finish("converged");
      if (settings_.spent(iteration)) return tracker_.finish(settings_.limit(iteration));
      const int past = iteration - first_;
      if (past >= kPatience && past % kHope == 0 && hopeless()) return tracker_.finish("stalled");
      const Vec before = z_, gradient = slope_and_diagonal();
      const NewtonSystem system(problem_, diagonal_, nu_diagonal_, fine_, loose_, care_);
      const Vec dz = -system.solve(gradient);
      decrement_ = -gradient.dot(dz);
      const bool stuck = !search(dz) || decrement_ <= kNoSlope * rounding();
      if (stuck && care_ == Care::dense) return last_look(iteration + 1);
      if (stuck) {
        take_care(before);
      } else {
        box_.step_multipliers(before, dz, mu_, z_);
        if (care_ == Care::little) loose_ = step_ < kShort ? fine_ : usually_loose();
      }
    }
  }

 private:
  double usually_loose() const { return std::clamp(kLoose * settings_.tol, fine_, kLoosest); }

  // Whether the gap, once there is one, is wide and where it was when this was last asked.
  bool hopeless() {
    const double before = gap_;
    gap_ = tracker_.relative_gap();
    return gap_ > kWide && gap_ > kVain * before;
  }

  // The certificate where the problem stands; with a barrier that of the smoothed problem if it is
  // better, and there the problem stays.
  Certificate look() {
    const double exact = smooth_ + problem_.simple(z_);
    Certificate found = problem_.certificate(exact);
    if (!barrier_) {
      objective_ = exact;
      return found;
    }
    lower_barrier(found.gap());
    smooth_ = problem_.move_to(z_, {true, mu_});
    objective_ = smooth_ + problem_.simple(z_);
    Certificate smoothed = problem_.certificate(exact);
    return smoothed.primal < found.primal ? smoothed : found;
  }

  void lower_barrier(double gap) {
    if (mu_ == 0) {
      mu_ = std::clamp(std::isfinite(gap) ? gap : 1.0, kMuLeast, kMuMost);
      box_.center(z_, mu_);
    }
    const double now = box_.empty() ? mu_ : box_.complementarity(z_);
    // Never up again.
    mu_ = std::min(mu_, std::max(shrinkage(step_) * now, behind(step_) * decrement_));
  }

  // The gradient of what is minimised; and the part of the Hessian that is not the blocks'.
  Vec slope_and_diagonal() {
    const Index count = problem_.constraint_count(), size = z_.size() - count;
    const Index outputs = problem_.outputs();
    Vec gradient = problem_.gradient();
    Mat risk_gradient;
    risk_.derivatives(problem_.a(z_), risk_gradient, diagonal_);
    gradient.head(size) += Eigen::Map<const Vec>(risk_gradient.data(), size);
    gradient.tail(count) += problem_.constraints().bound;
    box_.add_gradient(z_, mu_, gradient);
    const Vec ends = box_.diagonal(z_);
    for (Index k = 0; k < size; ++k) {
      diagonal_((k % outputs) * (outputs + 1), k / outputs) += ends[k];
    }
    nu_diagonal_ = ends.tail(count);
    return gradient;
  }

  double merit() const { return objective_ + box_.barrier(z_, mu_); }
  double rounding() const { return kRounding * std::max(1.0, std::abs(merit_)); }

  // Goes along dz as far as pays; false if no step is seen to pay.
  bool search(const Vec& dz) {
    const Vec before = z_;
    merit_ = merit();
    step_ = std::min({1.0, kFraction * box_.reach(z_, dz),
                      kRiskFraction * risk_.reach(problem_.a(z_), problem_.a(dz))});
    auto rise = [&](double smooth_there) {  // above what Armijo asks for; z moves along
      z_ = before + step_ * dz;
      const double there = smooth_there + problem_.simple(z_) + box_.barrier(z_, mu_);
      return there - merit_ + kArmijo * step_ * decrement_;
    };
    auto go = [&] {
      z_ = before + step_ * dz;
      smooth_ = problem_.move_to(z_, {true, mu_});
    };
    go();
    if (rise(smooth_) <= rounding()) return true;
    // Look along the line before going anywhere, and take the best halving.
    const auto line = problem_.along(before, dz, mu_);
    bool moved = false;
    double lowest = kInf, best = step_;
    for (int trial = 0; trial < kHalvings; ++trial) {
      step_ /= 2;
      const double here = rise(line(step_));
      moved = moved || here <= rounding();
      if (here >= lowest && moved) break;
      if (here < lowest) lowest = here, best = step_;
    }
    step_ = best;
    go();
    return moved;
  }

  // After the first failure: back, and directions as exact as can be.
  void take_care(const Vec& before) {
    care_ = Care::dense;
    fine_ = loose_ = kFinestStep;
    z_ = before;
    smooth_ = problem_.move_to(z_, {true});
  }

  Solution last_look(int iteration) {
    const double objective = problem_.move_to(z_, {}) + problem_.simple(z_);
    const bool closed = tracker_.record(problem_.certificate(objective), z_, iteration);
    return tracker_.finish(closed ? "converged" : "stalled");
  }

  Problem& problem_;
  const SmoothRisk& risk_;
  const Settings& settings_;
  Tracker& tracker_;
  int first_;  // iteration
  Box box_;

  Vec z_;
  double smooth_ = 0;     // the blocks' part at z, smoothed by mu
  double objective_ = 0;  // with the risk's
  double merit_ = 0;      // with the box's, where the last search began
  bool barrier_;
  double mu_ = 0;
  double gap_ = kInf;                // when it was last asked for hope
  double step_ = 1, decrement_ = 0;  // the last ones
  double fine_, loose_;              // what the gradients leave
  Care care_ = Care::little;         // the most from the first failure on
  Mat diagonal_;
  Vec nu_diagonal_;
};

}  // namespace

Solution newton(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                const Monitor& monitor) {
  Tracker tracker(settings, monitor);
  return newton(problem, risk, settings, std::move(z), tracker, 0);
}

Solution newton(Problem& problem, const SmoothRisk& risk, const Settings& settings, Vec z,
                Tracker& tracker, int first) {
  return Descent(problem, risk, settings, std::move(z), tracker, first).run();
}

}  // namespace psd
