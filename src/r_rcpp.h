// r_rcpp.h: Rcpp with Eigen, silent as eigen.h is.
#pragma once
#pragma GCC system_header
#include <RcppEigen.h>
