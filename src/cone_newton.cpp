#include <algorithm>
#include <cmath>

#include "cone.h"
#include "cone_inner.h"

namespace psd {
namespace {

constexpr double kFirstShare = 0.1;  // of the size of A over l1: where tau begins
constexpr double kNear = 0.2;     // a proximal point is known well enough at this share of the way
constexpr double kCgShare = 0.1;  // of a Newton direction's residual that may be left
constexpr double kArmijo = 1e-4;
constexpr int kMostTrials = 40;
constexpr double kLeastShare = 0.01;  // of a step that was too long, to try next
constexpr double kRounding = 1e-14;   // of the objective, relative
constexpr int kMostInner = 10;        // Newton steps to one proximal point
constexpr int kPatience = 8;          // proximal points without a better gap before it is a stall

// By what tau and theta change after a proximal point that took so many steps.
double growth_after(int steps) {
  if (steps <= 2) return 2;
  if (steps <= 4) return 1.5;
  return steps < kMostInner ? 1.1 : 0.4;
}

class ProximalPoints {
 public:
  ProximalPoints(const SmoothRisk& risk, const ConeMaps& maps, const Settings& settings, Vec z,
                 const Monitor& monitor)
      : risk_(risk),
        maps_(maps),
        settings_(settings),
        monitor_(monitor),
        tracker_(settings, monitor),
        inner_(risk, maps),
        z_(std::move(z)) {}

  Solution run() {
    begin();
    double best = kInf;
    for (int idle = 0;; ++idle) {
      const int steps = approach();
      const Vec dual = inner_.feasible(z_);
      if (tracker_.record(certificate(dual), dual, iteration_)) return tracker_.finish("converged");
      if (settings_.spent(iteration_)) return tracker_.finish(settings_.limit(iteration_));
      if (tracker_.relative_gap() < 0.9 * best) {
        best = tracker_.relative_gap();
        idle = 0;
      }
      if (idle >= kPatience && stuck_) return tracker_.finish("stalled");
      const double growth = stuck_ ? 0.4 : growth_after(steps);
      tau_ *= growth;
      theta_ *= growth;
      z_ = dual;
      inner_.set_center(inner_.point(), tau_, theta_);
    }
  }

 private:
  // Units: outputs as large as the best without penalty, where a is zero.
  void begin() {
    Mat u, hessian, a = Mat::Zero(maps_.outputs(), maps_.observations());
    if (!std::isfinite(risk_.conjugate(a))) a = risk_.start();
    risk_.derivatives(a, u, hessian);
    const Mat empty = Mat::Zero(maps_.features(), maps_.features());
    ConePoint center{std::vector<Mat>(static_cast<size_t>(maps_.outputs()), empty),
                     std::vector<Mat>(static_cast<size_t>(maps_.halfspaces()), empty), u,
                     maps_.integrals().limits().bound};
    double size = std::sqrt((u.cwiseAbs2() * risk_.weights()).sum());
    if (!(size > 0)) size = 1;
    const double length = maps_.v().squaredNorm() / static_cast<double>(maps_.observations());
    tau_ = kFirstShare * size / (length * maps_.l1());
    theta_ = natural_theta(a, hessian, size);
    if (z_.size() == 0) {
      z_ = Vec::Zero(maps_.dual_size());
      maps_.a(z_) = a;
    }
    inner_.set_center(std::move(center), tau_, theta_);
  }

  // Where the losses curve as much as the proximal term does.
  double natural_theta(const Mat& a, const Mat& hessian, double size) const {
    Mat lower, upper;
    risk_.box(lower, upper);
    double sum = 0;
    for (Index i = 0; i < a.cols(); ++i) {
      const double w = risk_.weights()[i];
      for (Index s = 0; s < a.rows(); ++s) {
        const double width = (upper(s, i) - lower(s, i)) / (2 * w);
        sum += w * std::max(w * hessian(s * (a.rows() + 1), i),
                            std::isfinite(width) ? 0.1 * size / width : 0);
      }
    }
    const double mean = sum / static_cast<double>(a.rows());
    return mean > 0 ? mean : 1;
  }

  Certificate certificate(const Vec& dual) const {
    double objective =
        risk_.conjugate(maps_.a(dual)) + maps_.mu(dual).dot(maps_.integrals().limits().bound);
    Shrinkage soft(-maps_.l1(), maps_.l1());
    for (Index s = 0; s < maps_.outputs(); ++s) {
      soft.move_to(maps_.matrix_at(dual, s));
      objective += soft.squared_norm() / (2 * maps_.l2());
    }
    return maps_.certificate(risk_, inner_.point().a, objective);
  }

  // Newton steps until the proximal point is near; how many there were.
  int approach() {
    value_ = inner_.move_to(z_);
    stuck_ = false;
    for (int step = 0; step < kMostInner; ++step) {
      if (step > 0 && inner_.residual() <= kNear * inner_.change()) return step;
      if (settings_.spent(iteration_)) return step;
      monitor_.check();
      ++iteration_;
      if (!search(inner_.direction(kCgShare))) {
        stuck_ = true;
        return step + 1;
      }
    }
    return kMostInner;
  }

  bool search(const Vec& dz) {
    const double slope = inner_.gradient().dot(dz), before = value_;
    const Vec from = z_;
    double length = 1;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      z_ = from + length * dz;
      value_ = inner_.move_to(z_);
      const double rounding = kRounding * std::max(1.0, std::abs(before));
      if (value_ <= before + kArmijo * length * slope + rounding) return true;
      // To where a parabola is lowest: far back from where nothing curved.
      const double share = -slope * length / (2 * (value_ - before - slope * length));
      length *= std::clamp(std::isfinite(share) ? share : 0.5, kLeastShare, 0.5);
    }
    z_ = from;
    value_ = inner_.move_to(z_);
    return false;
  }

  const SmoothRisk& risk_;
  const ConeMaps& maps_;
  const Settings& settings_;
  const Monitor& monitor_;
  Tracker tracker_;
  ConeInner inner_;
  Vec z_;
  double tau_ = 1, theta_ = 1, value_ = 0;
  int iteration_ = 0;
  bool stuck_ = false;
};

}  // namespace

Solution cone_newton(const SmoothRisk& risk, const ConeMaps& maps, const Settings& settings,
                     const Vec& start, const Monitor& monitor) {
  return ProximalPoints(risk, maps, settings, start, monitor).run();
}

}  // namespace psd
