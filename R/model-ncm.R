# Models with non-negative coefficients: a mixture of kernel sections at the data, f = sum_j a_j
# k(., x_j) with a >= 0 and penalty (lambda / 2) a' K a. In terms of the features it is linear,
# with its weight in the cone of the sections' features.
model_ncm <- function() {
  new_model(
    "ncm", label = "non-negative coefficients (ncm)", form = "linear",
    problems = c("density", "quantreg", "hetero", "regression"), single = TRUE,
    scales = FALSE,
    # Features that represent a section up to a tolerance at the data do so up to its root in an
    # integral.
    integral_tol = function(tol) max(tol^1.5, 1e-13),
    block = function(features, lambda, ridge, norm, positive) {
      conic_block(features, lambda / norm^2)
    }
  )
}
