#include "fista.h"

#include <cmath>

#include "accelerated.h"

namespace psd {
namespace {

// How much more the blocks curve along a than along nu, from how their gradient moves.
double curvature_ratio(Problem& problem, const Vec& z) {
  const Index count = problem.constraint_count(), size = z.size() - count;
  if (count == 0) return 1;
  problem.move_to(z, {true});
  Vec along = Vec::Zero(z.size());
  along.head(size) = z.head(size).normalized();
  for (int k = 0; k < 5; ++k) {  // power iterations
    along.head(size) = problem.curve(along).head(size);
    if (along.head(size).norm() == 0) return 1;
    along.head(size).normalize();
  }
  const double a_curvature = problem.curve(along).head(size).norm();
  along.setZero();
  along.tail(count).setConstant(1 / std::sqrt(static_cast<double>(count)));
  const double nu_curvature = problem.curve(along).tail(count).norm();
  return nu_curvature > 0 ? std::sqrt(a_curvature / nu_curvature) : 1;
}

// The problem with nu in units in which it is as curved as a.
class Scaled : public Composite {
 public:
  Scaled(Problem& problem, double nu_scale) : problem_(problem), nu_scale_(nu_scale) {}

  Vec inside(Vec z) const {
    problem_.nu(z) /= nu_scale_;
    return z;
  }

  Vec outside(Vec z) const {
    problem_.nu(z) *= nu_scale_;
    return z;
  }

  double move_to(const Vec& z) override { return problem_.move_to(outside(z), {}); }
  Vec gradient() const override { return outside(problem_.gradient()); }
  double simple(const Vec& z) const override { return problem_.simple(outside(z)); }

  void prox(Vec& z, double step) const override {
    Vec there = outside(z);
    problem_.prox(there, step, step * nu_scale_ * nu_scale_);
    z = inside(there);
  }

  Certificate certificate(double objective) const override {
    return problem_.certificate(objective);
  }

 private:
  Problem& problem_;
  double nu_scale_;
};

}  // namespace

Solution fista(Problem& problem, const Settings& settings, Vec z, const Monitor& monitor) {
  Scaled scaled(problem, curvature_ratio(problem, z));
  Solution out = accelerated(scaled, settings, scaled.inside(z), 1, monitor);
  out.dual = scaled.outside(out.dual);
  return out;
}

}  // namespace psd
