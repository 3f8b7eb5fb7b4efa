# The coefficients on all data points of a fit in raw units.
all_coefficients <- function(f, x) {
  out <- numeric(length(x))
  out[match(f$anchors$at[, 1], x)] <- f$coefficients[, 1]
  out
}

test_that("ncm least squares is the optimum of the problem in the coefficients", {
  x <- drop(reference$x3)
  y <- drop(reference$y4)
  fit <- psd_regression(x = x, y = y, sigma = 0.1, lambda = 0.01, model = "ncm",
                        standardize = FALSE, constant = FALSE, control = psd_control(tol = 1e-10))
  k <- gaussian_kernel(x, 0.1)
  objective <- function(a) mean((k %*% a - y)^2) / 2 + 0.005 * sum(a * (k %*% a))
  slope <- function(a) drop(k %*% ((k %*% a - y) / length(y) + 0.01 * a))
  other <- optim(rep(0.1, 40), objective, slope, method = "L-BFGS-B", lower = 0,
                 control = list(factr = 10, maxit = 5000))
  expect_equal(glance(fit)$objective, other$value, tolerance = 1e-7)
  a <- all_coefficients(fit$functions[[1]], x)
  expect_gte(min(a), 0)
  expect_gt(min(slope(a)), -1e-7)
  expect_lt(max(abs(a * slope(a))), 1e-7)
})

test_that("an ncm density satisfies its optimality conditions", {
  x <- drop(reference$x1)
  fit <- psd_density(x, sigma = 0.15, lambda = 0.01, model = "ncm", standardize = FALSE,
                     penalty = "raw", control = psd_control(tol = 1e-11))
  k <- gaussian_kernel(x, 0.15)
  integral <- 0.15 * sqrt(2 * pi)
  f <- fit$functions[[1]]
  a <- all_coefficients(f, x) * exp(fit$log_scale)
  expect_equal(sum(a) * integral, 1, tolerance = 1e-12)
  expect_equal(glance(fit)$objective, mean(-log(k %*% a)) + 0.005 * sum(a * (k %*% a)),
               tolerance = 1e-7)
  # The slope is nu times the integral where a > 0, and not less elsewhere.
  slope <- drop(k %*% (-1 / (30 * k %*% a) + 0.01 * a))
  nu <- sum(a * slope)
  expect_lt(max(nu * integral - slope), 1e-5)
  expect_lt(max(abs((slope - nu * integral)[a > 0.01])), 1e-5)
})

test_that("both solvers agree on densities, variances and quantiles of ncm", {
  fits <- list(
    function(control) {
      psd_density(drop(reference$x1), sigma = 0.3, lambda = 0.05, model = "ncm", control = control)
    },
    function(control) {
      psd_hetero(x = drop(reference$x3), y = drop(reference$y3), sigma = 0.5, lambda = 0.05,
                 model = "ncm", control = control)
    },
    function(control) {
      psd_quantreg(x = drop(reference$x3), y = drop(reference$y3), sigma = 0.5, lambda = 0.05,
                   model = "ncm", control = control)
    }
  )
  for (fit in fits) {
    fast <- glance(fit(psd_control(tol = 1e-8)))
    slow <- glance(fit(psd_control("fista", tol = 1e-5)))
    expect_true(fast$converged && slow$converged)
    expect_lt(abs(fast$objective - slow$objective), 2e-5 * max(1, abs(fast$objective)))
    expect_gte(slow$gap, slow$objective - fast$objective - 1e-8)
  }
})

test_that("a tiny penalty, whose dual is full of kinks, is no trouble", {
  set.seed(4)
  x <- rnorm(60) + 3 * rbinom(60, 1, 0.5)
  y <- sin(x) + rnorm(60) * (0.2 + abs(x) / 3)
  fit <- function(control) {
    psd_regression(x = x, y = y, sigma = 1, lambda = 1e-7, model = "ncm", kernel = "abel",
                   control = control)
  }
  fast <- glance(fit(psd_control()))
  expect_true(fast$converged)
  expect_equal(fast$objective, glance(fit(psd_control("fista", tol = 1e-5)))$objective,
               tolerance = 1e-4)
})

# The paper's example, with the widths its figure was made with (the printed ones are not the
# figure's: with them the function can be approximated).
approximation <- function(n, sigma, g, lambda) {
  x <- seq(-5, 5, length.out = n)
  fit <- psd_regression(x = x, y = g(x), sigma = sigma, lambda = lambda, model = "ncm",
                        standardize = FALSE, constant = FALSE, control = psd_control(tol = 1e-10))
  at <- seq(-5, 5, length.out = 2001)
  max(abs(predict(fit, at) - g(at)))
}

test_that("a kernel too wide approximates the normal density no better with more data", {
  for (n in c(100, 1000, 10000)) {
    expect_lt(abs(approximation(n, sqrt(2), dnorm, 1e-5) - 0.0725), 0.002)
  }
})

test_that("the example as printed can be approximated", {
  expect_lt(approximation(1000, 1 / sqrt(2), function(x) exp(-x^2 / 2), 1e-10), 1e-6)
})

