# Whether constraints can be satisfied at all: found before or after solving.

# Stops if no density of the model satisfies the constraints. With W_0 the matrix of the total
# integral, the values (<A, W_m>)_m over A >= 0 with <A, W_0> = 1 are a convex set whose extreme
# points are given by smallest eigenvectors. Frank-Wolfe looks for its point nearest to the bounds;
# a direction in which the whole set lies beyond the bounds proves that there is none (Farkas).
check_feasible <- function(prepared, constraints, call = rlang::caller_env()) {
  rows <- prepared$rows[-1]
  if (length(rows) == 0) return(invisible())
  total <- spectrum_of(prepared$total)
  kept <- total$values > 1e-12 * total$values[1]
  white <- total$vectors[, kept, drop = FALSE] %*% diag(total$values[kept]^-0.5, sum(kept))
  matrices <- lapply(rows, function(row) crossprod(white, row$integrals[[1]] %*% white))
  bound <- vapply(rows, `[[`, 0, "bound")
  equality <- vapply(rows, `[[`, NA, "equality")
  if (separated(matrices, bound, equality)) abort_infeasible(constraints, call)
}

separated <- function(matrices, bound, equality, steps = 300) {
  lowest <- function(direction) {
    form <- Reduce(`+`, Map(`*`, matrices, direction))
    vector <- spectrum_of(form)$vectors[, nrow(form)]
    vapply(matrices, function(m) sum(vector * (m %*% vector)), 0)
  }
  beyond <- function(y) ifelse(equality, y - bound, pmax(y - bound, 0))
  y <- lowest(rep(1, length(matrices)))
  for (step in seq_len(steps)) {
    excess <- beyond(y)
    if (sum(abs(excess)) <= 1e-8 * max(1, abs(bound))) return(FALSE)
    vertex <- lowest(excess)
    if (sum(excess * (vertex - bound)) > 1e-9 * sum(abs(excess)) * max(1, abs(bound))) return(TRUE)
    along <- function(t) sum(beyond(y + t * (vertex - y))^2)
    y <- y + stats::optimize(along, c(0, 1), tol = 1e-10)$minimum * (vertex - y)
  }
  FALSE
}

abort_infeasible <- function(constraints, call) {
  shown <- shown_constraints(constraints)
  abort(c("{.arg constraints} cannot be satisfied by a density of this model.",
          x = "No density with this kernel, {.arg sigma} and support has {shown}.",
          i = "Check the values against the support and the range of the data, or change
               {.arg sigma}."),
        class = "psd_infeasible", call = call)
}

# Where no function satisfies the constraints the dual has no bound, and the gap never closes.
check_satisfied <- function(solution, constraints, call = rlang::caller_env()) {
  if (length(constraints) == 0) return()
  small <- 0.1 * max(1, abs(solution$primal_value))
  if (solution$converged || isTRUE(solution$gap < small)) return()
  shown <- shown_constraints(constraints)
  abort(c("No function of this model was found that satisfies {.arg constraints}: {shown}.",
          i = "Check the values against the cone and the data, or change {.arg sigma}."),
        class = "psd_infeasible", call = call)
}
