# A pilot of a mean and a variance: a rough fit, m(x) and s(x), in units of which the response is
# fitted, z = (y - m(x)) / s(x). A penalty on the precision of y itself that is right where the
# noise is small is too weak where it is large; z has about the same noise everywhere, and the fit
# has only to mend what the pilot leaves.
#
# m is the mean of a Gaussian process (R/pilot-process.R), log s half that of another one for the
# log of the squared errors; the first in turn counts rows by 1 / s^2. Widths and ratios of signal
# to noise are their means given the data, with a prior. `y` is in standardised units, as x.

least_for_pilot <- 20  # rows

most_for_pilot <- 1000  # rows at even distances in the order of x stand for all

most_for_reach <- 200  # and fewer to tell how far a point is from all

# Of the logs of (inverse squared width, ratio of signal to noise): mean and standard deviation.
prior_of_mean <- list(mean = c(0, 3), sd = c(1.5, 3))
# A variance that seems to depend on many predictors at once does so by chance.
prior_of_spread <- function(d) list(mean = c(-0.5, -log(d)), sd = c(1, 1))

# list(center =, spread =, least =): center and spread with their parameters `theta` and as a
# function of x; NULL if there are too few rows, or no numbers.
find_pilot <- function(x, y, weights, rounds = 3) {
  if (nrow(x) < least_for_pilot) return(NULL)
  some <- pilot_rows(x, y, weights)
  tryCatch({
    out <- pilot_of_rows(some, likely_pilot(some, rounds))
    c(out, least = min(pilot_section(out, x)))
  }, error = function(e) NULL)
}

# list(x =, y =, weights =, features =): rows in the order of x, and their features by gain.
pilot_rows <- function(x, y, weights) {
  rows <- even_row_numbers(x, most_for_pilot)
  x <- x[rows, , drop = FALSE]
  known <- list()
  features <- function(gain) {
    key <- sprintf("%a", gain)
    if (is.null(known[[key]])) known[[key]] <<- process_features(x, gain)
    known[[key]]
  }
  list(x = x, y = y[rows], weights = weights[rows] / mean(weights[rows]), features = features)
}

# list(center =, spread =, scale =): parameters, and standard deviations at the rows.
likely_pilot <- function(some, rounds) {
  prior <- prior_of_spread(ncol(some$x))
  found <- list()
  for (round in seq_len(rounds)) {
    precise <- some$weights / (found$scale %||% 1)^2
    found$center <- mean_theta(some$features, some$y, precise, prior_of_mean)
    logs <- log_squares(process_of(some, some$y, precise, found$center), found$scale)
    found$spread <- mean_theta(some$features, logs - mean(logs), some$weights, prior)
    found$scale <- spread_at_rows(some, logs, found$spread)$scale
  }
  found
}

process_of <- function(some, y, weights, theta) {
  process_at_rows(some$features(theta[1]), y, weights, theta)
}

# All rows, or some at even distances, in the order of x.
even_row_numbers <- function(x, most) {
  n <- nrow(x)
  sorted <- do.call(order, lapply(seq_len(ncol(x)), function(column) x[, column]))
  if (n <= most) sorted else sorted[round(seq(1, n, length.out = most))]
}

# The same again for other rows or weights, with the widths as they are.
fit_pilot_again <- function(pilot, x, y, weights) {
  some <- pilot_rows(x, y, weights)
  found <- list(center = pilot$center$theta, spread = pilot$spread$theta,
                scale = exp(pilot_at(pilot, some$x)$log_scale))
  c(pilot_of_rows(some, found), least = pilot$least)
}

# From parameters and the standard deviations to begin with.
pilot_of_rows <- function(some, found) {
  logs <- log_squares(process_of(some, some$y, some$weights / found$scale^2, found$center),
                      found$scale)
  noise <- spread_at_rows(some, logs, found$spread)
  mean <- process_of(some, some$y, some$weights / noise$scale^2, found$center)
  size <- sqrt(stats::weighted.mean(mean$square / noise$scale^2, some$weights))
  process <- function(theta, found) {
    process_function(some$features(theta[1]), found$coefficients)
  }
  list(x = some$x[even_row_numbers(some$x, most_for_reach), , drop = FALSE],
       center = list(theta = found$center, value = process(found$center, mean)),
       spread = list(theta = found$spread, value = process(found$spread, noise),
                     level = noise$level, range = range(log(noise$scale)), size = log(size)))
}

# list(center =, log_scale =) at the rows of x.
pilot_at <- function(pilot, x) {
  spread <- pilot$spread
  logs <- spread$level + values_at(spread$value, x) / 2
  list(center = values_at(pilot$center$value, x),
       log_scale = spread$size + pmin(pmax(logs, spread$range[1]), spread$range[2]))
}

# list(scale =, coefficients =, level =): the standard deviations at the rows, none below a
# thousandth of the largest, and what they are made of.
spread_at_rows <- function(some, logs, theta) {
  found <- process_of(some, logs - mean(logs), some$weights, theta)
  values <- (mean(logs) + found$fitted) / 2
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

# The log of the kernel of the mean around the nearest of its rows; at the data it is at least
# `least`.
pilot_section <- function(pilot, x) {
  nearest <- by_portions(x, function(t) {
    apply(outer(rowSums(t^2), rowSums(pilot$x^2), "+") - 2 * tcrossprod(t, pilot$x), 1, min)
  })
  -exp(pilot$center$theta[1]) * pmax(nearest, 0) / (2 * ncol(x))
}
