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
#' @param lower,upper The box: bounds named by column (columns not named have none), one per column
#'   in order, or a single one without a name, for every column. They may be infinite.
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
  check_box(lower, upper)
  check_base(base)
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

# The user's constraints as functional()s in standardised units. With x = center + scale t and
# y = unit u, int y(x) dx = unit prod(scale) int u(t) dt; a normal density brings its own factor
# 1 / prod(scale).
output_functionals <- function(constraints, outputs, columns, units, problem, constant,
                               call = rlang::caller_env()) {
  lapply(constraints, function(one) {
    measure <- make_measure(one$base, one$lower, one$upper, columns, call)
    flat <- one$base$name == "lebesgue"
    if (constant && flat && any(is.infinite(c(measure$lower, measure$upper)))) {
      abort(c("The integral of an output over an unbounded box is infinite.",
              i = "Give {.arg lower} and {.arg upper}, weigh it with
                   {.code base = psd_gaussian()}, or fit with {.code constant = FALSE}."),
            call = call)
    }
    log_unit <- log(units$y$scale) + if (flat) sum(log(units$x$scale)) else 0
    check_integral_size(one$value, log_unit, call)
    measure <- standardized_measure(measure, units$x)
    check_box_ends(rbind(measure$lower, measure$upper), columns, call)
    functional(times_exp(one$value, -log_unit), one$relation, list(measure),
               mixing = problem$mixing[check_output(one$output, outputs, call), ])
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
