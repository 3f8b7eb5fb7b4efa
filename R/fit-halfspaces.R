# Regression in a cone given by half-spaces. The matrix A_s of an output is symmetric; its positive
# and negative parts are two functions of the fitted model, which the mixing subtracts.

signed_mixing <- function(outputs) cbind(diag(outputs), -diag(outputs))

# As fit_psd(), with a problem made of features, y (one column an output) and weights.
fit_in_halfspaces <- function(problem, losses, cone, lambda, ridge, control, start = NULL) {
  begin <- proc.time()[["elapsed"]]
  features <- problem$features$psd
  spec <- list(losses = losses, y = problem$y, weights = problem$weights / sum(problem$weights))
  out <- cpp_solve_in_halfspaces(spec, features$values, lambda, lambda * ridge, cone$normals,
                                 cone$interior, control, start)
  roots <- lapply(out$coefficients, signed_roots)
  block <- psd_block(features, lambda, lambda * ridge)
  functions <- lapply(c(lapply(roots, `[[`, "positive"), lapply(roots, `[[`, "negative")),
                      function(root) fitted_function(block, root))
  ranks <- vapply(out$coefficients, significant_rank, 0L)
  out <- finish_solution(out, functions, control, begin)
  out$rank <- ranks
  out
}

# Of A_s without the small multiple of the identity that repairs the cone.
significant_rank <- function(a) {
  size <- abs(eigen(a, symmetric = TRUE, only.values = TRUE)$values)
  sum(size > 1e-4 * max(size))
}

# R and S with A = R R' - S S'.
signed_roots <- function(a) {
  spectrum <- eigen(a, symmetric = TRUE)
  root <- function(values) {
    kept <- values > 0
    spectrum$vectors[, kept, drop = FALSE] %*% diag(sqrt(values[kept]), sum(kept))
  }
  list(positive = root(spectrum$values), negative = root(-spectrum$values))
}
