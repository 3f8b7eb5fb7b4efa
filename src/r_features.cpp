// r_features.cpp: features and their integrals, for R.
#include <algorithm>

#include "kernel_sum.h"
#include "nodes.h"
#include "normals.h"
#include "products.h"
#include "r_convert.h"
#include "spectral.h"

using namespace psd;

namespace {

Rcpp::List scaled_list(const ScaledMat& m) {
  return Rcpp::List::create(Rcpp::_["value"] = m.value, Rcpp::_["log_scale"] = m.log_scale);
}

Rcpp::List nodes_list(const Mat& values) {
  const Nodes nodes = make_nodes(values);
  return Rcpp::List::create(Rcpp::_["at"] = Rcpp::IntegerVector(nodes.at.begin(), nodes.at.end()),
                            Rcpp::_["factor"] = nodes.factor, Rcpp::_["basis"] = nodes.basis);
}

Recipe recipe_from(const Rcpp::List& part) {
  Recipe out;
  out.width = Rcpp::as<Mat>(part["width"]);
  out.weight = Rcpp::as<Vec>(part["weight"]);
  out.slope = part["slope"];
  out.tol = part["rank_tol"];
  out.max_rank = static_cast<Index>(std::min(Rcpp::as<double>(part["max_rank"]), 2147483647.0));
  const SEXP extra = part["extra"];
  if (!Rf_isNull(extra)) {
    out.extra = anchors_from(extra);
    out.size = Rcpp::as<Vec>(Rcpp::List(extra)["size"]);
  }
  return out;
}

Rcpp::List features_list(const Features& f, const Rcpp::RObject& nodes) {
  const Rcpp::IntegerVector landmarks(f.landmarks.begin(), f.landmarks.end());
  return Rcpp::List::create(Rcpp::_["anchors"] = Rcpp::List::create(
                                Rcpp::_["at"] = f.anchors.at, Rcpp::_["width"] = f.anchors.width),
                            Rcpp::_["landmarks"] = landmarks + 1, Rcpp::_["factor"] = f.factor,
                            Rcpp::_["weight"] = f.weight, Rcpp::_["slope"] = f.slope,
                            Rcpp::_["values"] = f.values, Rcpp::_["nodes"] = nodes);
}

ScaledMat integral_of(const Kernel& kernel, const Features& features, const Rcpp::List& asked) {
  const std::string form = asked["form"];
  const Measure measure = measure_from(asked["measure"]);
  const std::vector<int> power = Rcpp::as<std::vector<int>>(asked["power"]);
  if (form == "psd") return square_integral(kernel, features, measure, power);
  if (form != "linear") throw std::invalid_argument("unknown form '" + form + "'");
  return mean_integral(kernel, features, measure, power);
}

// Those of an earlier part, if they would be the same.
PivotedCholesky landmarks_for(const Rcpp::List& parts, const std::vector<Features>& made,
                              const Kernel& kernel, const ConstMat& x, const Recipe& recipe) {
  const Rcpp::List part = parts[static_cast<R_xlen_t>(made.size())];
  for (size_t p = 0; p < made.size(); ++p) {
    const Rcpp::List before = parts[static_cast<R_xlen_t>(p)];
    if (R_compute_identical(before["kernel"], part["kernel"], 16) &&
        same_landmarks(recipe_from(before), recipe)) {
      return landmarks_of(made[p]);
    }
  }
  return choose_landmarks(kernel, x, recipe);
}

}  // namespace

// Everything a problem needs before it can be solved. `parts`: list(kernel =, width = (scales x
// coordinates), weight = (one a scale), extra = NULL or list(at =, width =, size =), slope =,
// rank_tol =, max_rank =, nodes = (the most features that have any)); `integrals`: list(part = (its
// number), form = "psd" or "linear", measure =, power =).
// [[Rcpp::export]]
Rcpp::List cpp_prepare(const Eigen::Map<Eigen::MatrixXd> x, const Rcpp::List& parts,
                       const Rcpp::List& integrals) {
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<Features> made;
  Rcpp::List features, values;
  for (R_xlen_t p = 0; p < parts.size(); ++p) {
    const Rcpp::List part = parts[p];
    kernels.push_back(kernel_from(part["kernel"]));
    const Kernel& kernel = *kernels.back();
    const Recipe recipe = recipe_from(part);
    made.push_back(make_features(kernel, x, recipe, landmarks_for(parts, made, kernel, x, recipe)));
    const Mat& v = made.back().values;
    Rcpp::RObject nodes;  // NULL
    if (static_cast<double>(v.rows()) <= Rcpp::as<double>(part["nodes"])) nodes = nodes_list(v);
    features.push_back(features_list(made.back(), nodes));
  }
  for (R_xlen_t m = 0; m < integrals.size(); ++m) {
    const Rcpp::List asked = integrals[m];
    const size_t part = Rcpp::as<size_t>(asked["part"]) - 1;
    values.push_back(scaled_list(integral_of(*kernels.at(part), made.at(part), asked)));
  }
  return Rcpp::List::create(Rcpp::_["features"] = features, Rcpp::_["integrals"] = values);
}

