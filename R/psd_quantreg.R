#' Quantile regression with quantiles that cannot cross
#'
#' Fits several conditional quantiles of a response at once, as smooth non-parametric functions of
#' one or more predictors. They do not cross, at the data or anywhere else: the middle quantile is a
#' function of its own, and the gaps between neighbouring levels are non-negative by construction.
#'
#' With sorted levels `tau_1 < ... < tau_J`, the level nearest 0.5 is `w' phi(x)` and the gap
#' between `tau_j` and `tau_{j+1}` is `phi(x)' A_j phi(x)` with `A_j` positive semidefinite; `phi`
#' are kernel features at (a subset of) the data. The fit minimises the mean over the observations
#' of the sum over the levels of the pinball losses, plus `lambda_linear / 2 |w|^2` and, for each
#' gap, `lambda_psd (tr A_j + ridge / 2 |A_j|^2)`. This is a convex problem, solved on its dual, and
#' the duality gap that comes with the fit is a certificate: no other choice has an objective lower
#' by more than that.
#'
#' **Far from the data** every kernel tends to zero. With `constant = TRUE` a constant is among the
#' features, so that quantiles tend to constants and the gaps need not close; with `FALSE` all
#' quantiles tend to the centre of the response. Neither is a forecast: no kernel method
#' extrapolates a trend.
#'
#' **Units.** With `standardize = TRUE` predictors and response are centred and scaled, `sigma` and
#' the penalties act in those units, and the fit is equivariant: the quantiles of `a + b y` are
#' those of `y` times `b` plus `a` (for negative `b`, with levels `1 - tau`). With
#' `standardize = FALSE, constant = FALSE` it is exactly the model of the paper.
#'
#' @param formula A formula such as `y ~ a + b`; factors become columns of the model matrix. Leave
#'   it out to pass `x` and `y`.
#' @param data A data frame, for the formula.
#' @param tau Levels in (0, 1): one or more, in any order, without duplicates.
#' @param x,y Instead of a formula: a numeric vector, matrix or data frame of predictors, and the
#'   response.
#' @param sigma Kernel width, in standardised units (or in those of the data if `standardize` is
#'   `FALSE`). One value is used as it is; several are tried by cross-validation; `NULL` is an
#'   automatic grid. A list `list(linear =, psd =)` of such gives the middle quantile and the gaps
#'   their own. See [psd_tune()].
#' @param lambda Penalty: one value, several, `NULL` or a list, as for `sigma`.
#' @param standardize Centre predictors and response and scale them by `min(sd, IQR / 1.349)`
#'   before fitting? Predictions are always in the units of the data.
#' @param constant Add a constant to the features, for predictions far from the data?
#' @inheritParams psd_density
#' @return An object of class `psd_quantreg`. It keeps the training data as numbers, for
#'   `residuals()` and plots.
#' @seealso [predict.psd_quantreg()], [plot.psd_quantreg()], [psd_pinball()]
#' @export
#' @examples
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.5, 0.9),
#'                     sigma = 0.4, lambda = 1e-3)
#' fit
#' predict(fit, data.frame(times = c(10, 20, 100)))
#' plot(fit)
psd_quantreg <- function(formula, data = NULL, tau = c(0.25, 0.5, 0.75), x = NULL, y = NULL,
                         sigma = NULL, lambda = NULL, ridge = 0.01,
                         kernel = c("gaussian", "abel"), standardize = TRUE, constant = TRUE,
                         weights = NULL, subset = NULL, na.action = stats::na.omit,
                         tune = psd_tune(), control = psd_control()) {
  tau <- check_tau(tau)
  kernel <- check_kernel(check_choice(kernel, c("gaussian", "abel")))
  standardize <- check_flag(standardize)
  constant <- check_flag(constant)
  control <- check_control(control)
  check_regression_input(missing(formula), formula, x, y)
  name <- if (is.symbol(substitute(x))) deparse1(substitute(x)) else "x"
  molded <- mold(if (missing(formula)) x else formula, data, y, weights = rlang::enquo(weights),
                 subset = rlang::enquo(subset), na.action = na.action, name = name)
  response <- check_response(molded$y, molded$response_arg %||% "formula")
  x_scaling <- make_scaling(molded$x, molded$weights, standardize, arg = molded$arg)
  y_scaling <- response_scaling(response, molded$weights, standardize, molded$response_arg)
  engine <- quantreg_engine(standardized(molded$x, x_scaling),
                            standardized(response, y_scaling)[, 1], molded$weights, sort(tau),
                            kernel, constant, control)
  chosen <- choose_parts(engine, sigma, lambda, ridge, tune)
  solution <- engine$solve(engine$prepare(engine$rows, chosen$sigma), chosen$lambda, chosen$ridge)
  warn_unless_converged(solution, control)
  new_psd_fit("quantreg", match.call(), molded$recipe, n = nrow(molded$x), tau = tau,
              levels = sort(tau), scaling = list(x = x_scaling, y = y_scaling),
              parameters = list(sigma = chosen$sigma, lambda = chosen$lambda, ridge = chosen$ridge,
                                standardize = standardize, constant = constant),
              solution = solution, response = molded$response_arg,
              x = molded$x, y = response[, 1], weights = molded$weights, tuning = chosen$tuning)
}

