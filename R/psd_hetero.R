#' Regression when the noise is not constant
#'
#' Fits the mean and the variance of a response together, `y | x ~ N(mean(x), variance(x))`, by one
#' convex problem: there are no starting values, no floor of the variance to choose, and the duality
#' gap that comes with the fit bounds its distance to the global optimum.
#'
#' The Gaussian likelihood is convex in its natural parameters `eta = mean / variance` and
#' `theta = 1 / variance`. Here `eta(x) = w' phi(x)` is a linear model and
#' `theta(x) = psi(x)' A psi(x)`, `A` positive semidefinite, is non-negative everywhere; `phi` and
#' `psi` are kernel features, each with a width of its own. The fit minimises
#' \deqn{\mathrm{mean}_i\left(-\tfrac12 \log\theta(x_i) + \tfrac12 \theta(x_i) y_i^2 - y_i \eta(x_i)
#' + \frac{\eta(x_i)^2}{2 \theta(x_i)}\right) + \frac{\lambda_{linear}}2 |w|^2
#' + \lambda_{psd} \left(\mathrm{tr} A + \frac{ridge}2 |A|_F^2\right).}{
#' mean_i(-log(theta(x_i)) / 2 + theta(x_i) y_i^2 / 2 - y_i eta(x_i) + eta(x_i)^2 / (2 theta(x_i)))
#' + lambda_linear / 2 |w|^2 + lambda_psd (tr A + ridge / 2 |A|_F^2).}
#' The `objective` of [glance()] is this number, in the units the solver used; `(log 2 pi) / 2`
#' more, and without the penalties, it is the mean negative log-likelihood.
#'
#' **A pilot.** A penalty on the precision that is right where the noise is small hardly acts where
#' it is large. So where `sigma` and `lambda` are left to be chosen `y` is fitted in units of a
#' rough fit, the pilot: `z = (y - m(x)) / s(x)`, `m` the mean of a Gaussian process, `log s` half
#' that of another one for the log of the squared errors (widths and ratios of signal to noise are
#' their means given the data, with a prior; at most 1000 rows at even distances in the order of the
#' predictors, and 100 landmarks). The convex problem above is that of `z`, with a constant of 2
#' among the features of `theta` instead of 1, as it is the pilot's own precision. With `eta` and
#' `theta` its solution, the precision of `y` is `theta(x) / s(x)^2` and its mean
#' `m(x) + s(x) eta(x) / theta(x)`. The certificate is for this problem, given the pilot. `sigma`
#' and `lambda` are the same for both parts then. As the pilot has widths of its own, `sigma = NULL`
#' is the width at which a search would begin, `0.6 sqrt(d)` for `d` predictors, and only `lambda`
#' is looked for: its logarithm is the mean over the penalties tried, with weights
#' `exp(-n / 4 * (score - lowest))`. In cross-validation rows that are held out are not seen by the
#' pilot, but for its widths. There are no random numbers.
#'
#' Far from the data the kernel tells nothing. With `constant = TRUE` the features of `theta` have a
#' constant one more, and where the kernel fades predictions give way to the pilot and, where its
#' kernel fades or where there is none, to the linear model with constant variance (to mean and
#' variance of the response, if slopes are not worth their number by BIC; and the variance is not
#' below that of a pilot): natural parameters are an average of the
#' two, with a weight of one for the fit at the data and up to half a kernel width beyond, which
#' then falls as the kernel does. With `constant = FALSE`, as in the paper, `theta` tends to zero
#' and the variance to infinity.
#' [predict()][predict.psd_hetero] warns in both cases.
#'
#' With `model = "pnm"` `theta` is a linear function, positive at the data only, with `"ncm"` a
#' mixture of kernels; its `sigma` and `lambda` are still called `psd`.
#'
#' With `model = "glm"` `theta` is `exp(v' psi(x))` with penalty `lambda_psd / 2 |v|^2`: the problem
#' is not convex. It is solved by quasi-Newton steps from five starts (zero, or the fit at the next
#' larger penalty, and four drawn from R's random numbers), the best of which is kept. `"converged"`
#' says that the gradient is small; there is no certificate, and `gap` is `NA`. The constant in
#' `psi` counts 10 there, so that it is penalised a hundred times less.
#'
#' Noise-free data are no trouble, because the penalty acts on the precision: at the optimum
#' `lambda tr A` is at most 1/2, so that in standardised units the variance is nowhere below
#' `lambda` of the PSD part (twice that with `constant = FALSE`; with a pilot `0.4 * lambda` times
#' its variance).
#'
#' @param formula A formula such as `y ~ a + b`, evaluated in `data`. Factors become indicators.
#' @param x,y Instead of a formula: a numeric vector, matrix or data frame with one row per
#'   observation, and the response.
#' @param sigma Kernel width, in standardised units (or in those of the data if `standardize` is
#'   `FALSE`). One value is used as it is; several are tried by cross-validation; `"search"` looks
#'   for one, and so does `NULL` where there is no pilot. [psd_widths()] gives several widths in one
#'   fit. See [psd_tune()]. What is given holds for both parts, unless it is a list
#'   `list(linear =, psd =)` of such values, for `eta` and for `theta`.
#' @param lambda Penalty: one value, several, `NULL` (looked for) or a list, as for `sigma`.
#' @param shape The widths of the kernel among several predictors: `"round"`, the same in each (in
#'   standardised units); `"axes"`, one for each, wider where the response depends less on it; or
#'   numbers, relative widths, in the order of the columns or named by column (one for those not
#'   named). `sigma` multiplies them. `"auto"` is `"axes"` where that makes the response clearly
#'   more likely, if `sigma` is left to be chosen and `standardize` is `TRUE`, and `"round"`
#'   otherwise. See [psd_tune()], "Several predictors".
#' @param standardize Centre the data and divide the response by its standard deviation, the
#'   columns of `x` by `min(sd, IQR / 1.349)`, before fitting? The fit then does not depend on their
#'   units. Predictions are always in the units of the data.
#' @param constant Add a constant feature to `theta`, and a linear model far from the data? Both
#'   `standardize` and `constant` are `FALSE` in the paper.
#' @param pilot Fit the response in units of a pilot? `NULL`: where neither `sigma` nor `lambda` is
#'   given, `standardize` and `constant` are `TRUE`, and the model is not `"glm"`. There is none of
#'   fewer than 20 observations.
#' @inheritParams psd_density
#' @return An object of class `psd_hetero`, with methods [predict()][predict.psd_hetero],
#'   [plot()][plot.psd_hetero], `autoplot()`, `summary()`, `fitted()`, `residuals()`, `simulate()`,
#'   `logLik()`, `update()`, `tidy()`, `glance()` and `augment()`.
#' @seealso [predict.psd_hetero()], [hetero-methods], [plot.psd_hetero()], [psd_nlpd()]
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' fit
#' predict(fit, data.frame(speed = c(5, 15, 25)), type = "interval", level = 0.9)
#' plot(fit, "mean")
psd_hetero <- function(formula = NULL, data = NULL, x = NULL, y = NULL, sigma = NULL,
                       lambda = NULL, ridge = NULL, model = "psd", kernel = "gaussian",
                       standardize = TRUE, shape = "auto", constant = TRUE, pilot = NULL,
                       weights = NULL, subset = NULL, na.action = stats::na.omit,
                       tune = psd_tune(), control = psd_control()) {
  settings <- check_settings("hetero", model, kernel, standardize, constant, control)
  molded <- mold_response(formula, data, x, y, rlang::enquo(weights), rlang::enquo(subset),
                          na.action, argument_name(substitute(x)))
  units <- list(x = make_scaling(molded$x, molded$weights, standardize),
                y = gaussian_units(molded$y, molded$weights, standardize, molded$recipe$response))
  shape <- check_relevance(shape, sigma, settings, molded$recipe$columns)
  relevant <- relevant_units(units$x, molded, shape, spread = TRUE)
  units$x <- relevant$units
  settings$shape <- relevant$shape
  rows <- standardized(molded$x, units$x)
  y <- (molded$y - units$y$center) / units$y$scale
  found <- if (wants_pilot(pilot, sigma, lambda, settings)) find_pilot(rows, y, molded$weights)
  settings$pilot <- !is.null(found)
  problem <- hetero_problem(rows, y, molded$weights, settings$model, kernel, constant, found)
  if (settings$pilot && is.null(sigma)) sigma <- default_sigma(problem)  # the pilot has its own
  all <- problem
  estimate(
    problem, molded, units, settings, list(sigma = sigma, lambda = lambda, ridge = ridge,
                                           tune = tune), match.call(),
    details = function(solution, chosen, problem) {
      unit <- log(units$y$scale) +
        stats::weighted.mean(pilot_cost(all, rows_of(all)), all$weights)
      list(log_likelihood = point_likelihood(problem, solution) - problem$n * unit, pilot = found)
    }
  )
}

# By default where nothing is fixed that would mean something else in the units of a pilot.
wants_pilot <- function(pilot, sigma, lambda, settings, call = rlang::caller_env()) {
  if (!is.null(pilot)) return(check_flag(pilot, call = call))
  searched <- (is.null(sigma) || identical(sigma, "search")) && is.null(lambda)
  searched && settings$standardize && settings$constant && settings$model$certified
}

# Mean and standard deviation, the units in which the Gaussian fit with constant variance is eta =
# 0, theta = 1. A robust scale would leave outliers of any size.
gaussian_units <- function(y, weights, standardize, arg, call = rlang::caller_env()) {
  if (length(y) < 3) {
    abort("The data must have at least 3 observations to fit a mean and a variance, not
           {length(y)}.", call = call)
  }
  if (!standardize) {
    check_unscaled(y, arg, call)
    return(list(center = 0, scale = 1))
  }
  center <- weighted_mean(y, weights)
  scale <- weighted_sd(y, weights)
  if (is_constant(scale, center)) {
    abort(c("The response {.arg {arg}} must vary; all its values are {.val {y[1]}}.",
            i = "It has no variance to model."), call = call)
  }
  check_size(matrix(y), scale, arg, call)
  list(center = center, scale = scale)
}
