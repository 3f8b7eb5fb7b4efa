// r_fit.cpp: the solvers, for R.
#include "cone.h"
#include "fista.h"
#include "newton_leverage.h"
#include "nnls.h"
#include "r_convert.h"
#include "r_risk.h"
#include "second_order.h"
#include "work.h"

using namespace psd;

// x >= 0 with the least |generators x - target|.
// [[Rcpp::export]]
Eigen::VectorXd cpp_nnls(const Eigen::Map<Eigen::MatrixXd> generators,
                         const Eigen::Map<Eigen::VectorXd> target) {
  ConeProjection projection(std::make_shared<Mat>(generators));
  projection.move_to(target);
  return projection.coefficients();
}

// Multiplications so far, with those that R did itself.
// [[Rcpp::export]]
double cpp_work(double more = 0) {
  count_work(more);
  return work_done();
}

namespace {

Constraints constraints_from(const Rcpp::List& spec) {
  const Rcpp::LogicalVector equality = spec["equality"];
  return {Rcpp::as<Vec>(spec["bound"]), std::vector<bool>(equality.begin(), equality.end())};
}

Problem problem_from(const Rcpp::List& spec, const Risk& risk) {
  const Rcpp::List blocks = spec["blocks"], integrals = spec["integrals"];
  std::vector<std::shared_ptr<Block>> made;
  for (R_xlen_t k = 0; k < blocks.size(); ++k) made.push_back(block_from(blocks[k], integrals[k]));
  return Problem(risk, std::move(made), Rcpp::as<Mat>(spec["mixing"]), constraints_from(spec));
}

ConeIntegrals cone_integrals_from(const Rcpp::List& spec) {
  const Rcpp::List integrals = spec["integrals"];
  std::vector<std::vector<Mat>> matrices;
  for (R_xlen_t k = 0; k < integrals.size(); ++k) {
    const Rcpp::List of_outputs = integrals[k];
    matrices.emplace_back();
    for (R_xlen_t s = 0; s < of_outputs.size(); ++s) {
      matrices.back().push_back(Rcpp::as<Mat>(of_outputs[s]));
    }
  }
  return ConeIntegrals(std::move(matrices), constraints_from(spec));
}

// Nothing, with an infinite gap.
Solution without_feasible_point(const ConeMaps& maps) {
  Solution out;
  const Mat nothing = Mat::Zero(maps.features(), maps.features());
  out.certificate.coefficients.assign(static_cast<size_t>(maps.outputs()), nothing);
  out.dual = Vec::Zero(maps.dual_size());
  out.status = "infeasible";
  return out;
}

// Not by Rcpp::DataFrame, which calls R and takes two thirds as long as a small solve.
Rcpp::List trace_frame(const std::vector<Progress>& trace) {
  const R_xlen_t n = static_cast<R_xlen_t>(trace.size());
  Rcpp::IntegerVector iteration(n), rank(n);
  Rcpp::NumericVector primal(n), dual(n), gap(n), seconds(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const Progress& p = trace[static_cast<size_t>(i)];
    iteration[i] = p.iteration;
    rank[i] = static_cast<int>(p.rank);
    primal[i] = p.primal;
    dual[i] = p.dual;
    gap[i] = p.gap;
    seconds[i] = p.seconds;
  }
  Rcpp::List out = Rcpp::List::create(Rcpp::_["iteration"] = iteration, Rcpp::_["primal"] = primal,
                                      Rcpp::_["dual"] = dual, Rcpp::_["gap"] = gap,
                                      Rcpp::_["rank"] = rank, Rcpp::_["seconds"] = seconds);
  out.attr("class") = "data.frame";
  out.attr("row.names") = Rcpp::IntegerVector::create(NA_INTEGER, -static_cast<int>(n));
  return out;
}

Rcpp::List solution_list(const Solution& found, const std::vector<Progress>& trace) {
  Rcpp::List coefficients;
  for (const Mat& block : found.certificate.coefficients) coefficients.push_back(block);
  return Rcpp::List::create(
      Rcpp::_["coefficients"] = coefficients, Rcpp::_["dual"] = found.dual,
      Rcpp::_["primal_value"] = found.certificate.primal,
      Rcpp::_["dual_value"] = found.certificate.dual, Rcpp::_["gap"] = found.certificate.gap(),
      Rcpp::_["iterations"] = found.iterations, Rcpp::_["status"] = found.status,
      Rcpp::_["trace"] = trace_frame(trace));
}

// `max_work`, if it is known, is how much there may be from now on.
Settings settings_from(const Rcpp::List& control) {
  Settings out{control["tol"], control["max_iter"]};
  if (!Rf_isNull(control["max_work"])) {
    out.max_work = work_done() + Rcpp::as<double>(control["max_work"]);
  }
  return out;
}

Monitor recorder(std::vector<Progress>& trace) {
  return {[&](const Progress& progress) { trace.push_back(progress); },
          [] { Rcpp::checkUserInterrupt(); }};
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_solve(const Rcpp::List& spec, const Rcpp::List& control,
                     const Rcpp::Nullable<Rcpp::NumericVector>& start) {
  const std::unique_ptr<Risk> risk = risk_from(spec);
  Problem problem = problem_from(spec, *risk);

  const bool warm = start.isNotNull();
  Settings settings = settings_from(control);
  settings.warm = warm;
  settings.certified = Rcpp::as<bool>(spec["certified"]);
  std::vector<Progress> trace;
  const Monitor monitor = recorder(trace);
  const Vec given = warm ? Rcpp::as<Vec>(start.get()) : Vec();
  if (warm && given.size() != problem.dual_size()) {
    throw std::invalid_argument("`start` has the wrong length");
  }
  const Start from = [&] { return warm ? problem.improved(given) : problem.start(); };
  const bool newton = Rcpp::as<std::string>(control["solver"]) == "newton";
  const SmoothRisk* smooth = dynamic_cast<const SmoothRisk*>(risk.get());
  if (newton && !smooth)
    throw std::invalid_argument("a loss of R functions needs solver \"fista\"");
  const Solution out =
      newton ? second_order(problem, *smooth, settings, from, Rcpp::as<Mat>(spec["root"]), monitor)
             : fista(problem, settings, from(), monitor);
  Rcpp::List list = solution_list(out, trace);
  if (newton && Rcpp::as<bool>(spec["leverages"])) {
    list["leverages"] = leverages(problem, *smooth, out.dual);
  }
  const double blur = Rcpp::as<double>(spec["blur"]);
  if (newton && blur > 0) list["changes"] = left_out_changes(problem, *smooth, out.dual, blur);
  return list;
}

// [[Rcpp::export]]
Rcpp::List cpp_solve_in_halfspaces(const Rcpp::List& spec, const Eigen::Map<Eigen::MatrixXd> values,
                                   double l1, double l2, const Eigen::Map<Eigen::MatrixXd> normals,
                                   const Eigen::Map<Eigen::VectorXd> interior,
                                   const Rcpp::List& control,
                                   const Rcpp::Nullable<Rcpp::NumericVector>& start) {
  const std::unique_ptr<Risk> risk = risk_from(spec);
  const Settings settings = settings_from(control);
  const Mat v = values;
  const ConeMaps maps(v, l1, l2, {normals, interior}, cone_integrals_from(spec));
  if (maps.outputs() != risk->outputs()) {
    throw std::invalid_argument("half-spaces must have one row an output");
  }
  const Vec z = start.isNull() ? Vec() : Rcpp::as<Vec>(start.get());
  if (z.size() > 0 && z.size() != maps.dual_size()) {
    throw std::invalid_argument("`start` has the wrong length");
  }
  const SmoothRisk* smooth = dynamic_cast<const SmoothRisk*>(risk.get());
  const bool newton = Rcpp::as<std::string>(control["solver"]) == "newton";
  if (newton && !smooth) {
    throw std::invalid_argument("a loss of R functions needs solver \"fista\"");
  }
  std::vector<Progress> trace;
  const Monitor monitor = recorder(trace);
  if (!maps.feasible()) return solution_list(without_feasible_point(maps), trace);
  const Solution out = newton ? cone_newton(*smooth, maps, settings, z, monitor)
                              : cone_fista(*risk, maps, settings, z, monitor);
  return solution_list(out, trace);
}
