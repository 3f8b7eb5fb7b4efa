test_that("the paper's model reaches the reference optimum", {
  fit <- psd_hetero(y ~ x, reference_data(), standardize = FALSE, constant = FALSE,
                    sigma = list(linear = 0.12, psd = 0.15),
                    lambda = list(linear = 0.05, psd = 0.02), control = psd_control(tol = 1e-9))
  expect_equal(glance(fit)$objective, 0.508724309, tolerance = 1e-8)
  expect_equal(glance(fit)$rank, 3)
})

test_that("both solvers find the same fit", {
  newton <- hetero_fit(control = psd_control(tol = 1e-8))
  fista <- hetero_fit(control = psd_control("fista", tol = 1e-8))
  expect_equal(fista$objective, newton$objective, tolerance = 1e-7)
  expect_equal(predict(fista, type = "sd"), predict(newton, type = "sd"), tolerance = 1e-3)
})

test_that("the paper's toy takes at most 12 Newton iterations to a gap of 1e-8", {
  for (seed in 1:5) {
    set.seed(seed)
    fit <- psd_hetero(y ~ x, psd_toy("hetero"), standardize = FALSE, constant = FALSE,
                      sigma = list(linear = 0.4, psd = 0.3),
                      lambda = list(linear = 1e-4, psd = 0.01), control = psd_control(tol = 1e-8))
    expect_true(fit$converged)
    expect_lte(fit$iterations, 12)
    expect_lte(fit$gap, 1e-8 * max(1, abs(fit$objective)))
  }
})

test_that("the fit is equivariant under shift and scale of y", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  at <- data.frame(x = seq(-1.8, 2.8, length.out = 50))
  for (b in c(1e-6, 1e-3, -1, 1e3, 1e6)) {
    for (a in c(0, 7)) {
      moved <- hetero_fit(transform(data, y = a + b * y))
      expect_equal((predict(moved, at) - a) / b, predict(fit, at), tolerance = 1e-6)
      expect_equal(predict(moved, at, "sd") / abs(b), predict(fit, at, "sd"), tolerance = 1e-6)
    }
  }
})

test_that("the fit does not depend on the units of x", {
  data <- hetero_data()
  moved <- hetero_fit(transform(data, x = 1000 - 5 * x))
  expect_equal(fitted(moved), fitted(hetero_fit(data)), tolerance = 1e-8)
})

test_that("a formula, a matrix, a data frame and vectors give the same fit", {
  data <- hetero_data()
  expected <- fitted(hetero_fit(data))
  same <- function(x, y) fitted(psd_hetero(x = x, y = y, sigma = 0.5, lambda = 0.003))
  expect_equal(same(data$x, data$y), expected)
  expect_equal(same(as.matrix(data["x"]), as.matrix(data["y"])), expected)
  expect_equal(same(data["x"], data["y"]), expected)
})

test_that("a weight of two is the row twice, and zero is no row", {
  data <- hetero_data(40)
  w <- rep(c(1, 2, 0, 1), 10)
  weighted <- hetero_fit(data, weights = w, control = psd_control(tol = 1e-10))
  repeated <- hetero_fit(data[rep(seq_len(40), w), ], control = psd_control(tol = 1e-10))
  kept <- data[w > 0, ]
  expect_equal(predict(weighted, kept), predict(repeated, kept), tolerance = 1e-6)
  expect_equal(predict(weighted, kept, "sd"), predict(repeated, kept, "sd"), tolerance = 1e-6)
  expect_equal(c(logLik(weighted)) / nobs(weighted), c(logLik(repeated)) / nobs(repeated),
               tolerance = 1e-8)
})

test_that("subset, missing values and factors are taken from the data", {
  data <- hetero_data()
  data$group <- factor(rep(c("a", "b", "c"), 20))
  part <- psd_hetero(y ~ x + group, data, subset = x > 0, sigma = 0.7, lambda = 0.01)
  expect_equal(nobs(part), sum(data$x > 0))
  direct <- psd_hetero(y ~ x + group, data[data$x > 0, ], sigma = 0.7, lambda = 0.01)
  new <- data.frame(x = 1, group = c("a", "b", "c"))
  expect_equal(predict(part, new), predict(direct, new))
  expect_gt(min(dist(predict(part, new))), 1e-3)
  data$y[c(2, 5)] <- NA
  expect_message(fit <- hetero_fit(data), class = "psd_missing")
  expect_equal(fitted(fit), fitted(hetero_fit(data[-c(2, 5), ])))
})

test_that("two predictors are fitted as well as one", {
  set.seed(4)
  data <- data.frame(a = runif(300), b = runif(300))
  data$y <- 3 * data$a + (0.2 + data$b) * rnorm(300)
  fit <- psd_hetero(y ~ a + b, data, sigma = 2, lambda = 0.003)
  expect_gt(stats::cor(predict(fit, type = "sd"), data$b), 0.9)
  expect_gt(stats::cor(fitted(fit), data$a), 0.9)
})

test_that("the variance is found where the noise is, with the right coverage on fresh data", {
  covered <- vapply(1:8, function(seed) {
    set.seed(seed)
    toy <- psd_toy("hetero", 200)
    truth <- attr(toy, "truth")
    fit <- psd_hetero(y ~ x, toy, sigma = 0.8, lambda = 0.003)
    x <- runif(2000)
    z <- (truth$mean(x) + truth$sd(x) * rnorm(2000) - predict(fit, data.frame(x = x))) /
      predict(fit, data.frame(x = x), "sd")
    c(mean(abs(z) < qnorm(0.75)), mean(abs(z) < qnorm(0.95)), mean(abs(z) < qnorm(0.975)))
  }, numeric(3))
  expect_lt(max(abs(rowMeans(covered) - c(0.5, 0.9, 0.95))), 0.05)
})

