#include "sample.h"

#include "axis.h"

namespace psd {
namespace {

constexpr Index kTick = 64;  // draws between ticks

}  // namespace

Vec distribution(const Model& model, const Weight& measure, const ConstVec& ends) {
  refuse_slopes(model);
  const Axis axis(model.kernel, model.anchors.at.col(0), model.anchors.width.col(0),
                  model.coefficients, measure, true);
  return ends.unaryExpr([&](double x) { return axis.below(x); });
}

Mat draw(const Kernel& kernel, const Anchors& anchors, const std::vector<Mat>& factors,
         const Measure& measure, const ConstMat& u, const std::function<void()>& tick) {
  const Index d = anchors.dim();
  std::vector<Axis> axes;
  for (Index k = 0; k < d; ++k) {
    axes.emplace_back(kernel, anchors.at.col(k), anchors.width.col(k),
                      factors[static_cast<size_t>(k)], measure[static_cast<size_t>(k)], k == 0);
  }
  Mat out(u.rows(), d);
  for (Index i = 0; i < u.rows(); ++i) {
    if (i % kTick == 0) tick();
    Vec log_c = Vec::Zero(anchors.size());
    for (Index k = 0; k < d; ++k) {
      const Axis& axis = axes[static_cast<size_t>(k)];
      const Vec c = (log_c.array() - log_c.maxCoeff()).exp();
      const double x = k == 0 ? axis.quantile(u(i, k)) : axis.quantile(c, u(i, k));
      out(i, k) = x;
      log_c.array() +=
          kernel.log_values((x - anchors.at.col(k).array()) / anchors.width.col(k).array());
    }
  }
  return out;
}

}  // namespace psd
