#include "newton_system.h"

#include <algorithm>

#include "gradients.h"

namespace psd {
namespace {

constexpr int kCgMax = 200;
// Of the Schur complement's diagonal: it is singular where constraints depend on each other.
constexpr double kRegular = 1e-12;

}  // namespace

NewtonSystem::NewtonSystem(const Problem& problem, const Mat& diagonal, const Vec& nu_diagonal,
                           double tol, double loose, Care care)
    : problem_(problem),
      diagonal_(diagonal),
      preconditioner_(problem, diagonal, care),
      tol_(preconditioner_.exact() ? tol : loose) {
  const Index count = problem.constraint_count(), size = problem.dual_size() - count;
  if (count == 0) return;
  cross_.resize(size, count);
  solved_.resize(size, count);
  Mat schur(count, count);
  for (Index m = 0; m < count; ++m) {
    Vec unit = Vec::Zero(size + count);
    unit[size + m] = 1;
    const Vec column = problem.curve(unit);
    cross_.col(m) = column.head(size);
    schur.col(m) = column.tail(count);
    solved_.col(m) = solve_a(column.head(size));
  }
  schur -= cross_.transpose() * solved_;
  schur.diagonal() += nu_diagonal;
  schur.diagonal().array() += kRegular * std::max(1.0, schur.diagonal().cwiseAbs().maxCoeff());
  schur_.compute((schur + schur.transpose()) / 2);
}

Vec NewtonSystem::times(const Vec& da) const {
  ++steps_;
  const Index j = problem_.outputs(), count = problem_.constraint_count();
  Vec whole(da.size() + count);
  whole << da, Vec::Zero(count);
  Vec out = problem_.curve(whole).head(da.size());
  for (Index i = 0; i < diagonal_.cols(); ++i) {
    out.segment(i * j, j).noalias() += square(diagonal_, i, j) * da.segment(i * j, j);
  }
  return out;
}

Mat NewtonSystem::solve_a(const Mat& rhs) const {
  const Index j = problem_.outputs(), n = problem_.observations();
  auto preconditioned = [&](const Vec& r) -> Vec {
    const Mat out = preconditioner_.solve(Eigen::Map<const Mat>(r.data(), j, n));
    return Eigen::Map<const Vec>(out.data(), out.size());
  };
  return conjugate_gradients(
      rhs, [&](const Vec& p) { return times(p); }, preconditioned,
      [&](double length) { return tol_ * tol_ * length; }, kCgMax);
}

Vec NewtonSystem::solve(const Vec& rhs) const {
  const Index count = problem_.constraint_count(), size = rhs.size() - count;
  const Vec free = solve_a(rhs.head(size));
  if (count == 0) return free;
  const Vec dnu = schur_.solve(Vec(rhs.tail(count) - cross_.transpose() * free));
  Vec out(rhs.size());
  out << free - solved_ * dnu, dnu;
  return out;
}

Vec NewtonSystem::inverse_diagonal() const {
  const Vec free = preconditioner_.inverse_diagonal();
  if (problem_.constraint_count() == 0) return free;
  const Mat bordered = schur_.solve(Mat(solved_.transpose()));
  return free + (solved_.array() * bordered.transpose().array()).rowwise().sum().matrix();
}

}  // namespace psd
