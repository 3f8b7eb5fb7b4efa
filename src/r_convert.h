// r_convert.h: between R's lists and the core's types. The only conversions there are.
#pragma once
#include "features.h"
#include "model.h"
#include "r_rcpp.h"
#include "solver.h"

namespace psd {

std::unique_ptr<Kernel> kernel_from(const std::string& name);

// list(name =, <parameters>)
std::unique_ptr<Loss> loss_from(const Rcpp::List& loss);

// list(at =, width =)
Anchors anchors_from(const Rcpp::List& anchors);

// list(lower =, upper =, mean =, sd =), one number a coordinate
Measure measure_from(const Rcpp::List& measure);

// list(type = "psd" | "linear", values =, l1 =, l2 =, ...), integrals as W or q for each constraint
std::unique_ptr<Block> block_from(const Rcpp::List& block, const Rcpp::List& integrals);

}  // namespace psd
