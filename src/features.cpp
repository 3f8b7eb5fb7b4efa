#include "features.h"

#include <stdexcept>

#include "decompositions.h"

namespace psd {
namespace {

Vec kernel_column(const Kernel& kernel, const ConstMat& x, const Recipe& recipe, Index j) {
  Vec sum = Vec::Zero(x.rows());
  for (Index s = 0; s < recipe.weight.size(); ++s) {
    const Anchors one{x.row(j), recipe.width.row(s)};
    sum += recipe.weight[s] * sections(kernel, one, x).transpose();
  }
  return sum;
}

Anchors make_anchors(const ConstMat& x, const std::vector<Index>& landmarks, const Recipe& recipe) {
  const Index kernels = static_cast<Index>(landmarks.size()), scales = recipe.weight.size();
  const Index size = kernels * scales + recipe.extra.size();
  Anchors out{Mat(size, x.cols()), Mat(size, x.cols())};
  for (Index s = 0; s < scales; ++s) {
    for (Index j = 0; j < kernels; ++j) out.at.row(s * kernels + j) = x.row(landmarks[j]);
    out.width.middleRows(s * kernels, kernels).rowwise() = recipe.width.row(s);
  }
  if (recipe.extra.size() > 0) {
    out.at.bottomRows(recipe.extra.size()) = recipe.extra.at;
    out.width.bottomRows(recipe.extra.size()) = recipe.extra.width;
  }
  return out;
}

// Whether each landmark is one anchor as it is: then `mix` is the identity.
bool plain(const Vec& weight) { return weight.size() == 1 && weight[0] == 1; }

// mix m: the rows of one landmark's scales summed, those of extra sections kept.
Mat mixed(const Features& features, const Mat& m) {
  if (plain(features.weight)) return m;
  const Index kernels = static_cast<Index>(features.landmarks.size());
  const Index scales = features.weight.size(), extra = m.rows() - kernels * scales;
  Mat out = Mat::Zero(kernels + extra, m.cols());
  for (Index s = 0; s < scales; ++s) {
    out.topRows(kernels) += features.weight[s] * m.middleRows(s * kernels, kernels);
  }
  out.bottomRows(extra) = m.bottomRows(extra);
  return out;
}

// mix' m.
Mat unmixed(const Features& features, const Mat& m) {
  if (plain(features.weight)) return m;
  const Index kernels = static_cast<Index>(features.landmarks.size());
  const Index scales = features.weight.size(), extra = m.rows() - kernels;
  Mat out(kernels * scales + extra, m.cols());
  for (Index s = 0; s < scales; ++s) {
    out.middleRows(s * kernels, kernels) = features.weight[s] * m.topRows(kernels);
  }
  out.bottomRows(extra) = m.bottomRows(extra);
  return out;
}

// L^{-1} gram L^{-T}.
Mat to_features(const Mat& factor, const Mat& gram) {
  const Mat half = lower_solve(factor, gram);
  const Mat whole = lower_solve(factor, half.transpose());
  return (whole + whole.transpose()) / 2;
}

void check_recipe(const Recipe& recipe, Index d) {
  const bool sound = recipe.width.rows() == recipe.weight.size() && recipe.weight.size() > 0 &&
                     recipe.width.cols() == d && recipe.extra.size() == recipe.size.size();
  if (!sound) throw std::invalid_argument("features must have one width a scale and coordinate");
  const bool positive = (recipe.weight.array() > 0).all() && (recipe.size.array() > 0).all();
  if (!positive) throw std::invalid_argument("weights and sizes of features must be positive");
}

void refuse_slopes(const Features& features) {
  if (features.slope > 0) {
    throw std::invalid_argument("coordinates as features have no integrals");
  }
}

}  // namespace

PivotedCholesky choose_landmarks(const Kernel& kernel, const ConstMat& x, const Recipe& recipe) {
  check_recipe(recipe, x.cols());
  return pivoted_cholesky(
      Vec::Constant(x.rows(), recipe.weight.sum()),
      [&](Index j) { return kernel_column(kernel, x, recipe, j); }, recipe.tol, recipe.max_rank);
}

bool same_landmarks(const Recipe& one, const Recipe& other) {
  auto same = [](const Mat& a, const Mat& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
  };
  return same(one.width, other.width) && same(one.weight, other.weight) && one.tol == other.tol &&
         one.max_rank == other.max_rank;
}

PivotedCholesky landmarks_of(const Features& features) {
  return {features.landmarks,
          features.values.topRows(static_cast<Index>(features.landmarks.size()))};
}

Features make_features(const Kernel& kernel, const ConstMat& x, const Recipe& recipe,
                       const PivotedCholesky& chosen) {
  const Index n = x.rows(), extra = recipe.size.size();
  const Index linear = recipe.slope > 0 ? x.cols() : 0;
  const Index kernels = static_cast<Index>(chosen.pivots.size());

  Features out;
  out.landmarks = chosen.pivots;
  out.anchors = make_anchors(x, out.landmarks, recipe);
  out.weight = recipe.weight;
  out.slope = recipe.slope;
  out.factor = Mat::Zero(kernels + extra, kernels + extra);
  out.factor.topLeftCorner(kernels, kernels) = chosen.factor();
  out.factor.diagonal().tail(extra) = recipe.size.cwiseInverse();
  out.values.resize(kernels + extra + linear, n);
  out.values.topRows(kernels) = chosen.rows;
  if (extra > 0) {
    out.values.middleRows(kernels, extra) =
        recipe.size.asDiagonal() * sections(kernel, recipe.extra, x);
  }
  out.values.bottomRows(linear) = recipe.slope * x.leftCols(linear).transpose();
  return out;
}

Coefficients to_anchors(const Features& features, const Mat& coefficients) {
  const Index kernels = features.factor.rows();
  Mat on_sections = coefficients.topRows(kernels);
  if (on_sections.cols() > 0) on_sections = upper_solve(features.factor, on_sections);
  return {unmixed(features, on_sections),
          features.slope * coefficients.bottomRows(coefficients.rows() - kernels)};
}

ScaledMat square_integral(const Kernel& kernel, const Features& features, const Measure& measure,
                          const std::vector<int>& power) {
  refuse_slopes(features);
  ScaledMat out = gram(kernel, features.anchors, measure, power);
  out.value = mixed(features, mixed(features, out.value).transpose());
  out.value = to_features(features.factor, out.value);
  return out;
}

ScaledMat mean_integral(const Kernel& kernel, const Features& features, const Measure& measure,
                        const std::vector<int>& power) {
  refuse_slopes(features);
  ScaledMat out = mean_section(kernel, features.anchors, measure, power);
  out.value = lower_solve(features.factor, mixed(features, out.value));
  return out;
}

}  // namespace psd
