# Partially non-negative models: a linear function of the features, non-negative at the data and
# nowhere else. Losses with a logarithm keep it positive there; elsewhere the block does.

pnm_density_engine <- function(...) density_engine(..., model = "pnm")

pnm_quantreg_engine <- function(...) quantreg_engine(..., model = "pnm")

pnm_hetero_engine <- function(...) hetero_engine(..., model = "pnm")

pnm_regression_engine <- function(...) regression_engine(..., model = "pnm")
