# Linear constraints on a density, from the user's terms to the matrices of the engine.

#' Constraints on a density
#'
#' What is known about a density beforehand, for the `constraints` argument of [psd_density()]: the
#' probability of a box or a moment is equal to, at most or at least a given value. The constraints
#' are linear in the density, so the fit stays a convex problem, and they hold exactly, not just on
#' the sample. With `transform` in [psd_density()] only probabilities can be constrained.
#'
#' @param functional `"probability"`: of the box `lower <= x <= upper`. `"mean"`: of one column.
#'   `"second"`: the second moment (about zero), the mean of the product of two columns or of the
#'   square of one.
#' @param value What the functional is compared with, in the units of the data.
#' @param relation `"=="`, `"<="` or `">="`.
#' @param columns Names or numbers of columns: one for a mean; one or two for a second moment. May
#'   be left out if there is only one column.
#' @param lower,upper The box: bounds named by column (columns not named have none), one per column
#'   in order, or a single one without a name, for every column. They may be infinite.
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
    check_box(lower, upper)
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

# Bounds by column name where they have such.
bounds <- function(lower, upper) {
  columns <- union(names(lower), names(upper))
  if (length(columns) == 0) {
    return(paste0("[", signif(lower, 5), ", ", signif(upper, 5), "]", collapse = " x "))
  }
  of <- function(bound, rest) {
    if (is.null(names(bound))) rep_len(bound, length(columns))
    else ifelse(columns %in% names(bound), bound[columns], rest)
  }
  paste0(columns, " in [", signif(of(lower, -Inf), 5), ", ", signif(of(upper, Inf), 5), "]",
         collapse = ", ")
}

#' @export
print.psd_constraint <- function(x, ...) {
  cat("<psd_constraint> ", format(x), "\n", sep = "")
  invisible(x)
}

# The user's constraints as functional()s of the density in standardised units: E(center + scale t)
# and E((center_i + scale_i t_i)(center_j + scale_j t_j)) multiplied out, the integral being one.
density_functionals <- function(constraints, measure, scaling, columns,
                                call = rlang::caller_env()) {
  lapply(constraints, function(constraint) {
    if (constraint$functional == "probability") {
      return(probability_functional(constraint, measure, scaling, columns, call))
    }
    moment_functional(constraint, measure, scaling, columns, call)
  })
}

probability_functional <- function(constraint, measure, scaling, columns, call) {
  lower <- per_column(constraint$lower, columns, -Inf, arg = "lower", call = call)
  upper <- per_column(constraint$upper, columns, Inf, arg = "upper", call = call)
  ends <- scaled(rbind(lower, upper), scaling)
  check_box_ends(ends, columns, call)
  measure$lower <- pmax(measure$lower, ends[1, ])
  measure$upper <- pmin(measure$upper, ends[2, ])
  functional(constraint$value, constraint$relation, list(measure))
}

moment_functional <- function(constraint, measure, scaling, columns, call) {
  d <- length(columns)
  at <- moment_columns(constraint, columns, call)
  check_untransformed(at, scaling, columns, call)
  unit <- function(column) as.numeric(seq_len(d) == column)
  shift <- scaling$center / scaling$scale
  if (constraint$functional == "mean") {
    return(functional(constraint$value / scaling$scale[at] - shift[at], constraint$relation,
                      list(measure), list(unit(at))))
  }
  i <- at[1]
  j <- at[length(at)]
  functional(constraint$value / scaling$scale[i] / scaling$scale[j] - shift[i] * shift[j],
             constraint$relation, rep(list(measure), 3),
             list(unit(i) + unit(j), unit(j), unit(i)), c(1, shift[i], shift[j]))
}

# A moment of a density on another scale is no integral of a polynomial there.
check_untransformed <- function(at, scaling, columns, call) {
  names <- vapply(scaling$transforms[at], `[[`, "", "name")
  bad <- which(names != "none")
  if (length(bad) > 0) {
    abort(c("{.arg constraints} on moments must be on columns without a {.arg transform}, not on
             {.field {columns[at[bad[1]]]}} with {.val {names[bad[1]]}}.",
            i = "Constraints on probabilities may be."), call = call)
  }
}

moment_columns <- function(constraint, columns, call) {
  d <- length(columns)
  if (is.null(constraint$columns) && d > 1) {
    abort("{.arg columns} must be given for a moment of a density of {d} variables.", call = call)
  }
  at <- check_columns(constraint$columns %||% 1, columns, arg = "columns", call = call)
  most <- if (constraint$functional == "mean") 1 else 2
  if (length(at) > most) {
    abort("{.arg columns} must be at most {most} column{?s} for {.val {constraint$functional}}, not
           {length(at)}.", call = call)
  }
  at
}
