# Standardised units: columns centred at their mean and divided by min(sd, IQR / 1.349), as
# bw.nrd0() does, all weighted so that a weight of two is the row twice.

# list(center =, scale =), one number a column; no change of units when `standardize` is FALSE.
make_scaling <- function(x, weights, standardize, arg = "x", call = rlang::caller_env()) {
  d <- ncol(x)
  if (!standardize) return(list(center = rep(0, d), scale = rep(1, d)))
  center <- apply(x, 2, stats::weighted.mean, w = weights)
  scale <- apply(x, 2, robust_scale, weights = weights)
  constant <- scale <= 1e-12 * pmax(abs(center), .Machine$double.xmin)
  if (nrow(x) == 1) {
    abort(c("{.arg {arg}} has a single row, which cannot be standardised.",
            i = "Use {.code standardize = FALSE}."), call = call)
  }
  if (any(constant)) {
    column <- colnames(x)[constant][1] %||% arg
    abort(c("Column {.field {column}} of {.arg {arg}} is constant and cannot be standardised.",
            i = "Drop it, or use {.code standardize = FALSE}."), call = call)
  }
  list(center = unname(center), scale = unname(scale))
}

robust_scale <- function(x, weights) {
  center <- stats::weighted.mean(x, weights)
  sd <- sqrt(stats::weighted.mean((x - center)^2, weights))
  iqr <- diff(weighted_quantile(x, c(0.25, 0.75), weights)) / 1.349
  if (iqr > 0) min(sd, iqr) else sd
}

# The inverse of the weighted distribution function, midpoints where it is flat.
weighted_quantile <- function(x, probs, weights) {
  order <- order(x)
  x <- x[order]
  cumulative <- cumsum(weights[order]) / sum(weights)
  vapply(probs, function(p) {
    at <- which(cumulative >= p - 1e-12)[1]
    flat <- abs(cumulative[at] - p) < 1e-12 && at < length(x)
    if (flat) (x[at] + x[at + 1]) / 2 else x[at]
  }, 0)
}

standardized <- function(x, scaling) {
  x <- sweep(sweep(x, 2, scaling$center), 2, scaling$scale, "/")
  dimnames(x) <- NULL
  x
}
