# Partially non-negative models: a linear function of the features, non-negative at the data and
# nowhere else. Losses with a logarithm keep it positive there; quantile gaps and regression have the
# indicator of the half line as a further loss.

pnm_density_engine <- function(...) density_engine(..., model = "pnm")

pnm_quantreg_engine <- function(...) quantreg_engine(..., model = "pnm")

pnm_hetero_engine <- function(...) hetero_engine(..., model = "pnm")

pnm_regression_engine <- function(...) regression_engine(..., model = "pnm")

# One output, which is once more there to be non-negative.
nonnegative_at_data <- function(blocks, losses, problem, constraints, control, start) {
  specs <- c(lapply(losses, loss_spec), list(list(name = "nonnegative")))
  fit_psd(blocks, specs, cbind(problem$y, 0), matrix(1, 2, 1), problem$weights, constraints,
          control, start)
}
