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
#' features, every gap is at least one per cent of what it would be for a normal response of the
#' same scale, so that none closes, and where the kernel fades quantiles give way to parallel lines:
#' a median regression with the quantiles of its residuals (or the quantiles of the response, if
#' slopes are not worth their number by BIC, or where there is a bound). The two are averaged, with
#' a weight of one for the fit at the data and up to half a kernel width beyond, which then falls as
#' the kernel does; averages of ordered quantiles are ordered. With `FALSE` all quantiles tend to
#' the centre of the response. [predict()][predict.psd_quantreg] warns in both cases.
#'
#' **Bounds.** Quantiles of a response that cannot be negative should not be either. With
#' `lower = 0` the lowest quantile is zero plus a non-negative function `phi(x)' A_0 phi(x)`, and
#' the others lie above it by the gaps, so that none is below the bound anywhere; with `upper` the
#' highest lies below the bound likewise. The function `A_0` takes the place of the linear one:
#' `linear` in `sigma` and `lambda` is for it, with the penalty of the gaps.
#'
#' **Other models.** With `model = "pnm"` the gaps are linear functions, non-negative at the data
#' only, so that quantiles can cross between them; with `"ncm"` mixtures of kernels, which cannot.
#' Their `sigma` and `lambda` are still called `psd`.
#'
#' **Units.** With `standardize = TRUE` predictors and response are centred and scaled, `sigma` and
#' the penalties act in those units, and the fit is equivariant: the quantiles of `a + b y` are
#' those of `y` times `b` plus `a` (for negative `b`, with levels `1 - tau`). With
#' `standardize = FALSE, constant = FALSE` it is exactly the model of the paper.
#'
#' **Exponentials.** With `model = "glm"` the gaps are `exp(w' phi(x))` with penalty
#' `lambda_psd / 2 |w|^2`: never zero, and tending to one (in standardised units) where the kernels
#' vanish. The problem is neither convex nor smooth. The pinball losses are smoothed, the smoothing
#' shrunk from 0.3 to 0.001 of the scale of the response, and each smooth problem solved by
#' quasi-Newton steps, from five starts (zero, or the fit at the next larger penalty, and four drawn
#' from R's random numbers). `"converged"` says that the gradient is small; there is no certificate,
#' and `gap` is `NA`. The constant among the features counts 10, as in the middle quantile.
#'
#' @param formula A formula such as `y ~ a + b`; factors become columns of the model matrix. Leave
#'   it out to pass `x` and `y`.
#' @param data A data frame, for the formula.
#' @param tau Levels in (0, 1): one or more, in any order, without duplicates.
#' @param x,y Instead of a formula: a numeric vector, matrix or data frame of predictors, and the
#'   response.
#' @param sigma Kernel width, in standardised units (or in those of the data if `standardize` is
#'   `FALSE`). One value is used as it is; several are tried by cross-validation; `NULL` looks for
#'   one. [psd_widths()] gives several widths in one fit. A list `list(linear =, psd =)` of such
#'   gives the middle quantile and the gaps their own. See [psd_tune()].
#' @param lambda Penalty: one value, several, `NULL` (looked for) or a list, as for `sigma`.
#' @param parametric Is a linear function of the predictors among the features of the middle
#'   quantile, hardly penalised, so that the fit tends to a linear model as `lambda` grows? By
#'   default if there are several widths.
#' @param standardize Centre predictors and response and scale them by `min(sd, IQR / 1.349)`
#'   before fitting? Predictions are always in the units of the data.
#' @param constant Add a constant to the features, a small one to the gaps, and parallel lines, for
#'   predictions far from the data?
#' @param lower,upper A bound of the response, and so of all quantiles: one number, or `NULL`. At
#'   most one of them.
#' @inheritParams psd_hetero
#' @inheritParams psd_density
#' @return An object of class `psd_quantreg`. It keeps the training data as numbers, for
#'   `residuals()` and plots.
#' @seealso [predict.psd_quantreg()], [plot.psd_quantreg()], [psd_pinball()]
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.5, 0.9),
#'                     sigma = 0.4, lambda = 1e-3)
#' fit
#' predict(fit, data.frame(times = c(10, 20, 100)))
#' plot(fit)
psd_quantreg <- function(formula = NULL, data = NULL, tau = c(0.25, 0.5, 0.75), x = NULL, y = NULL,
                         sigma = NULL, lambda = NULL, ridge = NULL, model = "psd",
                         kernel = "gaussian", standardize = TRUE, shape = "auto",
                         parametric = NULL, constant = TRUE, lower = NULL, upper = NULL,
                         weights = NULL, subset = NULL, na.action = stats::na.omit,
                         tune = psd_tune(), control = psd_control()) {
  tau <- check_tau(tau)
  bound <- check_bound(lower, upper, model)
  settings <- check_settings("quantreg", model, kernel, standardize, constant, control)
  molded <- mold_response(formula, data, x, y, rlang::enquo(weights), rlang::enquo(subset),
                          na.action, argument_name(substitute(x)))
  check_within(molded$y, bound, molded$recipe$response)
  units <- list(x = make_scaling(molded$x, molded$weights, standardize, arg = molded$arg),
                y = quantile_units(molded$y, molded$weights, standardize, molded$recipe$response))
  shape <- check_relevance(shape, sigma, settings, molded$recipe$columns)
  relevant <- relevant_units(units$x, molded, shape, spread = TRUE)
  units$x <- relevant$units
  settings$shape <- relevant$shape
  if (!is.null(bound$at)) units$y$center <- bound$at
  base <- quantile_base(sort(tau), bound$name)
  problem <- quantreg_problem(standardized(molded$x, units$x),
                              (molded$y - units$y$center) / units$y$scale, molded$weights,
                              sort(tau), settings$model, kernel, constant, base)
  estimate(
    problem, molded, units, settings, list(sigma = sigma, lambda = lambda, ridge = ridge,
                                           parametric = parametric, tune = tune), match.call(),
    details = function(solution, chosen, problem) list(tau = tau, levels = sort(tau), base = base)
  )
}

