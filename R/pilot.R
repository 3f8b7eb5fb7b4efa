# A pilot of a mean and a variance: a rough fit, m(x) and s(x), in units of which the response is
# fitted, z = (y - m(x)) / s(x). A penalty on the precision of y itself that is right where the
# noise is small is too weak where it is large; z has about the same noise everywhere, and the fit
# has only to mend what the pilot leaves.
#
# m is the mean of a Gaussian process, log s half that of another one for the log of the squared
# errors; the first in turn counts rows by 1 / s^2. Widths and ratios of signal to noise are the
# most likely ones, with a prior. `y` is in standardised units, as x.

least_for_pilot <- 20  # rows

most_for_pilot <- 200  # rows at even distances in the order of x stand for all

most_for_widths <- 120  # and still fewer to find its widths

# Of the logs of (inverse squared width, ratio of signal to noise): mean and standard deviation.
prior_of_mean <- list(mean = c(0, 3), sd = c(1.5, 3))
# A variance that seems to depend on many predictors at once does so by chance.
prior_of_spread <- function(d) list(mean = c(-0.5, -log(d)), sd = c(1, 1))

# list(x =, center =, spread =, least =): center and spread with their parameters `theta` and
# `coefficients` at the rows of x; NULL if there are too few rows, or no numbers.
find_pilot <- function(x, y, weights, rounds = 3) {
  n <- nrow(x)
  if (n < least_for_pilot) return(NULL)
  rows <- even_row_numbers(x, most_for_widths)
  tryCatch({
    few <- pilot_of_few(x[rows, , drop = FALSE], y[rows], weights[rows], rounds)
    out <- if (length(rows) == n) few else fit_pilot_again(few, x, y, weights)
    c(out, least = min(pilot_section(out, x)))
  }, error = function(e) NULL)
}

# With its widths.
pilot_of_few <- function(x, y, weights, rounds) {
  center <- prior_of_mean$mean
  spread <- prior_of_spread(ncol(x))$mean
  weights <- weights / mean(weights)
  scale <- NULL
  for (round in seq_len(rounds)) {
    precise <- weights / (scale %||% 1)^2
    center <- likely_theta(x, y, precise, prior_of_mean, center)
    logs <- log_squares(process_at_rows(x, y, precise, center), scale)
    spread <- likely_theta(x, logs - mean(logs), weights, prior_of_spread(ncol(x)), spread)
    scale <- spread_at_rows(x, logs, weights, spread)$scale
  }
  pilot_of_rows(center, spread, x, y, weights, scale)
}

even_row_numbers <- function(x, most) {
  n <- nrow(x)
  if (n <= most) return(seq_len(n))
  sorted <- do.call(order, lapply(seq_len(ncol(x)), function(column) x[, column]))
  sorted[round(seq(1, n, length.out = most))]
}

# The same again for other rows or weights, with the widths as they are.
fit_pilot_again <- function(pilot, x, y, weights) {
  rows <- even_row_numbers(x, most_for_pilot)
  x <- x[rows, , drop = FALSE]
  scale <- exp(pilot_at(pilot, x)$log_scale)
  out <- pilot_of_rows(pilot$center$theta, pilot$spread$theta, x, y[rows], weights[rows], scale)
  c(out, least = pilot$least)
}

# `center` and `spread` are parameters, `scale` the standard deviations to begin with.
pilot_of_rows <- function(center, spread, x, y, weights, scale) {
  weights <- weights / mean(weights)
  logs <- log_squares(process_at_rows(x, y, weights / scale^2, center), scale)
  noise <- spread_at_rows(x, logs, weights, spread)
  found <- process_at_rows(x, y, weights / noise$scale^2, center)
  size <- sqrt(stats::weighted.mean(found$square / noise$scale^2, weights))
  list(x = x, center = list(theta = center, coefficients = found$coefficients),
       spread = list(theta = spread, coefficients = noise$coefficients, level = noise$level,
                     range = range(log(noise$scale)), size = log(size)))
}

# list(center =, log_scale =) at the rows of x.
pilot_at <- function(pilot, x) {
  spread <- pilot$spread
  logs <- spread$level + process_values(pilot$x, spread, x) / 2
  list(center = process_values(pilot$x, pilot$center, x),
       log_scale = spread$size + pmin(pmax(logs, spread$range[1]), spread$range[2]))
}

