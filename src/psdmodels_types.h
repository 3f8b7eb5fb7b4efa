// psdmodels_types.h: what Rcpp::compileAttributes() includes first in RcppExports.cpp.
#pragma once
#include "r_rcpp.h"
