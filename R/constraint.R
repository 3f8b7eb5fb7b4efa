# Linear constraints on a density, from the user's terms to the matrices of the engine.

#' Constraints on a density
#'
#' What is known about a density beforehand, for the `constraints` argument of [psd_density()]: the
#' probability of a box or a moment is equal to, at most or at least a given value. The constraints
#' are linear in the density, so the fit stays a convex problem, and they hold exactly, not just on
#' the sample.
#'
#' @param functional `"probability"`: of the box `lower <= x <= upper`. `"mean"`: of one column.
#'   `"second"`: the second moment (about zero), the mean of the product of two columns or of the
#'   square of one.
#' @param value What the functional is compared with, in the units of the data.
#' @param relation `"=="`, `"<="` or `">="`.
#' @param columns Names or numbers of columns: one for a mean; one or two for a second moment. May
#'   be left out if there is only one column.
#' @param lower,upper The box: one bound, or one a coordinate, possibly infinite.
#' @return A list of class `psd_constraint`.
#' @export
#' @examples
#' x <- faithful$eruptions
#' fit <- psd_density(x, sigma = 0.5, lambda = 1e-2,
#'                    constraints = list(psd_constraint("mean", mean(x)),
#'                                       psd_constraint("probability", 0.4, ">=", upper = 3)))
#' psd_moments(fit)$mean - mean(x)
#' psd_prob(fit, upper = 3)
psd_constraint <- function(functional = c("probability", "mean", "second"), value,
                           relation = c("==", "<=", ">="), columns = NULL,
                           lower = -Inf, upper = Inf) {
  functional <- check_choice(functional, c("probability", "mean", "second"))
  relation <- check_choice(relation, c("==", "<=", ">="))
  value <- check_number(value)
  if (functional == "probability") {
    value <- check_number(value, min = 0, max = 1)
    lower <- check_numbers(lower, finite = FALSE)
    upper <- check_numbers(upper, finite = FALSE)
    if (any(lower >= upper)) {
      abort("{.arg lower} must be below {.arg upper}, not {.val {lower}} and {.val {upper}}.")
    }
  }
  structure(list(functional = functional, relation = relation, value = value, columns = columns,
                 lower = lower, upper = upper), class = "psd_constraint")
}

#' @export
format.psd_constraint <- function(x, ...) {
  what <- switch(x$functional,
    probability = paste0("P(", bounds(x$lower, x$upper), ")"),
    mean = paste0("E(", x$columns %||% "x", ")"),
    second = paste0("E(", paste(rep_len(x$columns %||% "x", 2), collapse = " * "), ")")
  )
  paste(what, x$relation, signif(x$value, 6))
}

bounds <- function(lower, upper) {
  paste0("[", signif(lower, 5), ", ", signif(upper, 5), "]", collapse = " x ")
}

#' @export
print.psd_constraint <- function(x, ...) {
  cat("<psd_constraint> ", format(x), "\n", sep = "")
  invisible(x)
}

# The user's constraints, checked, as functions of a block, the measure and log_norm that give
# list(integrals = list(W), bound =, equality =): <A, W> == or <= bound for the matrix the engine
# solves for, exp(log_norm) times the user's.
resolve_constraints <- function(constraints, scaling, recipe, call = rlang::caller_env()) {
  good <- vapply(as.list(constraints), inherits, NA, "psd_constraint")
  if (!is.list(constraints) || !all(good)) {
    abort("{.arg constraints} must be a list of {.fn psd_constraint}s, not
           {.obj_type_friendly {constraints}}.", call = call)
  }
  lapply(constraints, function(constraint) {
    terms <- constraint_terms(constraint, scaling, recipe$columns, call)
    function(block, measure, log_norm) constraint_row(constraint, terms, block, measure, log_norm)
  })
}

# The functional as sum_k weight_k int f t^power_k over a box, in standardised units, and the bound
# that is left for it: E(center + scale t) and E((center_i + scale_i t_i)(center_j + scale_j t_j))
# multiplied out, the integral of f being one.
constraint_terms <- function(constraint, scaling, columns, call) {
  d <- length(columns)
  value <- constraint$value
  if (constraint$functional == "probability") {
    lower <- per_coordinate(constraint$lower, d, finite = FALSE, arg = "lower", call = call)
    upper <- per_coordinate(constraint$upper, d, finite = FALSE, arg = "upper", call = call)
    box <- list(lower = (lower - scaling$center) / scaling$scale,
                upper = (upper - scaling$center) / scaling$scale)
    return(list(bound = value, weights = 1, powers = list(rep(0, d)), box = box))
  }
  if (is.null(constraint$columns) && d > 1) {
    abort("{.arg columns} must be given for a moment of a density of {d} variables.", call = call)
  }
  at <- check_columns(constraint$columns %||% 1, columns, arg = "columns", call = call)
  most <- if (constraint$functional == "mean") 1 else 2
  if (length(at) > most) {
    abort("{.arg columns} must be at most {most} column{?s} for {.val {constraint$functional}}, not
           {length(at)}.", call = call)
  }
  unit <- function(column) as.numeric(seq_len(d) == column)
  shift <- scaling$center / scaling$scale
  if (most == 1) {
    bound <- value / scaling$scale[at] - shift[at]
    return(list(bound = bound, weights = 1, powers = list(unit(at))))
  }
  i <- at[1]
  j <- at[length(at)]
  list(bound = value / scaling$scale[i] / scaling$scale[j] - shift[i] * shift[j],
       weights = c(1, shift[i], shift[j]), powers = list(unit(i) + unit(j), unit(j), unit(i)))
}

constraint_row <- function(constraint, terms, block, measure, log_norm) {
  if (!is.null(terms$box)) {
    measure$lower <- pmax(measure$lower, terms$box$lower)
    measure$upper <- pmin(measure$upper, terms$box$upper)
  }
  w <- 0
  for (k in seq_along(terms$weights)) {
    integral <- block_integral(block, measure, terms$powers[[k]])
    w <- w + terms$weights[k] * exp(integral$log_scale - log_norm) * integral$value
  }
  size <- norm(w, "F")
  sign <- if (constraint$relation == ">=") -1 else 1
  if (size == 0) size <- 1
  list(integrals = list(sign * w / size), bound = sign * terms$bound / size,
       equality = constraint$relation == "==")
}

# Stops if no density of the model satisfies the constraints. With W_0 the matrix of the total
# integral, the values (<A, W_m>)_m over A >= 0 with <A, W_0> = 1 are a convex set whose extreme
# points are given by smallest eigenvectors. Frank-Wolfe looks for its point nearest to the bounds;
# a direction in which the whole set lies beyond the bounds proves that there is none (Farkas).
check_feasible <- function(problem, constraints, call = rlang::caller_env()) {
  rows <- problem$constraints[-1]
  if (length(rows) == 0) return(invisible())
  total <- eigen(problem$constraints[[1]]$integrals[[1]], symmetric = TRUE)
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
    vector <- eigen(form, symmetric = TRUE)$vectors[, nrow(form)]
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
  shown <- vapply(constraints, format, "")
  abort(c("{.arg constraints} cannot be satisfied by a density of this model.",
          x = "No density with this kernel, {.arg sigma} and support has {shown}.",
          i = "Check the values against the support and the range of the data, or change
               {.arg sigma}."),
        class = "psd_infeasible", call = call)
}