check_tau <- function(tau, call = rlang::caller_env()) {
  tau <- check_numbers(tau, above = 0, below = 1, call = call)
  if (anyDuplicated(tau)) {
    abort("{.arg tau} must not have duplicates; {.val {tau[duplicated(tau)][1]}} is there twice.",
          call = call)
  }
  tau
}

# Either a formula, or x and y.
check_regression_input <- function(no_formula, formula, x, y, call = rlang::caller_env()) {
  if (no_formula && (is.null(x) || is.null(y))) {
    abort("Either {.arg formula} or both {.arg x} and {.arg y} must be given.", call = call)
  }
  if (no_formula) return(check_response(y, "y", call))
  if (!inherits(formula, "formula")) {
    abort(c("{.arg formula} must be a formula such as {.code y ~ x}, not
             {.obj_type_friendly {formula}}.",
            i = "For vectors and matrices use {.code x =} and {.code y =}."), call = call)
  }
  if (!is.null(x) || !is.null(y)) {
    abort("{.arg x} and {.arg y} must not be given together with {.arg formula}.", call = call)
  }
}

# The response as a matrix with one column.
check_response <- function(y, arg, call = rlang::caller_env()) {
  if (is.null(y)) {
    abort("{.arg formula} must have a response, as {.code y ~ x} does.", call = call)
  }
  if (!is.numeric(y) || NCOL(y) != 1) {
    abort("{.arg {arg}} must be a numeric vector: one response, not {.obj_type_friendly {y}}.",
          call = call)
  }
  matrix(as.numeric(y), ncol = 1)
}

response_scaling <- function(y, weights, standardize, arg, call = rlang::caller_env()) {
  if (standardize && diff(range(y)) <= 1e-12 * max(abs(y))) {
    abort(c("The response {.arg {arg}} must vary; it is {.val {y[1]}} in every observation.",
            i = "With {.code standardize = FALSE} a constant response can be fitted."), call = call)
  }
  make_scaling(y, weights, standardize, arg = arg, call = call)
}

# Parameters for the linear and the PSD part: as given where there is nothing to choose.
choose_parts <- function(engine, sigma, lambda, ridge, tune, call = rlang::caller_env()) {
  fixed <- function(value) {
    if (is.list(value)) all(lengths(value) == 1) else length(value) == 1 && is.numeric(value)
  }
  if (fixed(sigma) && fixed(lambda) && length(ridge) == 1) {
    ridge <- check_number(ridge, above = 0, call = call)
    chosen <- list(sigma = sigma, lambda = lambda, ridge = ridge)
  } else {
    chosen <- choose_parameters(engine, sigma, lambda, ridge, tune, call)
  }
  chosen$sigma <- check_parts(chosen$sigma, "sigma", call)
  chosen$lambda <- check_parts(chosen$lambda, "lambda", call)
  chosen
}

check_parts <- function(value, arg, call) {
  if (is.list(value) && !setequal(names(value), c("linear", "psd"))) {
    abort("{.arg {arg}} must be numeric, or a list with {.field linear} and {.field psd}.",
          call = call)
  }
  value <- as_parts(value)
  stats::setNames(check_numbers(value, above = 0, arg = arg, call = call), names(value))
}
