#include "risk.h"

#include <algorithm>

namespace psd {
namespace {

// Where there is no error to blur by; and of the highest curvature, where there is none.
constexpr double kLeastBlur = 1e-10, kFlattest = 1e-10;

}  // namespace

SmoothRisk::SmoothRisk(std::vector<std::unique_ptr<Loss>> losses, Mat y, Vec weights)
    : losses_(std::move(losses)), y_(std::move(y)), weights_(std::move(weights)) {
  for (const auto& loss : losses_) outputs_ += loss->arity();
  if (y_.rows() != weights_.size() || y_.cols() != static_cast<Index>(losses_.size())) {
    throw std::invalid_argument("`y` must have one row a weight and one column a loss");
  }
  if (!(weights_.array() > 0).all()) throw std::invalid_argument("`weights` must be positive");
}

// visit(loss, observation, first output, y, weight) for every loss and observation.
template <class Visit>
void SmoothRisk::each(Visit visit) const {
  Index first = 0;
  for (size_t p = 0; p < losses_.size(); ++p) {
    for (Index i = 0; i < weights_.size(); ++i) {
      visit(*losses_[p], i, first, y_(i, static_cast<Index>(p)), weights_[i]);
    }
    first += losses_[p]->arity();
  }
}

double SmoothRisk::value(const Mat& u) const {
  double sum = 0;
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    sum += w * loss.value(u.col(i).segment(first, loss.arity()), y);
  });
  return sum;
}

double SmoothRisk::conjugate(const Mat& a) const {
  double sum = 0;
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    sum += w * loss.conjugate(a.col(i).segment(first, loss.arity()) / w, y);
  });
  return sum;
}

// Moreau's identity.
void SmoothRisk::prox_conjugate(Mat& a, double step) const {
  Vec u;
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    u = a.col(i).segment(first, loss.arity()) / step;
    loss.prox(u, y, w / step);
    a.col(i).segment(first, loss.arity()) -= step * u;
  });
}

Mat SmoothRisk::start() const {
  Mat a(outputs_, weights_.size());
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    auto part = a.col(i).segment(first, loss.arity());
    loss.start(part, y);
    part *= w;
  });
  return a;
}

double SmoothRisk::pairing(const Mat& a) const {
  Mat gradient, hessian;
  derivatives(a, gradient, hessian);
  return (a.array() * gradient.array()).sum();
}

void SmoothRisk::box(Mat& lower, Mat& upper) const {
  lower.resize(outputs_, weights_.size());
  upper.resize(outputs_, weights_.size());
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    auto low = lower.col(i).segment(first, loss.arity());
    auto up = upper.col(i).segment(first, loss.arity());
    loss.box(y, low, up);
    low *= w;
    up *= w;
  });
}

bool SmoothRisk::boxed() const {
  Mat lower, upper;
  box(lower, upper);
  return (lower.array() > -kInf).any() || (upper.array() < kInf).any();
}

void SmoothRisk::derivatives(const Mat& a, Mat& gradient, Mat& hessian) const {
  gradient.resize(outputs_, weights_.size());
  hessian.setZero(outputs_ * outputs_, weights_.size());
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    const Index size = loss.arity();
    Eigen::Map<Mat> whole(hessian.col(i).data(), outputs_, outputs_);
    Mat part(size, size);
    loss.derivatives(a.col(i).segment(first, size) / w, y, gradient.col(i).segment(first, size),
                     part);
    whole.block(first, first, size, size) = part / w;
  });
}

Mat SmoothRisk::blurred_curvatures(const Mat& u, double share) const {
  const Mat errors = (u - y_.transpose()).cwiseAbs();
  const Vec blur = (share * errors * weights_ / weights_.sum()).cwiseMax(kLeastBlur);
  Mat out(outputs_, weights_.size());
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    const double curvature = loss.blurred_curvature(u(first, i), y, blur[first]);
    out(first, i) = w * std::max(curvature, kFlattest / blur[first]);
  });
  return out;
}

double SmoothRisk::reach(const Mat& a, const Mat& step) const {
  double t = kInf;
  each([&](const Loss& loss, Index i, Index first, double y, double w) {
    const Index size = loss.arity();
    t = std::min(
        t, loss.reach(a.col(i).segment(first, size) / w, step.col(i).segment(first, size) / w, y));
  });
  return t;
}

// By Moreau's identity a = (u - p) / theta is where l* has the slope p: p changes with u as l*'' /
// (l*'' + theta), and as u does where a is at the end of the box.
void SmoothRisk::prox(Mat& u, double theta, Mat& slope) const {
  slope.resize(outputs_, weights_.size());
  Vec one(1), a(1), gradient(1), lower(1), upper(1);
  Mat hessian(1, 1);
  each([&](const Loss& loss, Index i, Index first, double y, double) {
    if (loss.arity() != 1)
      throw std::invalid_argument("a loss of several outputs has no such prox");
    one[0] = u(first, i);
    loss.prox(one, y, theta);
    a[0] = (u(first, i) - one[0]) / theta;
    u(first, i) = one[0];
    loss.box(y, lower, upper);
    const bool inside = a[0] > lower[0] + kDomainSlack && a[0] < upper[0] - kDomainSlack;
    if (inside) loss.derivatives(a, y, gradient, hessian);
    slope(first, i) = inside ? hessian(0, 0) / (hessian(0, 0) + theta) : 1;
  });
}

}  // namespace psd
