// r_block.cpp: one block at a time, so that R can test each kind by its contract.
#include "decompositions.h"
#include "r_convert.h"

using namespace psd;

namespace {

Mat hessian_of(const Curvature& c) {
  if (c.kind == Curvature::Kind::dense) return c.x;
  if (c.kind == Curvature::Kind::diagonal) return c.x.col(0).asDiagonal();
  const Mat factor = c.factor();
  return factor * factor.transpose();
}

}  // namespace

// All that a block tells at (b, nu), with `barrier`: the conjugate there and on the line along
// (db, dnu) at each t, its derivatives, and the primal point.
// [[Rcpp::export]]
Rcpp::List cpp_block_at(const Rcpp::List& block, const Rcpp::List& integrals,
                        const Eigen::VectorXd& b, const Eigen::VectorXd& nu,
                        const Eigen::VectorXd& db, const Eigen::VectorXd& dnu,
                        const Eigen::VectorXd& t, double barrier) {
  const std::unique_ptr<Block> made = block_from(block, integrals);
  const double value = made->move_to(b, nu, {true, barrier});
  const auto line = made->along(b, nu, db, dnu, barrier);
  Vec along(t.size()), curve_b, curve_nu;
  for (Index i = 0; i < t.size(); ++i) along[i] = line(t[i]);
  made->curve(db, dnu, curve_b, curve_nu);
  const Mat coefficients = made->coefficients();
  return Rcpp::List::create(
      Rcpp::_["value"] = value, Rcpp::_["values"] = made->values(),
      Rcpp::_["integrals"] = made->integrals(), Rcpp::_["vanishes"] = made->vanishes(b, nu),
      Rcpp::_["along"] = along, Rcpp::_["curve_b"] = curve_b, Rcpp::_["curve_nu"] = curve_nu,
      Rcpp::_["curvature"] = hessian_of(made->curvature(true)),
      Rcpp::_["coefficients"] = coefficients, Rcpp::_["values_of"] = made->values_of(coefficients),
      Rcpp::_["integrals_of"] = made->integrals_of(coefficients),
      Rcpp::_["penalty"] = made->penalty_of(coefficients),
      Rcpp::_["rank"] = static_cast<int>(made->rank_of(coefficients)));
}

// The same block in the features `basis' phi`, NULL if it has no feature space: its conjugate,
// values and integrals at (b, nu).
// [[Rcpp::export]]
Rcpp::RObject cpp_block_restricted(const Rcpp::List& block, const Rcpp::List& integrals,
                                   const Eigen::MatrixXd& basis, const Eigen::VectorXd& b,
                                   const Eigen::VectorXd& nu) {
  const std::unique_ptr<Block> made = block_from(block, integrals);
  const FeatureSpace* space = made->feature_space();
  if (!space) return R_NilValue;
  const std::unique_ptr<Block> other = space->restricted(basis);
  const double value = other->move_to(b, nu, {});
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["values"] = other->values(),
                            Rcpp::_["integrals"] = other->integrals(),
                            Rcpp::_["coefficients"] = other->coefficients());
}

// The block at (b, nu) as if A were R R': its values, its integrals, and the Hessian along
// (db, dnu).
// [[Rcpp::export]]
Rcpp::List cpp_block_assumed(const Rcpp::List& block, const Rcpp::List& integrals,
                             const Eigen::MatrixXd& root, const Eigen::VectorXd& b,
                             const Eigen::VectorXd& nu, const Eigen::VectorXd& db,
                             const Eigen::VectorXd& dnu) {
  const std::unique_ptr<Block> made = block_from(block, integrals);
  made->guided()->assume(root, b, nu);
  Vec curve_b, curve_nu;
  made->curve(db, dnu, curve_b, curve_nu);
  return Rcpp::List::create(Rcpp::_["values"] = made->values(),
                            Rcpp::_["integrals"] = made->integrals(), Rcpp::_["curve_b"] = curve_b,
                            Rcpp::_["curve_nu"] = curve_nu);
}

// Coefficients after `rounds` repairs towards integrals `bound`, and what they reach; NULL if the
// function would leave its set.
// [[Rcpp::export]]
Rcpp::RObject cpp_block_repaired(const Rcpp::List& block, const Rcpp::List& integrals,
                                 Eigen::MatrixXd coefficients, const Eigen::VectorXd& bound,
                                 int rounds) {
  const std::unique_ptr<Block> made = block_from(block, integrals);
  std::vector<Index> all;
  for (Index m = 0; m < bound.size(); ++m) all.push_back(m);
  for (int k = 0; k < rounds; ++k) {
    const Vec missing = bound - made->integrals_of(coefficients);
    const Vec amount = Indefinite(made->repair_gram(coefficients, all)).solve(missing);
    if (!made->repair(coefficients, all, amount)) return R_NilValue;
  }
  return Rcpp::List::create(Rcpp::_["integrals"] = made->integrals_of(coefficients),
                            Rcpp::_["values"] = made->values_of(coefficients));
}
