#' Predictions of a heteroscedastic regression
#'
#' @param object A fit of [psd_hetero()].
#' @param newdata What the fit was made from: a data frame for a formula (or the values of its only
#'   variable), otherwise a vector, matrix or data frame. The training data if `NULL`. Rows with
#'   missing values give `NA`.
#' @param type What to predict, in the units of the data:
#'   * `"mean"` (or `"response"`), `"variance"`, `"sd"`: of the response;
#'   * `"interval"`: the central interval that holds a new response with probability `level`;
#'   * `"quantile"`: quantiles of the response at levels `tau`;
#'   * `"density"`: the density of the response at `y`;
#'   * `"natural"`: `eta = mean / variance` and `theta = 1 / variance`;
#'   * `"distribution"`: the normal distributions, a vector of package 'distributional', for
#'     'ggdist' and others.
#'
#'   Intervals and quantiles are those of the fitted normal distribution. They do not include the
#'   uncertainty of the fit itself.
#' @param level For `type = "interval"` only: its probability.
#' @param tau For `type = "quantile"` only: the levels.
#' @param y For `type = "density"` only: values of the response, one per row of `newdata`, or one
#'   for all.
#' @param ... Not used.
#' @return A vector with one entry per row of `newdata`; a matrix with columns `fit`, `lwr` and
#'   `upr` for `"interval"`, `eta` and `theta` for `"natural"`, and one column per level for
#'   `"quantile"` with several `tau`.
#'
#'   One warning of class `psd_extrapolation` tells when rows of `newdata` leave the range of the
#'   data. With `constant = FALSE`, `theta` is zero far enough from
#'   the data, up to rounding: there the variance is `Inf`, the interval the whole line, and the
#'   mean, about which nothing is known, that of the response. The same is said where `theta` of a
#'   fit with model `"pnm"`, positive at the data only, is negative.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' new <- data.frame(speed = c(5, 15, 25))
#' predict(fit, new)
#' predict(fit, new, type = "sd")
#' predict(fit, new, type = "quantile", tau = c(0.1, 0.9))
#' predict(fit, new, type = "density", y = 50)
predict.psd_hetero <- function(object, newdata = NULL,
                               type = c("mean", "variance", "sd", "interval", "quantile",
                                        "density", "natural", "distribution"),
                               level = 0.95, tau = c(0.25, 0.5, 0.75), y = NULL, ...) {
  check_dots()
  type <- check_type(type, eval(formals()$type))
  check_takers(type, list(level = "interval", tau = "quantile", y = "density"))
  x <- predictors(object, newdata)
  at <- gaussian_at(object, x)
  switch(type,
    mean = at$mean,
    variance = at$sd^2,
    sd = at$sd,
    interval = gaussian_interval(at, check_number(level, above = 0, below = 1)),
    quantile = gaussian_quantile(at, check_numbers(tau, above = 0, below = 1)),
    density = gaussian_density(at, y),
    natural = cbind(eta = at$mean / at$sd^2, theta = at$sd^-2),
    distribution = normal_distributions(at)
  )
}

# list(mean =, sd =) at the rows of x, all in the units of the data. Where the precision is zero the
# fit knows nothing: the standard deviation is infinite, and the mean that of the response.
gaussian_at <- function(fit, x) {
  natural <- function_values(fit, x)
  eta <- natural[, 1]
  theta <- natural[, 2]
  ratio <- eta / theta
  ratio[theta <= 0 | is.infinite(ratio)] <- 0
  list(mean = fit$units$y$center + fit$units$y$scale * ratio,
       sd = fit$units$y$scale / sqrt(pmax(theta, 0)))
}

gaussian_interval <- function(at, level) {
  reach <- stats::qnorm((1 + level) / 2) * at$sd
  blind <- is.infinite(at$sd)
  cbind(fit = at$mean, lwr = ifelse(blind, -Inf, at$mean - reach),
        upr = ifelse(blind, Inf, at$mean + reach))
}

gaussian_quantile <- function(at, tau) {
  spread <- outer(at$sd, stats::qnorm(tau))
  spread[, tau == 0.5] <- 0  # also where the standard deviation is infinite
  out <- at$mean + spread
  if (length(tau) == 1) return(drop(out))
  colnames(out) <- format_levels(tau)
  out
}

format_levels <- function(tau) paste0(format(100 * tau, trim = TRUE, drop0trailing = TRUE), "%")

gaussian_density <- function(at, y, call = rlang::caller_env()) {
  n <- length(at$mean)
  if (!is.numeric(y) || !length(y) %in% c(1, n)) {
    abort("{.arg y} must be a number, or a numeric vector with one value per row of {.arg newdata}
           ({n}), not {.obj_type_friendly {y}}.", call = call)
  }
  ifelse(is.infinite(at$sd), 0, stats::dnorm(y, at$mean, at$sd))
}
