#include "cone_shrinkage.h"

#include "products.h"

namespace psd {

void Shrinkage::move_to(const Mat& x) {
  spectrum_ = eigen_all(x);
  const Vec& e = spectrum_.values;
  below_ = (e.array() < lower_).count();
  above_ = (e.array() > upper_).count();
  moved_.resize(below_ + above_);
  moved_.head(below_) = e.head(below_).array() - lower_;
  moved_.tail(above_) = e.tail(above_).array() - upper_;
  p_.resize(e.size(), moved_.size());
  p_.leftCols(below_) = spectrum_.vectors.leftCols(below_);
  p_.rightCols(above_) = spectrum_.vectors.rightCols(above_);
}

Mat Shrinkage::value() const {
  const Mat scaled = p_ * moved_.asDiagonal();
  return product(scaled, transposed(p_));
}

Mat Shrinkage::rest() const {
  const Index count = spectrum_.values.size() - rank();
  const Mat scaled =
      spectrum_.vectors.leftCols(count) * (-spectrum_.values.head(count)).cwiseMax(0).asDiagonal();
  return product(scaled, transposed(spectrum_.vectors.leftCols(count)));
}

void Shrinkage::prepare() {
  const Vec& e = spectrum_.values;
  const Index size = e.size();
  quotients_.resize(size, rank());
  for (Index k = 0; k < rank(); ++k) {
    const bool low = k < below_;
    const Index own = low ? k : size - rank() + k;
    for (Index l = 0; l < size; ++l) {
      const bool l_below = l < below_, l_above = l >= size - above_;
      if (low ? l_below : l_above) {
        quotients_(l, k) = 0.5;  // the pair is met twice
        continue;
      }
      const double other = l_below ? moved_[l] : (l_above ? moved_[rank() - size + l] : 0);
      const double slope = (moved_[k] - other) / (e[own] - e[l]);
      quotients_(l, k) = l_below || l_above ? slope / 2 : slope;
    }
  }
}

Mat Shrinkage::half(const Mat& change_times_p) const {
  Mat inner = product(transposed(spectrum_.vectors), change_times_p);
  inner.array() *= quotients_.array();
  return product(spectrum_.vectors, inner);
}

}  // namespace psd
