# Standardised units: columns centred at their mean and divided by min(sd, IQR / 1.349), as
# bw.nrd0() does, all weighted so that a weight of two is the row twice.

# list(center =, scale =), one number per column, and `transforms` and `turn` if there are any; no
# change of units when `standardize` is FALSE.
make_scaling <- function(x, weights, standardize, arg = "x", transforms = NULL,
                         call = rlang::caller_env()) {
  d <- ncol(x)
  if (!is.null(transforms)) {
    x <- transformed(x, list(transforms = transforms), "forward")
    out <- make_scaling(x, weights, standardize, arg, call = call)
    return(c(out, list(transforms = transforms)))
  }
  if (!standardize) return(list(center = rep(0, d), scale = rep(1, d)))
  scale <- apply(x, 2, robust_scale, weights = weights)
  center <- vapply(seq_len(d), function(k) near_center(x[, k], scale[k], weights), 0)
  if (nrow(x) == 1) {
    abort(c("{.arg {arg}} has a single row, which cannot be standardised.",
            i = "Use {.code standardize = FALSE}."), call = call)
  }
  check_scale(x, scale, arg, call)
  list(center = unname(center), scale = unname(scale))
}

# Of numbers of any size: none of the sums overflows, no square is lost. Rounding would take the
# mean of equal numbers off them.
weighted_mean <- function(x, weights) {
  size <- binary_size(x)
  min(max(size * stats::weighted.mean(x / size, weights), min(x)), max(x))
}

# The mean; where outliers take it so far away that rounding would blur the others, the median.
near_center <- function(x, scale, weights) {
  center <- weighted_mean(x, weights)
  median <- weighted_quantile(x, 0.5, weights)
  if (abs(center - median) > 1e6 * scale) median else center
}

weighted_sd <- function(x, weights) {
  center <- weighted_mean(x, weights)
  size <- binary_size(x - center)
  size * sqrt(stats::weighted.mean(((x - center) / size)^2, weights))
}

# A power of two, so that to divide by it changes no digit.
binary_size <- function(x) {
  largest <- max(abs(x))
  if (largest > 0) 2^floor(log2(largest)) else 1
}

robust_scale <- function(x, weights) {
  sd <- weighted_sd(x, weights)
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

# From the units of the data to standardised ones and back: scaled, then turned if the kernel is
# (R/turn.R). Where there are transformations (R/transform.R), `center` and `scale` are those of the
# transformed data.
standardized <- function(x, scaling) turned(scaled(x, scaling), scaling$turn)

unstandardized <- function(t, scaling) unscaled(unturned(t, scaling$turn), scaling)

scaled <- function(x, scaling) {
  x <- sweep(sweep(transformed(x, scaling, "forward"), 2, scaling$center), 2, scaling$scale, "/")
  dimnames(x) <- NULL
  x
}

unscaled <- function(t, scaling) {
  transformed(sweep(sweep(t, 2, scaling$scale, "*"), 2, scaling$center, "+"), scaling, "inverse")
}

# The units of some columns; of turned ones, of the first or last.
take_units <- function(scaling, columns) {
  out <- lapply(scaling[names(scaling) != "turn"], `[`, columns)
  if (!is.null(scaling$turn)) out <- with_turn(out, scaling$turn[columns, columns, drop = FALSE])
  out
}

transformed <- function(x, scaling, direction) {
  for (column in seq_along(scaling$transforms)) {
    x[, column] <- apply_transform(scaling$transforms[[column]], direction, x[, column])
  }
  x
}

# The log of the density of x over that of t, at rows of t; and its parts, one column each.
log_jacobian <- function(t, scaling) {
  rowSums(column_log_jacobians(t, scaling)) - log_volume(scaling$turn)
}

column_log_jacobians <- function(t, scaling) {
  out <- matrix(rep(-log(scaling$scale), each = nrow(t)), nrow(t), length(scaling$scale))
  for (column in seq_along(scaling$transforms)) {
    u <- scaling$center[column] + scaling$scale[column] * t[, column]
    out[, column] <- out[, column] + apply_transform(scaling$transforms[[column]], "log_slope", u)
  }
  out
}

# The transformation of a column: its slope and the derivative of the slope's log in u, at values of
# t.
slope_at <- function(t, scaling, column) {
  transform <- scaling$transforms[[column]]
  if (is.null(transform)) return(list(slope = 1, bend = 0))
  u <- scaling$center[column] + scaling$scale[column] * t
  list(slope = exp(apply_transform(transform, "log_slope", u)),
       bend = apply_transform(transform, "bend", u))
}
