#include "interior_boxed_point.h"

#include <algorithm>
#include <functional>

#include "gradients.h"

namespace psd {
namespace {

// At the start, relative to what is to be fitted: functions, and <A, Z>.
constexpr double kStartSize = 0.3, kStartProduct = 0.3;

}  // namespace

BoxedPoint::BoxedPoint(Problem& problem, const SmoothRisk& risk, const Settings& settings)
    : problem_(problem), risk_(risk), cg_tol_(step_tolerance(settings.tol)), ends_(risk) {
  start();
}

// At the dual point zero if that is inside the box. There every S is positive, and A of a size at
// which functions are about as large as what they are to fit.
void BoxedPoint::start() {
  a_ = Vec::Zero(problem_.dual_size());
  if (!ends_.hold(a_)) a_ = problem_.start();
  problem_.move_to(a_, {});
  Mat slope, hessian;
  risk_.derivatives(problem_.a(a_), slope, hessian);
  double scale = (slope.cwiseAbs() * risk_.weights()).mean();
  if (!(scale > 0)) scale = 1;  // there is nothing to fit
  for (size_t k = 0; k < problem_.blocks().size(); ++k) {
    const PsdParts* parts = problem_.blocks()[k]->psd_parts();
    if (!parts) continue;
    const Mat& v = parts->map.features();
    const double size = kStartSize * scale * static_cast<double>(v.cols()) / v.squaredNorm();
    const double least = kStartProduct * scale / (static_cast<double>(v.rows()) * size);
    members_.push_back({k, Pair(*parts, size, std::max(parts->l1 + parts->l2 * size, least))});
  }
  ends_.start(a_, Eigen::Map<const Vec>(slope.data(), slope.size()) - outputs(), scale);
}

Vec BoxedPoint::block_dual(size_t block) const {
  return problem_.a(a_).transpose() * problem_.mixing().col(static_cast<Index>(block));
}

void BoxedPoint::add_mixed(size_t block, const Vec& values, Vec& out) const {
  problem_.a(out) += problem_.mixing().col(static_cast<Index>(block)) * values.transpose();
}

Vec BoxedPoint::outputs() const {
  Vec out = Vec::Zero(a_.size());
  for (size_t k = 0; k < problem_.blocks().size(); ++k) {
    if (!problem_.blocks()[k]->psd_parts()) add_mixed(k, problem_.blocks()[k]->values(), out);
  }
  for (const Member& member : members_) add_mixed(member.block, member.pair.values(), out);
  return out;
}

Certificate BoxedPoint::look() {
  objective_ = problem_.move_to(a_, {}) + problem_.simple(a_);
  std::vector<Mat> roots;
  for (const Member& member : members_) roots.push_back(member.pair.root());
  return with_roots(roots);
}

Certificate BoxedPoint::with_roots(const std::vector<Mat>& roots) const {
  std::vector<Mat> coefficients;
  size_t next = 0;
  for (const auto& block : problem_.blocks()) {
    coefficients.push_back(block->psd_parts() ? roots[next++] : block->coefficients());
  }
  return problem_.certificate_of(std::move(coefficients), objective_);
}

// The largest eigenvalues of all A together; or the A that the dual point stands for.
void BoxedPoint::simplify(Tracker& tracker) {
  std::vector<Spectrum> spectra;
  std::vector<double> sizes;
  for (const Member& member : members_) {
    spectra.push_back(member.pair.spectrum());
    const Vec& values = spectra.back().values;
    sizes.insert(sizes.end(), values.data(), values.data() + values.size());
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<double>());
  size_t enough = sizes.size(), too_few = 0;
  while (enough - too_few > 1) {
    const size_t count = (enough + too_few) / 2;
    std::vector<Mat> roots;
    for (const Spectrum& spectrum : spectra) {
      const Index rank = (spectrum.values.array() >= sizes[count - 1]).count();
      roots.push_back(spectrum.vectors.rightCols(rank) *
                      spectrum.values.tail(rank).cwiseMax(0).cwiseSqrt().asDiagonal());
    }
    (tracker.prefer(with_roots(roots)) ? enough : too_few) = count;
  }
  Certificate exact = problem_.certificate(objective_);
  if (exact.rank < tracker.rank()) tracker.prefer(std::move(exact));
}

}  // namespace psd
