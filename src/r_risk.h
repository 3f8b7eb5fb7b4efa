// r_risk.h: the data term, from the losses R names or from R functions.
#pragma once
#include "r_convert.h"

namespace psd {

// From list(losses =, y =, weights =). Losses that carry functions, list(value =, prox =,
// conjugate =), make a risk that calls them, all observations at once; others a SmoothRisk.
std::unique_ptr<Risk> risk_from(const Rcpp::List& spec);

}  // namespace psd
