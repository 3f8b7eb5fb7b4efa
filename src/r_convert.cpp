#include "r_convert.h"

namespace psd {
namespace {

Mat matrix_or_empty(SEXP x) { return Rf_isNull(x) ? Mat() : Rcpp::as<Mat>(x); }

std::shared_ptr<const Nodes> nodes_from(SEXP x) {
  if (Rf_isNull(x)) return nullptr;
  const Rcpp::List list(x);
  const Rcpp::IntegerVector at = list["at"];
  return std::make_shared<Nodes>(Nodes{std::vector<Index>(at.begin(), at.end()),
                                       Rcpp::as<Mat>(list["factor"]),
                                       Rcpp::as<Mat>(list["basis"])});
}

}  // namespace

std::unique_ptr<Kernel> kernel_from(const std::string& name) {
  return Registry<Kernel>::make(name, Params());
}

std::unique_ptr<Loss> loss_from(const Rcpp::List& loss) {
  Params params;
  const Rcpp::CharacterVector names = loss.names();
  for (R_xlen_t i = 0; i < loss.size(); ++i) {
    const std::string name(names[i]);
    if (name != "name") params.set(name, Rcpp::as<double>(loss[i]));
  }
  return Registry<Loss>::make(Rcpp::as<std::string>(loss["name"]), params);
}

Anchors anchors_from(const Rcpp::List& anchors) {
  return {Rcpp::as<Mat>(anchors["at"]), Rcpp::as<Mat>(anchors["width"])};
}

Measure measure_from(const Rcpp::List& measure) {
  const Vec lower = Rcpp::as<Vec>(measure["lower"]), upper = Rcpp::as<Vec>(measure["upper"]);
  const Vec mean = Rcpp::as<Vec>(measure["mean"]), sd = Rcpp::as<Vec>(measure["sd"]);
  Measure out;
  for (Index c = 0; c < lower.size(); ++c) out.push_back({lower[c], upper[c], mean[c], sd[c]});
  return out;
}

std::unique_ptr<Block> block_from(const Rcpp::List& block, const Rcpp::List& integrals) {
  const Mat values = Rcpp::as<Mat>(block["values"]);
  const std::string type = Rcpp::as<std::string>(block["type"]);
  if (type == "psd") {
    std::vector<Mat> w;
    for (R_xlen_t m = 0; m < integrals.size(); ++m) w.push_back(matrix_or_empty(integrals[m]));
    return make_psd_block(values, block["l1"], block["l2"], std::move(w),
                          nodes_from(block["nodes"]), matrix_or_empty(block["offset"]));
  }
  Mat q = Mat::Zero(values.rows(), integrals.size());
  for (R_xlen_t m = 0; m < integrals.size(); ++m) {
    const Mat column = matrix_or_empty(integrals[m]);
    if (column.size() > 0) q.col(m) = column.col(0);
  }
  if (type == "conic") {
    return make_conic_block(values, Rcpp::as<Mat>(block["generators"]), block["l2"], std::move(q));
  }
  if (type == "partial") return make_partial_block(values, block["l2"], std::move(q));
  if (type != "linear") throw std::invalid_argument("unknown block type '" + type + "'");
  return make_linear_block(values, block["l2"], std::move(q));
}

}  // namespace psd
