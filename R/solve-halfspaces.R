# Regression in a cone given by half-spaces. The matrix A_s of an output is symmetric; its positive
# and negative parts are two functions of the fit, which the mixing subtracts.

signed_mixing <- function(outputs) cbind(diag(outputs), -diag(outputs))

# As solve_blocks(), by solvers of their own.
solve_in_halfspaces <- function(prepared, lambda, ridge, control, previous) {
  begin <- proc.time()[["elapsed"]]
  problem <- prepared$problem
  cone <- problem$halfspaces
  block <- block_of("psd", prepared, lambda, ridge)
  outputs <- seq_len(ncol(prepared$y))
  none <- matrix(0, nrow(block$features$values), nrow(block$features$values))
  spec <- list(
    losses = problem$losses, y = prepared$y, weights = prepared$weights / sum(prepared$weights),
    integrals = lapply(prepared$rows, function(row) lapply(row$integrals[outputs], `%||%`, none)),
    bound = vapply(prepared$rows, `[[`, 0, "bound"),
    equality = vapply(prepared$rows, `[[`, NA, "equality")
  )
  control <- patient(control, nrow(block$features$values), sum(dim(cone$normals)))
  out <- cpp_solve_in_halfspaces(spec, block$features$values, block$l1, block$l2, cone$normals,
                                 cone$interior, control,
                                 problem$start(previous, lambda, nrow(prepared$y)))
  roots <- lapply(out$coefficients, signed_roots)
  functions <- lapply(c(lapply(roots, `[[`, "positive"), lapply(roots, `[[`, "negative")),
                      function(root) fitted_function(block, root))
  out$rank <- vapply(out$coefficients, significant_rank, 0L)
  finish_solution(out, functions, control, begin)
}

# Where the user did not say how many iterations: Newton's steps to many proximal points are more
# than to one optimum, but cheap. An iteration of FISTA takes spectra of matrices, about one for
# each output and half-space: no more than take about a quarter of a minute.
patient <- function(control, features, matrices) {
  usual <- psd_control(control$solver)$max_iter
  if (control$max_iter != usual) return(control)
  control$max_iter <- if (control$solver == "newton") 3 * usual
                      else max(100, min(usual, floor(most_work / (matrices * features^3))))
  control
}

most_work <- 5e9  # about three nanoseconds each

# Of A_s without the small multiple of the identity that repairs the cone.
significant_rank <- function(a) {
  size <- abs(spectrum_of(a)$values)
  sum(size > 1e-4 * max(size))
}

# R and S with A = R R' - S S'.
signed_roots <- function(a) {
  spectrum <- spectrum_of(a)
  root <- function(values) {
    kept <- values > 0
    spectrum$vectors[, kept, drop = FALSE] %*% diag(sqrt(values[kept]), sum(kept))
  }
  list(positive = root(spectrum$values), negative = root(-spectrum$values))
}