# list(scale =, coefficients =, level =): the standard deviations at the rows, none below a
# thousandth of the largest, and what they are made of.
spread_at_rows <- function(x, logs, weights, theta) {
  found <- process_at_rows(x, logs - mean(logs), weights, theta)
  values <- process_values(x, list(theta = theta, coefficients = found$coefficients), x)
  values <- (mean(logs) + values) / 2
  list(scale = exp(pmax(values, max(values) - log(1000))), coefficients = found$coefficients,
       level = mean(logs) / 2)
}

# What the log variance is the mean of: at first the log of the squares of the rows' errors, bounded
# from below; then, with standard deviations to begin with, which lose less, the response of a step
# of scoring for the likelihood of the errors.
log_squares <- function(found, scale = NULL) {
  square <- found$square
  if (is.null(scale)) {
    return(log_square_bias + log(square + stats::median(square) / 400 + .Machine$double.xmin))
  }
  2 * log(scale) + pmin(square / scale^2, most_surprising) - 1
}

# Minus the mean of the log of the square of a standard normal variable.
log_square_bias <- 1.27036

# So many variances count of a square, at most, in one step.
most_surprising <- 6

# The covariance of a process at rows of x and `at`, in units of the noise: a smooth function, a
# constant and a linear function.
process_kernel <- function(x, at, theta) {
  products <- tcrossprod(x, at) / ncol(x)
  squares <- pmax(outer(rowSums(x^2), rowSums(at^2), "+") / ncol(x) - 2 * products, 0)
  exp(theta[2] - exp(theta[1]) * squares / 2) + 100 + free_slope * products
}

free_slope <- 1

# list(coefficients =, left_out = errors of rows left out, square = of each row's error: that of the
# row left out times that of the fit, which has the variance of the noise).
process_at_rows <- function(x, y, weights, theta) {
  weights <- weights / mean(weights)
  inverse <- chol2inv(chol(process_kernel(x, x, theta) + diag(1 / weights)))
  coefficients <- drop(inverse %*% y)
  left_out <- coefficients / diag(inverse)
  list(coefficients = coefficients, left_out = left_out, square = left_out * coefficients / weights)
}

# At the rows of x, in portions.
process_values <- function(at, process, x, portion = 5000) {
  portions <- split(seq_len(nrow(x)), (seq_len(nrow(x)) - 1) %/% portion)
  unlist(lapply(unname(portions), function(rows) {
    drop(process_kernel(x[rows, , drop = FALSE], at, process$theta) %*% process$coefficients)
  }))
}

# The log of the kernel of the mean around the nearest of its rows; at the data it is at least
# `least`.
pilot_section <- function(pilot, x, portion = 5000) {
  portions <- split(seq_len(nrow(x)), (seq_len(nrow(x)) - 1) %/% portion)
  nearest <- unlist(lapply(unname(portions), function(rows) {
    t <- x[rows, , drop = FALSE]
    apply(outer(rowSums(t^2), rowSums(pilot$x^2), "+") - 2 * tcrossprod(t, pilot$x), 1, min)
  }))
  -exp(pilot$center$theta[1]) * pmax(nearest, 0) / (2 * ncol(x))
}

# The most likely parameters of a process.
likely_theta <- function(x, y, weights, prior, start) {
  scaled <- x / sqrt(ncol(x))
  squares <- squared_distances(scaled)
  pilot <- list(weights = weights / mean(weights), free = 100 + free_slope * tcrossprod(scaled))
  last <- NULL
  at <- function(theta) {
    if (identical(theta, last$theta)) return(last)
    term <- target_term(y, scaled, squares, pilot, exp(theta[1]), exp(theta[2]))
    away <- (theta - prior$mean) / prior$sd
    last <<- list(theta = theta, value = term$value + sum(away^2) / 2,
                  slope = c(sum(term$columns), term$ratio) + away / prior$sd)
    last
  }
  stats::optim(start, function(theta) at(theta)$value, function(theta) at(theta)$slope,
               method = "L-BFGS-B", lower = c(-8, -8), upper = c(6, 14),
               control = list(maxit = 30, factr = 1e10))$par
}