check_tau <- function(tau, call = rlang::caller_env()) {
  tau <- check_numbers(tau, above = 0, below = 1, call = call)
  if (anyDuplicated(tau)) {
    abort("{.arg tau} must not have duplicates; {.val {tau[duplicated(tau)][1]}} is there twice.",
          call = call)
  }
  tau
}

# list(name = "none", "lower" or "upper", at =): the bound of all quantiles, if there is one.
check_bound <- function(lower, upper, model, call = rlang::caller_env()) {
  if (is.null(lower) && is.null(upper)) return(list(name = "none"))
  if (!is.null(lower) && !is.null(upper)) {
    abort(c("Only one of {.arg lower} and {.arg upper} must be given.",
            i = "Between two bounds, fit the quantiles of {.fn qlogis} of the share of the way, and
                 take {.fn plogis} of them: quantiles go with increasing functions."), call = call)
  }
  if (!identical(model, "psd")) {
    abort("{.arg model} must be {.val psd} where {.arg lower} or {.arg upper} is given.",
          call = call)
  }
  if (is.null(upper)) list(name = "lower", at = check_number(lower, call = call))
  else list(name = "upper", at = check_number(upper, call = call))
}

check_within <- function(y, bound, arg, call = rlang::caller_env()) {
  outside <- switch(bound$name, none = FALSE, lower = y < bound$at, upper = y > bound$at)
  if (any(outside)) {
    abort("The response {.arg {arg}} must not be beyond {.arg {bound$name}}, {.val {bound$at}}; it
           is {.val {y[outside][1]}} in row {which(outside)[1]}.", call = call)
  }
  if (!is.null(bound$at) && is_constant(diff(range(y)), bound$at) && any(y != bound$at)) {
    abort("{.arg {bound$name}} must be nearer to the response {.arg {arg}} than {.val {bound$at}}:
           seen from there its values are all the same.", call = call)
  }
}

quantile_units <- function(y, weights, standardize, arg, call = rlang::caller_env()) {
  if (standardize && is_constant(diff(range(y)), max(abs(y)))) {
    abort(c("The response {.arg {arg}} must vary; it is {.val {y[1]}} in every observation.",
            i = "With {.code standardize = FALSE} a constant response can be fitted."), call = call)
  }
  if (!standardize) check_unscaled(y, arg, call)
  make_scaling(matrix(y), weights, standardize, arg = arg, call = call)
}
