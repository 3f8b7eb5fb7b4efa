# The Gaussian processes of a pilot (R/pilot.R), by their features: a response y has the covariance
#   v (ratio k(x, x') + 100 + x'x / d + diag(1 / weights)),
# a smooth function, a constant and a linear function, and noise; k is the Gaussian kernel of width
# sqrt(d) exp(-gain / 2). `theta` is c(gain, log(ratio)); weights count as multiples of their mean.

# Of a section of the kernel so much, squared, may lie outside the span of those of the landmarks.
process_tol <- 1e-4

most_process_landmarks <- 100

process_features <- function(x, gain, tol = process_tol) {
  d <- ncol(x)
  smooth <- recipe(d, sqrt(d) * exp(-gain / 2), "gaussian", constant = 10, tol,
                   most_process_landmarks, nodes = 0, slope = 1 / sqrt(d))
  make_features(x, list(smooth), list())$features[[1]]
}

# list(coefficients = of the features, fitted =, square = of each row's error: that of the row left
# out times that of the fit, which has the variance of the noise).
process_at_rows <- function(features, y, weights, theta) {
  weights <- weights / mean(weights)
  size <- rep(1, nrow(features$values))
  size[seq_along(features$landmarks)] <- exp(theta[2] / 2)
  values <- size * features$values
  root <- root_beside_one(values * rep(sqrt(weights), each = nrow(values)))
  half <- backsolve(root, values, transpose = TRUE)
  seen <- half %*% (weights * y)
  fitted <- drop(crossprod(half, seen))
  unexplained <- pmax(1 - weights * colSums(half^2), 1e-10)
  list(coefficients = size * backsolve(root, seen), fitted = fitted,
       square = (y - fitted)^2 / unexplained)
}

# R with R'R = I + a a'. Of the coordinates of an outlier the squares may be so large that rounding
# leaves the sum no factor: then without squares.
root_beside_one <- function(a) {
  one <- diag(nrow(a))
  tryCatch(chol(tcrossprod(a) + one), error = function(e) qr.R(qr(rbind(t(a), one), tol = 0)))
}

# As a function of x.
process_function <- function(features, coefficients) {
  fitted_function(linear_block(features, 1), coefficients)
}

# The mean of the parameters given the data: of the gain over a lattice, from wide kernels to narrow
# ones, and of the log of the ratio there. `features_of(gain)` remembers.
mean_theta <- function(features_of, y, weights, prior) {
  at <- function(gain) mean_ratio(features_of(gain), y, weights, prior, gain)
  logs <- NULL
  for (gain in lattice_gains) {
    logs <- c(logs, at(gain)$log_density)
    if (length(logs) >= least_gains && logs[length(logs)] < max(logs) - hopeless) break
  }
  gain <- stats::weighted.mean(lattice_gains[seq_along(logs)], exp(logs - max(logs)))
  c(gain, at(gain)$log_ratio)
}

lattice_gains <- seq(-4, 5.75, by = 0.75)

least_gains <- 6

hopeless <- 5  # in the log density

lattice_log_ratios <- seq(-8, 14, by = 0.5)

# list(log_ratio = its mean, log_density = of the gain, but for a constant), given the data.
#
# With constant and slopes accounted for, the features of the kernel have the second moments S and
# the moments u with y, these the square s with themselves. The covariance C then has, but for
# constants, the determinant |I + ratio S|, and y' C^-1 y = s - ratio u' (I + ratio S)^-1 u, of
# which the scale v leaves the power -n / 2.
mean_ratio <- function(features, y, weights, prior, gain) {
  moments <- kernel_moments(features, y, weights)
  ratios <- exp(lattice_log_ratios)
  sizes <- 1 + outer(moments$values, ratios)
  left <- pmax(moments$square - ratios * colSums(moments$with_y^2 / sizes), 1e-12 * moments$square)
  away <- (lattice_log_ratios - prior$mean[2]) / prior$sd[2]
  logs <- -(length(y) * log(left) + colSums(log(sizes)) + away^2) / 2
  weight <- exp(logs - max(logs))
  list(log_ratio = stats::weighted.mean(lattice_log_ratios, weight),
       log_density = max(logs) + log(sum(weight)) - ((gain - prior$mean[1]) / prior$sd[1])^2 / 2)
}

# S by its eigenvalues `values`, u on its eigenvectors as `with_y`, and s as `square`.
kernel_moments <- function(features, y, weights) {
  root <- sqrt(weights / mean(weights))
  values <- features$values * rep(root, each = nrow(features$values))
  y <- root * y
  kernel <- seq_along(features$landmarks)
  moments <- tcrossprod(values)
  with_y <- drop(values %*% y)
  free <- root_beside_one(values[-kernel, , drop = FALSE])
  across <- backsolve(free, moments[-kernel, kernel, drop = FALSE], transpose = TRUE)
  free_y <- backsolve(free, with_y[-kernel], transpose = TRUE)
  spectrum <- spectrum_of(moments[kernel, kernel] - crossprod(across))
  left <- with_y[kernel] - drop(crossprod(across, free_y))
  list(values = pmax(spectrum$values, 0), with_y = drop(crossprod(spectrum$vectors, left)),
       square = sum(y^2) - sum(free_y^2))
}
