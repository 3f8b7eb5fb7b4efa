#' Predictions of a quantile regression
#'
#' Quantiles, gaps between them, and the conditional distribution function, at new points.
#'
#' Between two fitted levels the quantile is interpolated: linearly in `qnorm(tau)`, which keeps the
#' levels in order, is exact for a normal distribution and involves no further fit. Levels beyond
#' the fitted ones are refused, as the fit says nothing about the tails.
#'
#' The distribution function is the inverse of these quantiles. Below the lowest fitted quantile it
#' is only known to be at most the lowest level, above the highest to be at least the highest
#' level; there these bounds are returned.
#'
#' Quantiles are computed as the middle plus or minus sums of non-negative gaps, so that they are in
#' order in floating-point arithmetic too, with no tolerance.
#'
#' @param object A fit by [psd_quantreg()].
#' @param newdata What the fit took: a data frame with the variables of the formula (or the values
#'   of its only one), or a vector, matrix or data frame like `x`. The training data if `NULL`.
#' @param tau Levels between the lowest and the highest fitted one; by default the fitted levels, in
#'   the order in which they were given to [psd_quantreg()].
#' @param type `"quantile"` (or `"response"`), `"gap"` (the differences of neighbouring levels of
#'   `tau`, sorted), `"cdf"`, or `"distribution"`: a vector of package 'distributional', for
#'   'ggdist' and others, whose tails beyond the fitted levels go on as normal ones, up to the bound
#'   if the fit has one, as in [simulate.psd_quantreg()].
#' @param interval Instead of `tau`: two levels, such as `c(0.1, 0.9)`, or a list of such pairs.
#' @param y For `type = "cdf"`: where to evaluate it, one number or one per row of `newdata`.
#'   Missing: the training responses, if `newdata` is too.
#' @param ... Must be empty.
#' @return For quantiles a matrix with one row per row of `newdata`, in the same order, and one
#'   column per level, named `q0.25` and so on; for gaps one column per pair of neighbours; for an
#'   interval columns `lower` and `upper` (with the level in the name if there are several). For
#'   `"cdf"` a vector. A row of `newdata` that is missing or infinite gives `NA`.
#' @importFrom stats predict
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.5, 0.9),
#'                     sigma = 0.4, lambda = 1e-3)
#' at <- data.frame(times = c(10, 20, NA, 50))
#' predict(fit, at)
#' predict(fit, at, tau = 0.25)
#' predict(fit, at, interval = c(0.1, 0.9))
#' predict(fit, at, type = "gap")
#' predict(fit, at, type = "cdf", y = -20)
predict.psd_quantreg <- function(object, newdata = NULL, tau = NULL,
                                 type = c("quantile", "gap", "cdf", "distribution"),
                                 interval = NULL, y = NULL, ...) {
  check_dots()
  type <- check_type(type, c("quantile", "gap", "cdf", "distribution"))
  check_takers(type, list(tau = c("quantile", "gap"), interval = "quantile", y = "cdf"))
  if (type == "distribution") {
    return(piecewise_distributions(quantile_pieces(object, predictors(object, newdata))))
  }
  if (!is.null(interval)) {
    if (!is.null(tau)) abort("{.arg interval} must not be given together with {.arg tau}.")
    pairs <- check_pairs(interval, object$levels)
    tau <- unlist(pairs)
  }
  tau <- if (is.null(tau)) object$tau else check_fitted_range(tau, object$levels)
  values <- function_values(object, predictors(object, newdata))
  if (type == "gap") return(predict_gaps(object, values, sort(tau)))
  if (type == "cdf") {
    y <- check_cdf_points(if (is.null(newdata)) y %||% object$y else y, object, nrow(values))
    return(conditional_cdf(predict_quantiles(object, values, object$levels), y, object$levels))
  }
  out <- predict_quantiles(object, values, tau)
  if (!is.null(interval)) colnames(out) <- interval_names(pairs)
  out
}

predict_quantiles <- function(object, values, tau, call = rlang::caller_env()) {
  q <- mix(values, quantile_mixing(object$levels, tau, object$base))
  out <- check_quantiles(object$units$y$center + object$units$y$scale * q, call)
  dimnames(out) <- list(NULL, paste0("q", tau))
  out
}

# From the gaps themselves: a difference of quantiles would lose the digits of a small one.
predict_gaps <- function(object, values, tau, call = rlang::caller_env()) {
  steps <- diff(quantile_mixing(object$levels, tau, object$base))[, -1, drop = FALSE]
  out <- object$units$y$scale * mix(values[, -1, drop = FALSE], steps)
  check_quantiles(out, call)
  dimnames(out) <- list(NULL, sprintf("q%s - q%s", tau[-1], tau[-length(tau)]))
  out
}

# A line through large responses, followed far away.
check_quantiles <- function(q, call) {
  far <- which(rowSums(is.infinite(q)) > 0)
  if (length(far) > 0) {
    abort("{.arg newdata} must be nearer to the data: in row {far[1]} a quantile is too large for a
           number of double precision.", call = call)
  }
  q
}

# The inverse of the interpolated quantiles; where a gap is zero, the value from the right.
conditional_cdf <- function(q, y, levels) {
  position <- stats::qnorm(levels)
  at <- rep(position[1], length(y))
  for (j in seq_len(length(levels) - 1)) {
    width <- q[, j + 1] - q[, j]
    passed <- ifelse(width > 0, pmin(pmax((y - q[, j]) / width, 0), 1), y >= q[, j])
    at <- at + (position[j + 1] - position[j]) * passed
  }
  pmin(pmax(stats::pnorm(at), levels[1]), levels[length(levels)])
}

# The levels lie between the lowest and the highest fitted one.
check_fitted_range <- function(tau, levels, arg = "tau", call = rlang::caller_env()) {
  tau <- check_numbers(tau, above = 0, below = 1, arg = arg, call = call)
  outside <- tau < levels[1] | tau > levels[length(levels)]
  if (any(outside)) {
    abort(c("{.arg {arg}} must lie between the lowest and the highest fitted level
             ({range(levels)}), not {.val {tau[outside][1]}}.",
            i = "Fit that level too: quantiles are interpolated, never extrapolated."), call = call)
  }
  tau
}

check_pairs <- function(interval, levels, call = rlang::caller_env()) {
  lapply(if (is.list(interval)) interval else list(interval), function(pair) {
    pair <- check_numbers(pair, size = 2, arg = "interval", call = call)
    sort(check_fitted_range(pair, levels, "interval", call))
  })
}

interval_names <- function(pairs) {
  if (length(pairs) == 1) return(c("lower", "upper"))
  paste0(c("lower", "upper"), unlist(pairs))
}

check_cdf_points <- function(y, object, n, call = rlang::caller_env()) {
  if (length(object$levels) < 2) {
    abort("{.code type = \"cdf\"} must have at least two fitted levels to interpolate between.",
          call = call)
  }
  if (!is.numeric(y) || !length(y) %in% c(1, n)) {
    abort("{.arg y} must be one number, or one per row of {.arg newdata} ({n}), not
           {.obj_type_friendly {y}} of length {length(y)}.", call = call)
  }
  rep_len(as.numeric(y), n)
}
