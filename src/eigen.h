// eigen.h: what every file needs of Eigen. As a system header, so that users who install from
// source do not read the compiler's warnings about Eigen's own code.
#pragma once
#pragma GCC system_header
#include <Eigen/Cholesky>
