// block_linear_map.h: from w to the values w' phi(x_i) and the integrals w' q_m, and the way back.
#pragma once
#include <memory>
#include <vector>

#include "types.h"

namespace psd {

class LinearMap {
 public:
  // phi(x_i) and q_m in columns.
  LinearMap(Mat v, Mat q) : v_(std::move(v)), q_(std::move(q)) {}

  Vec values(const Vec& w) const { return v_.transpose() * w; }
  Vec integrals(const Vec& w) const { return q_.transpose() * w; }

  // V b + sum_m nu_m q_m.
  Vec back(const Vec& b, const Vec& nu) const { return v_ * b + q_ * nu; }

  Index size() const { return v_.rows(); }

  // The q_m of some constraints.
  Mat directions(const std::vector<Index>& which) const {
    Mat out(q_.rows(), static_cast<Index>(which.size()));
    for (size_t k = 0; k < which.size(); ++k) out.col(static_cast<Index>(k)) = q_.col(which[k]);
    return out;
  }

  // V', kept when first asked for.
  std::shared_ptr<const Mat> basis() const {
    if (!basis_) basis_ = std::make_shared<Mat>(v_.transpose());
    return basis_;
  }

 private:
  Mat v_, q_;
  mutable std::shared_ptr<const Mat> basis_;
};

}  // namespace psd