test_that("an ncm density is a mixture: non-negative, exact to draw from", {
  fit <- psd_density(faithful, sigma = 0.4, lambda = 1e-3, model = "ncm")
  expect_gte(min(fit$functions[[1]]$coefficients), 0)
  expect_equal(psd_prob(fit), 1, tolerance = 1e-12)
  marginal <- psd_marginal(fit, "eruptions")
  rule <- quadrature(-5, 12, 40)
  f <- predict(marginal, rule$x)
  expect_gte(min(f), 0)
  expect_equal(sum(rule$w * f), 1, tolerance = 1e-9)
  expect_equal(psd_moments(marginal)$mean[[1]], sum(rule$w * rule$x * f), tolerance = 1e-9)
  expect_equal(predict(marginal, quantile(marginal, c(0.1, 0.5, 0.9)), type = "cdf"),
               c(0.1, 0.5, 0.9), tolerance = 1e-8)
  expect_equal(predict(marginal, 3.2, type = "cdf"), psd_prob(marginal, upper = 3.2),
               tolerance = 1e-10)
  draws <- simulate(fit, 4000, seed = 1)
  u <- predict(marginal, draws$eruptions, type = "cdf")
  expect_gt(stats::ks.test(u, "punif")$p.value, 0.01)
  expect_equal(cov(draws), psd_moments(fit)$covariance, tolerance = 0.05)
})

test_that("the Abel kernel, a box and a base measure are fine with ncm", {
  set.seed(5)
  x <- rexp(80)
  fit <- psd_density(x, sigma = 0.5, lambda = 0.01, model = "ncm", kernel = "abel", lower = 0)
  rule <- quadrature(0, 15, 400, 6)
  expect_equal(sum(rule$w * predict(fit, rule$x)), 1, tolerance = 1e-4)
  expect_gte(min(simulate(fit, 200, seed = 1)), 0)
  based <- psd_density(x, sigma = 1, lambda = 0.01, model = "ncm", base = psd_gaussian(0, 5))
  expect_equal(psd_prob(based), 1, tolerance = 1e-12)
  expect_equal(predict(based, 1.3, type = "cdf"), psd_prob(based, upper = 1.3), tolerance = 1e-10)
})

test_that("a wide kernel gives an ncm density one hump where the psd model has two", {
  set.seed(1)
  x <- psd_toy("bimodal")$x
  humps <- function(model) {
    fit <- psd_density(x, sigma = 1, lambda = 1e-3, model = model, standardize = FALSE)
    f <- predict(fit, seq(-3, 3, length.out = 400))
    sum(diff(sign(diff(f))) < 0 & f[2:399] > max(f) / 10)
  }
  expect_identical(humps("ncm"), 1L)
  expect_identical(humps("psd"), 2L)
})

test_that("ncm quantiles do not cross and few landmarks do", {
  set.seed(1)
  toy <- psd_toy("quantile", 200)
  fit <- psd_quantreg(y ~ x, toy, sigma = 0.3, lambda = 1e-3, model = "ncm")
  expect_true(fit$converged)
  at <- data.frame(x = seq(-1, 2, length.out = 300))
  expect_gte(min(quietly(predict(fit, at, type = "gap"))), 0)
  expect_identical(tidy(fit)$type, rep("linear", 3))
  capped <- psd_quantreg(y ~ x, toy, sigma = 0.3, lambda = 1e-3, model = "ncm",
                         control = psd_control(max_rank = 5))
  expect_lte(capped$landmarks, 6)
})

test_that("constraints hold for an ncm density", {
  x <- faithful$eruptions
  fit <- psd_density(x, sigma = 0.5, lambda = 1e-2, model = "ncm",
                     constraints = list(psd_constraint("mean", 3.6),
                                        psd_constraint("probability", 0.4, ">=", upper = 3)))
  expect_equal(psd_moments(fit)$mean[[1]], 3.6, tolerance = 1e-6)
  expect_gte(psd_prob(fit, upper = 3), 0.4 - 1e-6)
})

test_that("mixtures of different sections are averaged, as after tuning", {
  mixture <- function(at, coefficients) {
    psdmodels:::new_function("linear", "gaussian",
                             list(at = matrix(at), width = matrix(0.5, length(at))),
                             matrix(coefficients))
  }
  one <- mixture(c(0, 1, 2), 1:3)
  two <- mixture(c(1, 5), c(4, 7))
  average <- psdmodels:::average_functions(list(one, two), c(0.3, 0.7))
  expect_equal(drop(average$anchors$at), c(0, 1, 2, 5))
  expect_equal(drop(average$coefficients), c(0.3, 0.6 + 2.8, 0.9, 4.9))
  at <- matrix(seq(-1, 6, length.out = 9))
  values <- function(f) psdmodels:::values_at(f, at)
  expect_equal(values(average), 0.3 * values(one) + 0.7 * values(two))
})

test_that("averages over penalties work for mean and variance by mixtures", {
  set.seed(3)
  data <- data.frame(x = runif(20), y = rnorm(20))
  fit <- psd_hetero(y ~ x, data, sigma = 0.1, model = "ncm")
  expect_gt(nrow(fit$average), 1)
  expect_true(all(predict(fit, type = "sd") > 0))
})

test_that("generators are kernel sections at the data and, apart from them, the constant", {
  set.seed(2)
  x <- matrix(runif(15))
  features <- psd_features(x, 0.3, constant = 0.7)
  block <- psdmodels:::conic_block(features, 0)
  sections <- crossprod(block$generators, features$values)
  n <- length(block$at)
  expect_gt(n, 3)
  kernel <- exp(-outer(x[block$at, 1], x[, 1], "-")^2 / (2 * 0.3^2))
  expect_equal(sections[seq_len(n), ], kernel, tolerance = 1e-3, ignore_attr = TRUE)
  expect_equal(nrow(sections), n + 1)
  expect_lt(diff(range(sections[n + 1, ])), 1e-12)
  expect_gt(sections[n + 1, 1], 0)
})

test_that("a mixture of numbers too small to compute with is refused in words", {
  set.seed(1)
  x <- rnorm(50) * 1e-311
  expect_error(psd_density(x, penalty = "raw", standardize = FALSE, model = "ncm", sigma = 1e-311,
                           lambda = 0.1), class = "psd_error")
})