// From coefficients on features to those on anchors, and on the coordinates if those are features.
// [[Rcpp::export]]
Rcpp::List cpp_coefficients(const Rcpp::List& features,
                            const Eigen::Map<Eigen::MatrixXd> coefficients) {
  Features from;
  from.landmarks = Rcpp::as<std::vector<Index>>(features["landmarks"]);
  from.factor = Rcpp::as<Mat>(features["factor"]);
  from.weight = Rcpp::as<Vec>(features["weight"]);
  from.slope = features["slope"];
  const Coefficients out = to_anchors(from, coefficients);
  Rcpp::RObject slopes;  // NULL
  if (from.slope > 0) slopes = Rcpp::wrap(out.slopes);
  return Rcpp::List::create(Rcpp::_["coefficients"] = out.anchors, Rcpp::_["slopes"] = slopes);
}

// [[Rcpp::export]]
Rcpp::List cpp_gram(const std::string& kernel, const Rcpp::List& anchors, const Rcpp::List& measure,
                    const std::vector<int>& power) {
  return scaled_list(
      gram(*kernel_from(kernel), anchors_from(anchors), measure_from(measure), power));
}

// [[Rcpp::export]]
Rcpp::List cpp_mean_section(const std::string& kernel, const Rcpp::List& anchors,
                            const Rcpp::List& measure, const std::vector<int>& power) {
  return scaled_list(
      mean_section(*kernel_from(kernel), anchors_from(anchors), measure_from(measure), power));
}

// [[Rcpp::export]]
Rcpp::List cpp_paired_sum(const std::string& kernel, const Rcpp::List& one,
                          const Eigen::Map<Eigen::VectorXd> a, const Rcpp::List& other,
                          const Eigen::Map<Eigen::VectorXd> b, const Rcpp::List& measure) {
  const PairedSum found = paired_sum(*kernel_from(kernel), anchors_from(one), a,
                                     anchors_from(other), b, measure_from(measure));
  return Rcpp::List::create(Rcpp::_["sum"] = found.sum, Rcpp::_["absolute"] = found.absolute,
                            Rcpp::_["log_scale"] = found.log_scale);
}

// [[Rcpp::export]]
Rcpp::List cpp_nodes(const Eigen::Map<Eigen::MatrixXd> values) { return nodes_list(values); }

// [[Rcpp::export]]
Rcpp::List cpp_spectrum(const Eigen::Map<Eigen::MatrixXd> symmetric) {
  const Spectrum found = eigen_all(symmetric);
  return Rcpp::List::create(Rcpp::_["values"] = found.values, Rcpp::_["vectors"] = found.vectors);
}

// [[Rcpp::export]]
Rcpp::List cpp_left_out(const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::MatrixXd> z,
                        const Eigen::Map<Eigen::VectorXd> weights) {
  const LeftOut found = left_out(x, z, weights);
  return Rcpp::List::create(Rcpp::_["mean_log"] = found.mean_log, Rcpp::_["square"] = found.square);
}

// `start`: list(mean =, sd =, share =); returns one made more likely.
// [[Rcpp::export]]
Rcpp::List cpp_normals(const Eigen::Map<Eigen::MatrixXd> x,
                       const Eigen::Map<Eigen::VectorXd> weights, const Rcpp::List& start,
                       const Eigen::Map<Eigen::VectorXd> least, bool round, int rounds,
                       double gain) {
  const Normals given{Rcpp::as<Mat>(start["mean"]), Rcpp::as<Mat>(start["sd"]),
                      Rcpp::as<Vec>(start["share"])};
  const LikelyNormals found = more_likely(x, weights, given, least, round, rounds, gain);
  return Rcpp::List::create(Rcpp::_["mean"] = found.normals.mean, Rcpp::_["sd"] = found.normals.sd,
                            Rcpp::_["share"] = found.normals.share,
                            Rcpp::_["log_likelihood"] = found.log_likelihood,
                            Rcpp::_["count"] = found.count);
}

// op(one) op(other), op the transpose where that is asked for.
// [[Rcpp::export]]
Eigen::MatrixXd cpp_product(const Eigen::Map<Eigen::MatrixXd> one,
                            const Eigen::Map<Eigen::MatrixXd> other, bool transpose_one,
                            bool transpose_other) {
  return product({one, transpose_one}, {other, transpose_other});
}

// The lower triangle of m diag(weights) m'.
// [[Rcpp::export]]
Eigen::MatrixXd cpp_lower_square(const Eigen::Map<Eigen::MatrixXd> m,
                                 const Eigen::Map<Eigen::VectorXd> weights) {
  return lower_square(m, weights).triangularView<Eigen::Lower>();
}
