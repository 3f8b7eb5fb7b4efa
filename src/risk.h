// risk.h: the data term sum_i w_i sum_p l_p(u_ip, y_ip), written once for every loss.
#pragma once
#include <memory>
#include <vector>

#include "loss.h"

namespace psd {

// Outputs and dual variables are J x n: one column an observation.
class Risk {
 public:
  virtual ~Risk() = default;
  virtual Index outputs() const = 0;
  virtual Index observations() const = 0;

  virtual double value(const Mat& u) const = 0;

  // sum_i w_i l*(a_i / w_i, y_i).
  virtual double conjugate(const Mat& a) const = 0;

  // a <- prox of step * conjugate.
  virtual void prox_conjugate(Mat& a, double step) const = 0;

  // An interior point of the conjugate's domain.
  virtual Mat start() const = 0;

  // <a, u> at the outputs u that belong to a: the gradient of the conjugate.
  virtual double pairing(const Mat& a) const = 0;
};

// A risk whose losses tell their derivatives: what Newton works on.
class SmoothRisk : public Risk {
 public:
  // Several losses side by side: loss p takes the next arity() outputs and column p of y.
  SmoothRisk(std::vector<std::unique_ptr<Loss>> losses, Mat y, Vec weights);

  Index outputs() const override { return outputs_; }
  Index observations() const override { return weights_.size(); }
  double value(const Mat& u) const override;
  double conjugate(const Mat& a) const override;
  void prox_conjugate(Mat& a, double step) const override;
  Mat start() const override;
  double pairing(const Mat& a) const override;

  // The box outside which the conjugate is infinite without growing first.
  void box(Mat& lower, Mat& upper) const;
  bool boxed() const;  // whether it has an end at all

  // Gradient (J x n) and Hessian (column i: the J x J block of observation i) of the conjugate.
  void derivatives(const Mat& a, Mat& gradient, Mat& hessian) const;

  // Curvatures in u (J x n), weights included, of losses of one output each whose responses are
  // blurred by `share` of the mean error of their output; some small number where there is none.
  Mat blurred_curvatures(const Mat& u, double share) const;

  double reach(const Mat& a, const Mat& step) const;

  // u <- argmin_p sum_i w_i (l(p_i, y_i) + |p_i - u_i|^2 / (2 theta)), and its derivative (J x n;
  // either one where it jumps). For losses of one output each.
  void prox(Mat& u, double theta, Mat& slope) const;

  const Vec& weights() const { return weights_; }

  // Whether it is -sum_i w_i log u_i.
  bool logarithmic() const { return losses_.size() == 1 && losses_[0]->traits().logarithm; }

 private:
  template <class Visit>
  void each(Visit visit) const;

  std::vector<std::unique_ptr<Loss>> losses_;
  Mat y_;
  Vec weights_;
  Index outputs_ = 0;
};

}  // namespace psd
