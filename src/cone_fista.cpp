#include <algorithm>
#include <cmath>

#include "accelerated.h"
#include "cone.h"
#include "cone_shrinkage.h"

namespace psd {
namespace {

// z = (a, Lambda_1 / scale, Lambda_2 / scale, ..., mu / scale), with a scale that makes all parts
// about equally curved.
class ConeDual : public Composite {
 public:
  ConeDual(const Risk& risk, const ConeMaps& maps)
      : risk_(risk), maps_(maps), a_(static_cast<size_t>(maps.outputs())) {
    Vec along = Vec::Ones(maps.observations());  // power iterations for that of a -> V diag(a) V'
    for (int k = 0; k < 20; ++k) {
      const Mat weighted = maps.v() * along.normalized().asDiagonal();
      along = maps.values_under(weighted * maps.v().transpose());
    }
    curvature_ = along.norm() / maps.l2();
    scale_ = std::sqrt(along.norm() / (maps.normals().transpose() * maps.normals()).norm());
  }

  double curvature() const { return curvature_; }

  Vec scaled(Vec z) const { return with_multipliers_times(1 / scale_, std::move(z)); }
  Vec unscaled(Vec z) const { return with_multipliers_times(scale_, std::move(z)); }

  Vec start() const {
    Vec z = Vec::Zero(maps_.dual_size());
    maps_.a(z) = risk_.start();
    return z;
  }

  double simple(const Vec& z) const override {
    return risk_.conjugate(maps_.a(z)) + scale_ * maps_.mu(z).dot(maps_.integrals().limits().bound);
  }

  void prox(Vec& z, double step) const override {
    Mat dual = maps_.a(z);
    risk_.prox_conjugate(dual, step);
    maps_.a(z) = dual;
    Shrinkage positive(-kInf, 0);
    for (Index t = 0; t < maps_.halfspaces(); ++t) {
      positive.move_to(maps_.multiplier(z, t));
      maps_.multiplier(z, t) = positive.value();
    }
    const Constraints& limits = maps_.integrals().limits();
    maps_.mu(z) -= step * scale_ * limits.bound;
    for (Index k = 0; k < limits.bound.size(); ++k) {
      if (!limits.equality[static_cast<size_t>(k)]) maps_.mu(z)[k] = std::max(0.0, maps_.mu(z)[k]);
    }
  }

  // The blocks' part at z, where the A_s stay.
  double move_to(const Vec& z) override {
    const Vec all = unscaled(z);
    Shrinkage soft(-maps_.l1(), maps_.l1());
    double sum = 0;
    for (Index s = 0; s < maps_.outputs(); ++s) {
      soft.move_to(maps_.matrix_at(all, s));
      a_[static_cast<size_t>(s)] = soft.value() / maps_.l2();
      sum += soft.squared_norm() / (2 * maps_.l2());
    }
    return sum;
  }

  Vec gradient() const override {
    Vec out(maps_.dual_size());
    maps_.a(out) = -maps_.values_of(a_);
    for (Index t = 0; t < maps_.halfspaces(); ++t) {
      maps_.multiplier(out, t) = scale_ * maps_.combined(a_, t);
    }
    maps_.mu(out) = -scale_ * maps_.integrals().of(a_);
    return out;
  }

  Certificate certificate(double objective) const override {
    return maps_.certificate(risk_, a_, objective);
  }

 private:
  Vec with_multipliers_times(double factor, Vec z) const {
    z.tail(z.size() - maps_.dual_count()) *= factor;
    return z;
  }

  const Risk& risk_;
  const ConeMaps& maps_;
  double curvature_ = 1, scale_ = 1;
  std::vector<Mat> a_;  // the A_s
};

}  // namespace

Solution cone_fista(const Risk& risk, const ConeMaps& maps, const Settings& settings,
                    const Vec& start, const Monitor& monitor) {
  ConeDual dual(risk, maps);
  const Vec z = start.size() > 0 ? dual.scaled(start) : dual.start();
  Solution out = accelerated(dual, settings, z, dual.curvature() / 10, monitor);
  out.dual = dual.unscaled(out.dual);
  return out;
}

}  // namespace psd
