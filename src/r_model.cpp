// r_model.cpp: what R asks of a fitted function, list(kernel =, anchors =, coefficients =, type =)
// and perhaps slopes = (one a coordinate).
#include "r_convert.h"
#include "sample.h"

using namespace psd;

namespace {

Shape shape_from(const std::string& type) {
  if (type == "psd") return Shape::psd;
  if (type == "linear") return Shape::linear;
  if (type == "exp") return Shape::exponential;
  throw std::invalid_argument("unknown type of function '" + type + "'");
}

// A matrix with one row a coordinate, a plain vector for one column, or NULL.
Mat slopes_from(const Rcpp::List& list) {
  if (!list.containsElementNamed("slopes")) return Mat();
  const SEXP slopes = list["slopes"];
  if (Rf_isNull(slopes)) return Mat();
  return Rf_isMatrix(slopes) ? Rcpp::as<Mat>(slopes) : Mat(Rcpp::as<Vec>(slopes));
}

class FromList {
 public:
  explicit FromList(const Rcpp::List& list)
      : kernel_(kernel_from(Rcpp::as<std::string>(list["kernel"]))),
        model_{*kernel_, anchors_from(list["anchors"]), Rcpp::as<Mat>(list["coefficients"]),
               shape_from(Rcpp::as<std::string>(list["type"])), slopes_from(list)} {}

  const Model& model() const { return model_; }

 private:
  std::unique_ptr<Kernel> kernel_;
  Model model_;
};

}  // namespace

// Of several functions with the same kernel: one column a function.
// [[Rcpp::export]]
Eigen::MatrixXd cpp_evaluate_all(const Rcpp::List& models, const Eigen::Map<Eigen::MatrixXd> x) {
  if (models.size() == 0) return Mat(x.rows(), 0);
  const FromList first((Rcpp::List(models[0])));
  std::vector<Model> all;
  for (R_xlen_t k = 0; k < models.size(); ++k) {
    const FromList next((Rcpp::List(models[k])));
    const Model& model = next.model();
    all.push_back(
        {first.model().kernel, model.anchors, model.coefficients, model.shape, model.slopes});
  }
  return evaluate(all, x);
}

// [[Rcpp::export]]
Eigen::VectorXd cpp_evaluate(const Rcpp::List& model, const Eigen::Map<Eigen::MatrixXd> x) {
  return evaluate(FromList(model).model(), x);
}

// [[Rcpp::export]]
Eigen::VectorXd cpp_log_evaluate(const Rcpp::List& model, const Eigen::Map<Eigen::MatrixXd> x) {
  return log_evaluate(FromList(model).model(), x);
}

// [[Rcpp::export]]
Eigen::MatrixXd cpp_gradient(const Rcpp::List& model, const Eigen::Map<Eigen::MatrixXd> x) {
  return gradient(FromList(model).model(), x);
}

// [[Rcpp::export]]
Eigen::MatrixXd cpp_log_gradient(const Rcpp::List& model, const Eigen::Map<Eigen::MatrixXd> x) {
  return log_gradient(FromList(model).model(), x);
}

// [[Rcpp::export]]
Eigen::VectorXd cpp_distribution(const Rcpp::List& model, const Rcpp::List& measure,
                                 const Eigen::Map<Eigen::VectorXd> ends) {
  return distribution(FromList(model).model(), measure_from(measure).at(0), ends);
}

// [[Rcpp::export]]
Eigen::MatrixXd cpp_log_sections(const std::string& kernel, const Rcpp::List& anchors,
                                 const Eigen::Map<Eigen::MatrixXd> x) {
  return log_sections(*kernel_from(kernel), anchors_from(anchors), x);
}

// [[Rcpp::export]]
Eigen::MatrixXd cpp_draw(const std::string& kernel, const Rcpp::List& anchors,
                         const Rcpp::List& factors, const Rcpp::List& measure,
                         const Eigen::Map<Eigen::MatrixXd> u) {
  std::vector<Mat> made;
  for (R_xlen_t k = 0; k < factors.size(); ++k) made.push_back(Rcpp::as<Mat>(factors[k]));
  return draw(*kernel_from(kernel), anchors_from(anchors), made, measure_from(measure), u,
              [] { Rcpp::checkUserInterrupt(); });
}
