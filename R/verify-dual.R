# The value of the dual that psd_verify() holds against the objective: at the point of the solver,
# or at one that is found once more.

# Of functions that are only asked to be non-negative at the data the dual has further variables;
# where the solver's point is not kept, as of an average, it is found again for densities only.
has_linear_dual <- function(fit) {
  solved <- fit$solved
  known <- !is.null(solved$dual) ||
    identical(solved$losses[[1]]$name, "neg_log") && identical(solved$total, "one")
  known && (fit$model == "psd" || solved$positive)
}

# list(value =, found =): the dual value at the solver's point or, for a density, at one found here,
# if the search came to an end.
best_dual <- function(problem, fit, steps) {
  dual <- fit$solved$dual
  if (is.null(dual)) return(recovered_dual(problem, steps))
  n <- length(problem$weights)
  outputs <- nrow(problem$mixing)
  a <- t(matrix(dual[seq_len(n * outputs)], outputs))
  list(value = plain_dual(problem, a, dual[-seq_len(n * outputs)])$value, found = TRUE)
}

# For the loss -log u: at an optimum a_i = -weight_i / u_i. With these the best multipliers, one
# after the other; from there upwards, in log(-a), by L-BFGS, where the multipliers of inequalities
# stay non-negative.
recovered_dual <- function(problem, steps) {
  weights <- problem$weights
  block <- problem$blocks[[1]]
  inner <- crossprod(block$values, block$coefficients)
  u <- if (block$square) rowSums(inner^2) else inner[, 1]
  if (!all(u > 0)) return(list(value = NA, found = FALSE))
  equality <- vapply(problem$rows, `[[`, NA, "equality")
  n <- length(weights)
  at <- function(z) plain_dual(problem, matrix(-weights * exp(z[seq_len(n)])), z[-seq_len(n)])
  slope <- function(z) {
    point <- at(z)$parts[[1]]$point
    values <- if (block$square) colSums(block$values * (point %*% block$values))
              else drop(crossprod(block$values, point))
    integrals <- vapply(problem$rows, function(row) sum(point * row$integrals[[1]]), 0)
    bound <- vapply(problem$rows, `[[`, 0, "bound")
    c(weights * (1 - exp(z[seq_len(n)]) * values), integrals - bound)
  }
  # Steps may go where exp(z) is no number, or slopes have no squares.
  value <- function(z) max(at(z)$value, -1e200, na.rm = TRUE)
  finite_slope <- function(z) {
    out <- slope(z)
    ifelse(is.finite(out), pmin(pmax(out, -1e100), 1e100), 0)
  }
  start <- c(-log(u), likely_multipliers(problem, -weights / u))
  for (m in rep(n + seq_along(equality), 2)) {
    along <- function(nu) value(replace(start, m, nu))
    near <- start[m] + c(-1, 1) * (1.5 + 0.01 * abs(start[m]))
    if (!equality[m - n]) near <- pmax(near, 0)
    start[m] <- stats::optimize(along, near, maximum = TRUE, tol = 1e-10)$maximum
  }
  lower <- c(rep(-Inf, n), ifelse(equality, -Inf, 0))
  found <- stats::optim(start, function(z) -value(z), function(z) -finite_slope(z), lower = lower,
                        method = "L-BFGS-B",
                        control = list(maxit = steps, factr = 1, pgtol = 0, lmm = 20))
  # A search may come to an end for rounding as well: at an optimum the slopes are zero.
  steepest <- max(abs(slope(found$par)[seq_len(n)] / weights))
  list(value = -found$value, found = found$convergence == 0 && isTRUE(steepest <= 0.01))
}

# At an optimum the slopes of likelihood, penalty and constraints, all applied to the function's
# coefficients, add up to zero.
likely_multipliers <- function(problem, a) {
  block <- problem$blocks[[1]]
  by <- plain_penalty(problem, block)
  root <- block$coefficients
  slope <- if (block$square) {
    block$values %*% (a * crossprod(block$values, root)) + by[["l1"]] * root +
      by[["l2"]] * root %*% crossprod(root)
  } else {
    block$values %*% a + by[["l2"]] * root
  }
  pulls <- vapply(problem$rows, function(row) {
    as.vector(if (block$square) row$integrals[[1]] %*% root else row$integrals[[1]])
  }, numeric(length(root)))
  found <- stats::lm.fit(matrix(pulls, length(root)), -as.vector(slope))$coefficients
  ifelse(is.na(found), 0, unname(found))
}
