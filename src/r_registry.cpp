// r_registry.cpp: the plug-ins by name, so that R can list them and test each by its contract.
#include <cmath>

#include "r_convert.h"

using namespace psd;

// [[Rcpp::export]]
std::vector<std::string> cpp_loss_names() { return Registry<Loss>::names(); }

// [[Rcpp::export]]
std::vector<std::string> cpp_kernel_names() { return Registry<Kernel>::names(); }

// [[Rcpp::export]]
Rcpp::List cpp_kernel_traits(const std::string& name) {
  const KernelTraits traits = kernel_from(name)->traits();
  return Rcpp::List::create(Rcpp::_["kinked"] = traits.kinked, Rcpp::_["smooth"] = traits.smooth,
                            Rcpp::_["normal"] = traits.normal,
                            Rcpp::_["root"] = std::isnan(traits.root) ? NA_REAL : traits.root,
                            Rcpp::_["decay"] = traits.decay);
}

// [[Rcpp::export]]
Rcpp::List cpp_loss_traits(const std::string& name) {
  const Params& defaults = Registry<Loss>::defaults(name);
  const auto loss = Registry<Loss>::make(name, defaults);
  const LossTraits traits = loss->traits();
  return Rcpp::List::create(Rcpp::_["regression"] = traits.regression,
                            Rcpp::_["unit_free"] = traits.unit_free,
                            Rcpp::_["response"] = traits.least_response,
                            Rcpp::_["defaults"] = Rcpp::List(Rcpp::wrap(defaults.all())),
                            Rcpp::_["arity"] = static_cast<int>(loss->arity()));
}

// [[Rcpp::export]]
int cpp_loss_arity(const Rcpp::List& loss) { return static_cast<int>(loss_from(loss)->arity()); }

// [[Rcpp::export]]
double cpp_loss_value(const Rcpp::List& loss, const Eigen::Map<Eigen::VectorXd> u, double y) {
  return loss_from(loss)->value(u, y);
}

// [[Rcpp::export]]
Rcpp::List cpp_loss_conjugate(const Rcpp::List& loss, const Eigen::Map<Eigen::VectorXd> a,
                              double y) {
  const auto made = loss_from(loss);
  const Index size = made->arity();
  Vec gradient(size), lower(size), upper(size), start(size);
  Mat hessian(size, size);
  made->derivatives(a, y, gradient, hessian);
  made->box(y, lower, upper);
  made->start(start, y);
  return Rcpp::List::create(Rcpp::_["value"] = made->conjugate(a, y),
                            Rcpp::_["gradient"] = gradient, Rcpp::_["hessian"] = hessian,
                            Rcpp::_["lower"] = lower, Rcpp::_["upper"] = upper,
                            Rcpp::_["start"] = start);
}

// [[Rcpp::export]]
double cpp_loss_reach(const Rcpp::List& loss, const Eigen::Map<Eigen::VectorXd> a,
                      const Eigen::Map<Eigen::VectorXd> step, double y) {
  return loss_from(loss)->reach(a, step, y);
}

// [[Rcpp::export]]
Eigen::VectorXd cpp_loss_prox(const Rcpp::List& loss, Eigen::VectorXd u, double y, double step) {
  loss_from(loss)->prox(u, y, step);
  return u;
}

// [[Rcpp::export]]
Eigen::VectorXd cpp_kernel_product(const std::string& kernel, const std::vector<double>& one,
                                   const std::vector<double>& other,
                                   const std::vector<double>& weight) {
  const Moments m = kernel_from(kernel)->product({one[0], one[1]}, {other[0], other[1]},
                                                 {weight[0], weight[1], weight[2], weight[3]});
  return Eigen::Vector3d(m.log_mass, m.mean, m.second);
}
