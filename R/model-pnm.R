# Partially non-negative models: a linear function of the features with penalty lambda / 2 |w|^2,
# non-negative at the data and nowhere else. Losses with a logarithm keep it positive there;
# elsewhere the block does.
model_pnm <- function() {
  new_model(
    "pnm", label = "linear, non-negative at the data only (pnm)", form = "linear", signed = TRUE,
    problems = c("density", "quantreg", "hetero", "regression"), single = TRUE,
    block = function(features, lambda, ridge, norm, positive) {
      # A norm is that of an integral, which only densities have, and those are positive.
      if (positive) linear_block(features, lambda / norm^2) else partial_block(features, lambda)
    }
  )
}
