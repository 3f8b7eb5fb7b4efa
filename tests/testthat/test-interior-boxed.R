# The interior point for losses with a box: few iterations whatever the data, and FISTA's optimum.
wave <- function(n) {
  x <- cbind(seq(0, 3, length.out = n))
  list(x = x, y = sin(2 * drop(x)) + (0.2 + 0.2 * drop(x)) * rnorm(n))
}
five <- c(0.1, 0.25, 0.5, 0.75, 0.9)
quantiles_at <- function(data, lambda, control = psd_control(), weights = NULL, levels = five) {
  gap <- psd_block(psd_features(data$x, 0.5), lambda, 0.01 * lambda)
  blocks <- c(list(linear_block(psd_features(data$x, 0.4), lambda)),
              rep(list(gap), length(levels) - 1))
  fit_psd(blocks, pinballs(levels), matrix(data$y, length(data$y), length(levels)),
          quantile_mixing(levels), weights, control = control)
}

test_that("iterations hardly grow with the rows, and uneven weights are no obstacle", {
  set.seed(41)
  for (n in c(100, 1000, 5000)) {
    fit <- quantiles_at(wave(n), 1e-3)
    expect_true(fit$converged)
    expect_lte(fit$iterations, 16)  # a barrier in the dual alone took 25 to 41
    expect_lte(fit$gap, 1e-6 * max(1, abs(fit$primal_value)))
  }
  for (weights in list(10^runif(200, -4, 0), exp(-abs(seq(-5, 5, length.out = 200))))) {
    fit <- quantiles_at(wave(200), 1e-2, weights = weights)
    expect_true(fit$converged)
    expect_lte(fit$iterations, 40)  # the steeper ones are Newton's to finish
    expect_lte(fit$gap, 1e-6 * max(1, abs(fit$primal_value)))
  }
})

test_that("it ends where FISTA does: quantiles, absolute and Huber's loss", {
  set.seed(42)
  data <- wave(60)
  weights <- runif(60)
  positive <- list(psd_block(psd_features(data$x, 0.5), 0.01, 1e-4))
  fits <- list(
    quantiles = function(control) quantiles_at(data, 0.02, control, weights),
    absolute = function(control) {
      fit_psd(positive, list(list(name = "absolute")), data$y + 1, control = control)
    },
    huber = function(control) {
      fit_psd(positive, list(list(name = "huber", delta = 0.3)), data$y + 1, control = control)
    }
  )
  for (fit_by in fits) {
    fit <- fit_by(psd_control(tol = 1e-8))
    slow <- fit_by(psd_control("fista", tol = 1e-4))
    expect_true(fit$converged)
    expect_gte(fit$gap, -1e-12)
    expect_lte(fit$dual_value, slow$primal_value + 1e-10)
    expect_lte(slow$dual_value, fit$primal_value + 1e-10)
    expect_lt(abs(fit$primal_value - slow$primal_value), 2e-4)
  }
})

test_that("the certificate is that of its own coefficients, and the rank is low", {
  set.seed(43)
  data <- wave(120)
  fit <- quantiles_at(data, 0.01)
  u <- all_values(fit$functions, data$x) %*% t(quantile_mixing(five))
  risk <- mean(rowSums(vapply(seq_along(five), function(j) {
    pmax(five[j] * (data$y - u[, j]), (five[j] - 1) * (data$y - u[, j]))
  }, numeric(120))))
  of_gap <- function(root) 0.01 * sum(root^2) + 1e-4 / 2 * sum(crossprod(root)^2)
  penalty <- 0.01 / 2 * sum(fit$coefficients[[1]]^2) + sum(vapply(fit$coefficients[-1], of_gap, 0))
  expect_equal(fit$primal_value, risk + penalty, tolerance = 1e-8)
  expect_true(all(fit$rank[-1] <= 5))  # of some 15
})

test_that("a response of nothing but zeros has quantiles of zero", {
  fit <- quantiles_at(list(x = wave(40)$x, y = rep(0, 40)), 0.01)
  expect_true(fit$converged)
  expect_lt(max(abs(all_values(fit$functions, wave(40)$x))), 1e-3)
})

test_that("functions with different numbers of features are no obstacle", {
  set.seed(44)
  data <- wave(60)
  blocks <- list(psd_block(psd_features(data$x, 0.5), 0.01, 1e-4),
                 psd_block(psd_features(data$x, 1.5), 0.01, 1e-4))
  fit <- function(control) {
    fit_psd(blocks, pinballs(c(0.2, 0.8)), matrix(data$y + 2, 60, 2),
            rbind(c(1, 0), c(1, 1)), control = control)
  }
  newton <- fit(psd_control())
  expect_true(newton$converged)
  expect_lt(abs(newton$primal_value - fit(psd_control("fista", tol = 1e-4))$primal_value), 2e-4)
})

test_that("it takes over from Newton where features are many and the penalty is tiny", {
  set.seed(1)
  x <- matrix(rnorm(70 * 6), 70)
  y <- x[, 1] + (1 + abs(x[, 2])) * rnorm(70)
  for (lambda in c(1e-10, 1e-6)) {
    fit <- psd_quantreg(x = x, y = y, tau = five, sigma = 4, lambda = lambda)
    expect_gt(glance(fit)$landmarks, 64)
    expect_true(fit$converged)
    expect_lte(fit$iterations, 70)  # Newton alone was at its limit of 200, with a gap of 0.02
    expect_true(all(psd_verify(fit)$holds))
  }
})

test_that("all iterations count, and their limit holds, where Newton is first", {
  set.seed(1)
  x <- matrix(rnorm(70 * 6), 70)
  y <- x[, 1] + (1 + abs(x[, 2])) * rnorm(70)
  fit_within <- function(most) {
    suppressWarnings(psd_quantreg(x = x, y = y, tau = five, sigma = 4, lambda = 1e-10,
                                  control = psd_control(max_iter = most, trace = TRUE)),
                     classes = "psd_not_converged")
  }
  for (most in c(10, 32, 36)) {
    fit <- fit_within(most)
    expect_equal(fit$status, "max_iter")
    expect_equal(fit$iterations, most)
    expect_equal(max(fit$trace$iteration), most)
    expect_equal(fit$gap, min(fit$trace$gap))  # the best that either has met
  }
})
