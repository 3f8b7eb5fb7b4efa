#include "r_risk.h"

namespace psd {
namespace {

// One loss an output. The functions take and return one number an observation.
struct FunctionLoss {
  Rcpp::Function value, prox, conjugate;
};

class FunctionRisk : public Risk {
 public:
  FunctionRisk(std::vector<FunctionLoss> losses, Mat y, Vec weights)
      : losses_(std::move(losses)), y_(std::move(y)), weights_(std::move(weights)) {}

  Index outputs() const override { return static_cast<Index>(losses_.size()); }
  Index observations() const override { return weights_.size(); }

  double value(const Mat& u) const override {
    double sum = 0;
    for (Index j = 0; j < outputs(); ++j) {
      const Vec row = u.row(j);
      sum += weights_.dot(checked(loss(j).value(row, response(j)), "value"));
    }
    return sum;
  }

  double conjugate(const Mat& a) const override {
    double sum = 0;
    for (Index j = 0; j < outputs(); ++j) {
      const Vec row = a.row(j).transpose().cwiseQuotient(weights_);
      sum += weights_.dot(checked(loss(j).conjugate(row, response(j)), "conjugate"));
    }
    return sum;
  }

  // Moreau's identity.
  void prox_conjugate(Mat& a, double step) const override {
    const Vec steps = weights_ / step;
    for (Index j = 0; j < outputs(); ++j) {
      const Vec row = a.row(j) / step;
      a.row(j) -= step * checked(loss(j).prox(row, response(j), steps), "prox").transpose();
    }
  }

  // What Moreau makes of zero: a = -p with p the prox of zero, so a is a subgradient at u =
  // p.
  Mat start() const override {
    Mat a = Mat::Zero(outputs(), observations());
    prox_conjugate(a, 1);
    return a;
  }

  // Of the starting point, for which alone it is asked: there u = -a.
  double pairing(const Mat& a) const override { return -a.squaredNorm(); }

 private:
  const FunctionLoss& loss(Index j) const { return losses_[static_cast<size_t>(j)]; }
  Vec response(Index j) const { return y_.col(j); }

  Vec checked(SEXP result, const char* name) const {
    if (!Rf_isNumeric(result) || Rf_xlength(result) != observations()) {
      throw std::invalid_argument("`" + std::string(name) +
                                  "` of the loss must return one number an observation");
    }
    return Rcpp::as<Vec>(result);
  }

  std::vector<FunctionLoss> losses_;
  Mat y_;
  Vec weights_;
};

}  // namespace

std::unique_ptr<Risk> risk_from(const Rcpp::List& spec) {
  const Rcpp::List losses = spec["losses"];
  std::vector<std::unique_ptr<Loss>> named;
  std::vector<FunctionLoss> functions;
  for (R_xlen_t p = 0; p < losses.size(); ++p) {
    const Rcpp::List loss = losses[p];
    if (loss.containsElementNamed("prox")) {
      functions.push_back({loss["value"], loss["prox"], loss["conjugate"]});
    } else {
      named.push_back(loss_from(loss));
    }
  }
  const Mat y = Rcpp::as<Mat>(spec["y"]);
  const Vec weights = Rcpp::as<Vec>(spec["weights"]);
  if (functions.empty()) return std::make_unique<SmoothRisk>(std::move(named), y, weights);
  if (!named.empty()) throw std::invalid_argument("losses by name and by functions do not mix");
  return std::make_unique<FunctionRisk>(std::move(functions), y, weights);
}

}  // namespace psd

// [[Rcpp::export]]
Rcpp::List cpp_risk_prox(const Rcpp::List& spec, Eigen::MatrixXd u, double theta) {
  const std::unique_ptr<psd::Risk> risk = psd::risk_from(spec);
  psd::Mat slope;
  dynamic_cast<const psd::SmoothRisk&>(*risk).prox(u, theta, slope);
  return Rcpp::List::create(Rcpp::_["u"] = u, Rcpp::_["slope"] = slope);
}
