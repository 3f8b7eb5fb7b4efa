# Models with non-negative coefficients: a mixture of kernel sections at the data, f = sum_j a_j
# k(., x_j) with a >= 0 and penalty (lambda / 2) a' K a. In terms of the features it is linear,
# with its weight in the cone of the sections' features.

ncm_density_engine <- function(...) density_engine(..., model = "ncm")

ncm_quantreg_engine <- function(...) quantreg_engine(..., model = "ncm")

ncm_hetero_engine <- function(...) hetero_engine(..., model = "ncm")

ncm_regression_engine <- function(...) regression_engine(..., model = "ncm")
