# The likelihood of responses under Gaussian processes whose kernels have one width per group of
# columns. A target y has covariance
#   v (ratio exp(-gain q / 2) + 100 + diag(1 / weights)), q_ij = sum_c relevance_c (x_ic - x_jc)^2,
# a smooth function, a constant and noise; relevance is the inverse square of a width. All targets
# share the relevances, each has a gain (that of the first is one), a ratio of signal to noise and a
# scale v, which is profiled out. The logs of the relevances are drawn to their mean as normal
# variables would be, so that small samples do not tell columns apart by chance.

# `pilot`: list(x =, weights =, groups =, targets =). list(theta =, relevance = by column, value =)
# at the maximum, value being minus the log likelihood; theta: logs of relevances (one per group),
# gains but the first, ratios.
likely_relevance <- function(pilot) {
  groups <- max(pilot$groups)
  targets <- length(pilot$targets)
  start <- c(rep(-log(ncol(pilot$x)), groups), rep(0, 2 * targets - 1))
  lower <- rep(c(-12, -6, -8), c(groups, targets - 1, targets))
  upper <- rep(c(5, 6, 10), c(groups, targets - 1, targets))
  last <- NULL
  at <- function(theta) {
    if (!identical(theta, last$theta)) {
      last <<- c(list(theta = theta), minus_log_likelihood(theta, pilot))
    }
    last
  }
  found <- stats::optim(start, function(theta) at(theta)$value, function(theta) at(theta)$gradient,
                        method = "L-BFGS-B", lower = lower, upper = upper,
                        control = list(maxit = 60, factr = 1e9))
  list(theta = found$par, relevance = exp(found$par[pilot$groups]), value = found$value)
}

# list(value =, gradient =) in theta, but for a constant.
minus_log_likelihood <- function(theta, pilot) {
  groups <- max(pilot$groups)
  targets <- length(pilot$targets)
  log_relevance <- theta[seq_len(groups)]
  gain <- exp(c(0, theta[groups + seq_len(targets - 1)]))
  ratio <- exp(theta[groups + targets - 1 + seq_len(targets)])
  scaled <- sweep(pilot$x, 2, exp(log_relevance[pilot$groups] / 2), "*")
  squares <- squared_distances(scaled)
  terms <- lapply(seq_len(targets), function(k) {
    target_term(pilot$targets[[k]], scaled, squares, pilot, gain[k], ratio[k])
  })
  by_group <- lapply(terms, function(term) as.vector(rowsum(term$columns, pilot$groups)))
  drawn <- drawn_to_mean(log_relevance)
  list(value = sum(vapply(terms, `[[`, 0, "value")) + drawn$value,
       gradient = c(Reduce(`+`, by_group) + drawn$gradient, vapply(by_group, sum, 0)[-1],
                    vapply(terms, `[[`, 0, "ratio")))
}

# Of one target: the value, and its slopes in the logs of the relevances of the columns (their sum
# is that in the log of the gain) and of the ratio.
target_term <- function(y, scaled, squares, pilot, gain, ratio) {
  signal <- ratio * exp(-gain / 2 * squares)
  root <- chol(signal + 100 + diag(1 / pilot$weights))
  inverse <- chol2inv(root)
  solved <- drop(inverse %*% y)
  scale <- mean(solved * y)
  # The slope in an entry of the covariance, times the signal there.
  slope <- (inverse - tcrossprod(solved) / scale) / 2 * signal
  squared <- 2 * (colSums(scaled^2 * rowSums(slope)) - colSums(scaled * (slope %*% scaled)))
  list(value = length(y) / 2 * log(scale) + sum(log(diag(root))),
       columns = -gain / 2 * squared, ratio = sum(slope))
}

squared_distances <- function(x) {
  squares <- rowSums(x^2)
  pmax(outer(squares, squares, "+") - 2 * tcrossprod(x), 0)
}

# Their standard deviation in advance: two, a factor of e in the width.
drawn_to_mean <- function(logs) {
  away <- logs - mean(logs)
  list(value = sum(away^2) / 8, gradient = away / 4)
}

# Of the first target, each row predicted from all others.
left_out_errors <- function(found, pilot) {
  groups <- max(pilot$groups)
  ratio <- exp(found$theta[groups + length(pilot$targets)])
  squares <- squared_distances(sweep(pilot$x, 2, sqrt(found$relevance), "*"))
  inverse <- chol2inv(chol(ratio * exp(-squares / 2) + 100 + diag(1 / pilot$weights)))
  drop(inverse %*% pilot$targets[[1]]) / diag(inverse)
}