test_that("several values are chosen among by held-out likelihood", {
  data <- hetero_data(40)
  set.seed(1)
  fit <- psd_hetero(y ~ x, data, sigma = c(0.02, 0.6), lambda = c(0.01, 10),
                    tune = psd_tune(folds = 3))
  expect_equal(unname(fit$parameters$sigma), c(0.6, 0.6))
  expect_equal(unname(fit$parameters$lambda), c(0.01, 0.01))
  expect_named(fit$parameters$sigma, c("linear", "psd"))
})

test_that("each part has its own choice", {
  set.seed(1)
  fit <- psd_hetero(y ~ x, hetero_data(40), sigma = list(linear = c(0.02, 0.6), psd = 0.8),
                    lambda = list(linear = 0.003, psd = c(0.01, 10)), tune = psd_tune(folds = 3))
  expect_equal(fit$parameters$sigma, c(linear = 0.6, psd = 0.8))
  expect_equal(fit$parameters$lambda, c(linear = 0.003, psd = 0.01))
})

test_that("noise-free data give a finite fit whose variance is bounded by the penalty", {
  x <- seq(0, 1, length.out = 50)
  for (lambda in c(0.1, 1e-4, 1e-8)) {
    fit <- psd_hetero(x = x, y = 5 * sin(6 * x), sigma = 0.3, lambda = lambda)
    variance <- predict(fit, seq(0, 1, length.out = 301), "variance") / fit$units$y$scale^2
    expect_true(fit$converged)
    expect_true(all(is.finite(c(variance, fitted(fit)))))
    expect_gte(min(variance), lambda)
  }
  expect_lt(max(abs(residuals(fit))), 0.02)
})

test_that("the precision obeys its bound: lambda tr A is at most one half", {
  fit <- hetero_fit(lambda = 0.01, constant = FALSE)
  at <- seq(-3, 4, length.out = 500)
  theta <- fit$units$y$scale^2 / quietly(predict(fit, data.frame(x = at), "variance"))
  expect_lte(max(theta), 1 / (2 * 0.01))
})

test_that("an outlier of any size leaves a fit that converged", {
  data <- hetero_data()
  for (size in 10^c(2, 5, 8)) {
    data$y[1] <- size
    fit <- hetero_fit(data)
    expect_true(fit$converged)
    expect_true(all(is.finite(c(fitted(fit), predict(fit, type = "sd")))))
  }
})

test_that("three observations are enough, and a constant response is fitted in raw units", {
  fit <- psd_hetero(x = 1:3, y = c(1, 2, 4), sigma = 1, lambda = 0.1)
  expect_true(all(is.finite(predict(fit, type = "interval"))))
  flat <- psd_hetero(x = 1:9, y = rep(2, 9), sigma = 1, lambda = 0.1, standardize = FALSE)
  # shrunk towards zero, the penalty's centre
  expect_true(all(fitted(flat) > 1 & fitted(flat) <= 2))
  expect_true(all(predict(flat, type = "variance") > 0))
})

test_that("bad input is an error that names the argument", {
  data <- hetero_data(20)
  data$group <- factor(rep(c("a", "b"), 10))
  data$bad <- replace(data$y, 3, Inf)
  fail <- function(...) psd_hetero(..., lambda = 0.01)
  expect_snapshot(error = TRUE, {
    fail(sigma = 1)
    fail(y ~ x, data, x = 1:20, sigma = 1)
    fail(data$x, data$y, sigma = 1)
    fail(x = data$x, sigma = 1)
    fail(~ x, data, sigma = 1)
    fail(y ~ 1, data, sigma = 1)
    fail(y ~ nowhere, data, sigma = 1)
    fail(group ~ x, data, sigma = 1)
    fail(cbind(x, y) ~ x, data, sigma = 1)
    fail(bad ~ x, data, sigma = 1)
    fail(y ~ bad, data, sigma = 1)
    fail(x = data$x, y = data$y[-1], sigma = 1)
    fail(x = letters[1:20], y = data$y, sigma = 1)
    fail(y ~ x, data[1:2, ], sigma = 1)
    fail(y ~ x, data, sigma = 1, subset = x > 9)
    fail(x = 1:5, y = rep(3, 5), sigma = 1)
    fail(x = rep(1, 5), y = 1:5, sigma = 1)
    fail(y ~ x, data, sigma = -1)
    fail(y ~ x, data, sigma = "wide")
    fail(y ~ x, data, sigma = list(linear = 1))
    fail(y ~ x, data, sigma = list(linear = 1, psd = NA_real_))
    fail(y ~ x, data, sigma = 1, ridge = 0)
    fail(y ~ x, data, sigma = 1, constant = NA)
    fail(y ~ x, data, sigma = 1, kernel = "cubic")
    fail(y ~ x, data, sigma = 1, weights = -x^2)
    fail(y ~ x, data, sigma = 1, control = list(tol = 1))
    fail(y ~ x, data, sigma = 1:2, tune = 5)
  })
})

test_that("a solver that is stopped early says so", {
  expect_warning(hetero_fit(control = psd_control(max_iter = 2)), class = "psd_not_converged")
})

test_that("where rounding keeps the gap open the solver ends long before its last iteration", {
  set.seed(1)
  x <- cbind(rpois(60, 3), 1e60 * rnorm(60))
  y <- 1e9 + 50 * rnorm(60)
  expect_warning(
    fit <- psd_hetero(x = x, y = y, sigma = 0.56, lambda = 1, weights = runif(60),
                      standardize = FALSE),
    class = "psd_not_converged"
  )
  expect_identical(fit$status, "stalled")
  expect_lt(fit$iterations, 100)
  expect_true(all(is.finite(fitted(fit))))
})
