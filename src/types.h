// types.h: the linear-algebra vocabulary of the core. No R headers here or below.
#pragma once
#include <limits>

#include "eigen.h"

namespace psd {

using Eigen::Index;
using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;
using Array = Eigen::ArrayXd;
using VecRef = Eigen::Ref<Vec>;
using ConstVec = Eigen::Ref<const Vec>;
using ConstMat = Eigen::Ref<const Mat>;

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace psd
