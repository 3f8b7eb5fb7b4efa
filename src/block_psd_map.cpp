#include "block_psd_map.h"

#include "products.h"

namespace psd {

Vec PsdMap::values(const Mat& root) const {
  return product(transposed(root), v_).colwise().squaredNorm().transpose();
}

Vec PsdMap::integrals(const Mat& root) const {
  Vec out = Vec::Zero(static_cast<Index>(forms_.size()));
  for (size_t m = 0; m < forms_.size(); ++m) {
    if (forms_[m].size() == 0) continue;
    out[static_cast<Index>(m)] = (root.array() * (forms_[m] * root).array()).sum();
  }
  return out;
}

Mat PsdMap::back(const Vec& b, const Vec& nu) const {
  Mat s = lower_square(v_, b);
  for (size_t m = 0; m < forms_.size(); ++m) {
    if (forms_[m].size() > 0) s += nu[static_cast<Index>(m)] * forms_[m];
  }
  return s;
}

std::vector<Mat> PsdMap::within(const Mat& root, const std::vector<Index>& which) const {
  std::vector<Mat> out;
  for (const Index m : which) {
    const Mat& form = forms_[static_cast<size_t>(m)];
    out.push_back(form.size() > 0 ? Mat(root.transpose() * form * root)
                                  : Mat::Zero(root.cols(), root.cols()));
  }
  return out;
}

PsdMap PsdMap::restricted(const Mat& basis) const {
  std::vector<Mat> forms;
  for (const Mat& form : forms_) {
    forms.push_back(form.size() > 0 ? product(transposed(basis), product(form, basis)) : Mat());
  }
  return {product(transposed(basis), v_), std::move(forms)};
}

Mat PsdParts::matrix_at(const Vec& b, const Vec& nu) const {
  Mat s = map.back(b, nu);
  s.diagonal().array() += l1;
  if (offset.size() > 0) s += offset;
  return s;
}

const std::shared_ptr<const Nodes>& PsdParts::found_nodes() const {
  if (!nodes) nodes = std::make_shared<Nodes>(make_nodes(map.features()));
  return nodes;
}

}  // namespace psd
