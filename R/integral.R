# Constraints on the integrals of a regression.

#' Constraints on the integral of an output
#'
#' What is known about the integral of an output of [psd_regression()], for its `constraints`
#' argument: the integral over a box, against Lebesgue measure or weighted by a Gaussian density, is
#' equal to, at most or at least a given value. The constraint holds exactly in the fit.
#'
#' @param value What the integral is compared with, in the units of the data.
#' @param relation `"=="`, `"<="` or `">="`.
#' @param output Name or number of the output.
#' @param lower,upper The box: one bound, or one a coordinate, possibly infinite.
#' @param base The measure: [psd_lebesgue()], or [psd_gaussian()] for the integral of the output
#'   times a normal density.
#' @return A list of class `psd_integral`.
#' @export
#' @examples
#' x <- seq(0, 1, length.out = 50)
#' y <- x^2 + sin(20 * x) / 10
#' fit <- psd_regression(y ~ x, sigma = 0.5, lambda = 1e-3,
#'                       constraints = psd_integral(0.3, lower = 0, upper = 1))
#' integrate(function(x) predict(fit, data.frame(x)), 0, 1)
psd_integral <- function(value, relation = c("==", "<=", ">="), output = 1, lower = -Inf,
                         upper = Inf, base = psd_lebesgue()) {
  value <- check_number(value)
  relation <- check_choice(relation, c("==", "<=", ">="))
  if (length(output) != 1 || !(is.character(output) || is.numeric(output))) {
    abort("{.arg output} must be the name or number of one output, not
           {.obj_type_friendly {output}}.")
  }
  make_measure(base, lower, upper, max(length(lower), length(upper), length(base$mean)))
  structure(list(value = value, relation = relation, output = output, lower = lower, upper = upper,
                 base = base), class = "psd_integral")
}

#' @export
format.psd_integral <- function(x, ...) {
  weight <- if (x$base$name == "gaussian") " against a Gaussian" else ""
  paste0("integral of output ", x$output, " over ", bounds(x$lower, x$upper), weight, " ",
         x$relation, " ", signif(x$value, 6))
}

#' @export
print.psd_integral <- function(x, ...) {
  cat("<psd_integral> ", format(x), "\n", sep = "")
  invisible(x)
}

# The user's constraints, checked, in standardised units: list(measure =, output =, bound =,
# relation =). With x = center + scale t and y = unit u, int y(x) dx = unit prod(scale) int u(t) dt;
# a normal density brings its own factor 1 / prod(scale).
resolve_integrals <- function(constraints, outputs, scaling, constant, call = rlang::caller_env()) {
  good <- vapply(as.list(constraints), inherits, NA, "psd_integral")
  if (!is.list(constraints) || !all(good)) {
    abort("{.arg constraints} must be a list of {.fn psd_integral}s, not
           {.obj_type_friendly {constraints}}.", call = call)
  }
  lapply(constraints, function(one) {
    measure <- make_measure(one$base, one$lower, one$upper, length(scaling$center), call = call)
    flat <- one$base$name == "lebesgue"
    if (constant && flat && any(is.infinite(c(measure$lower, measure$upper)))) {
      abort(c("The integral of an output over an unbounded box is infinite.",
              i = "Give {.arg lower} and {.arg upper}, weigh it with
                   {.code base = psd_gaussian()}, or fit with {.code constant = FALSE}."),
            call = call)
    }
    unit <- scaling$unit * if (flat) prod(scaling$scale) else 1
    list(measure = standardized_measure(measure, scaling), bound = one$value / unit,
         output = check_output(one$output, outputs, call), relation = one$relation)
  })
}

check_output <- function(output, known, call) {
  at <- if (is.character(output)) match(output, known) else output
  if (!at %in% seq_along(known)) {
    abort("{.arg output} must be one of the outputs {.or {.val {known}}} (or its number), not
           {.val {output}}.", call = call)
  }
  as.integer(at)
}

# As fit_psd() takes it, measured in units of its own matrices.
integral_row <- function(integral, blocks, mixing) {
  row <- resolve_constraint(integral_constraint(integral$measure, integral$bound,
                                                mixing[integral$output, ]), blocks)
  size <- sqrt(sum(unlist(row$integrals)^2))
  if (integral$relation == ">=") size <- -size
  row$integrals <- lapply(row$integrals, function(w) if (!is.null(w)) w / size)
  row$bound <- integral$bound / size
  row$equality <- integral$relation == "=="
  row
}

# Where no function satisfies the constraints the dual has no bound, and the gap never closes.
check_satisfied <- function(solution, constraints, call = rlang::caller_env()) {
  small <- 0.1 * max(1, abs(solution$primal_value))
  if (solution$converged || isTRUE(solution$gap < small)) return()
  shown <- vapply(constraints, format, "")
  abort(c("No function of this model was found that satisfies {.arg constraints}: {shown}.",
          i = "Check the values against the cone and the data, or change {.arg sigma}."),
        class = "psd_infeasible", call = call)
}
