reference_fit <- function(...) {
  psd_density(drop(reference$x1), sigma = 0.08, lambda = 0.01, model = "pnm", standardize = FALSE,
              penalty = "raw", control = psd_control(tol = 1e-9), ...)
}

test_that("a pnm density reaches the reference optimum", {
  expect_lt(abs(glance(reference_fit())$objective - 1.123574730), 1e-6)
})

# Far from the data, where the model is free, a wide kernel makes it negative.
negative_fit <- function() {
  set.seed(1)
  psd_density(psd_toy("bimodal")$x, sigma = 1, lambda = 1e-4, model = "pnm", standardize = FALSE)
}

test_that("a pnm density integrates to one and is positive at the data only", {
  fit <- negative_fit()
  rule <- quadrature(-12, 12, 60)
  f <- predict(fit, rule$x)
  expect_equal(sum(rule$w * f), 1, tolerance = 1e-8)
  expect_lt(min(f), 0)
  set.seed(1)
  expect_gt(min(predict(fit, psd_toy("bimodal")$x)), 0)
})

test_that("what is asked of a pnm density agrees with quadrature, negative parts and all", {
  fit <- negative_fit()
  f <- as.function(fit)
  at <- c(-2.5, -1, 0.3, 2.4)
  rule <- quadrature(-12, 12, 60)
  value <- f(rule$x)
  expect_equal(psd_moments(fit)$mean[[1]], sum(rule$w * rule$x * value), tolerance = 1e-7)
  expect_equal(psd_prob(fit, -1, 1), sum(quadrature(-1, 1)$w * f(quadrature(-1, 1)$x)),
               tolerance = 1e-8)
  below <- function(end) {
    rule <- quadrature(-12, end, 60)
    sum(rule$w * f(rule$x))
  }
  cdf <- vapply(at, below, 0)
  expect_equal(predict(fit, at, type = "cdf"), cdf, tolerance = 1e-6)
  h <- 1e-5
  expect_equal(predict(fit, at, type = "gradient"), (f(at + h) - f(at - h)) / (2 * h),
               tolerance = 1e-6)
  logs <- predict(fit, at, type = "log")
  expect_equal(exp(logs), pmax(f(at), 0), tolerance = 1e-12)
  expect_identical(logs == -Inf, f(at) <= 0)
})

test_that("marginals and conditionals of a linear density agree with quadrature", {
  fit <- psd_density(faithful, sigma = 0.8, lambda = 1e-2, model = "pnm")
  rule <- quadrature(-100, 260, 100)
  marginal <- psd_marginal(fit, "eruptions")
  joint <- predict(fit, data.frame(eruptions = 3.5, waiting = rule$x))
  expect_equal(predict(marginal, 3.5), sum(rule$w * joint), tolerance = 1e-8)
  conditional <- psd_conditional(fit, c(eruptions = 3.5))
  expect_equal(predict(conditional, 70),
               predict(fit, data.frame(eruptions = 3.5, waiting = 70)) / predict(marginal, 3.5),
               tolerance = 1e-10)
})

test_that("a pnm density has no draws and no quantiles", {
  fit <- negative_fit()
  expect_error(simulate(fit), "negative", class = "psd_error")
  expect_error(quantile(fit), "negative", class = "psd_error")
})

test_that("plots of a pnm density show its negative parts", {
  fit <- negative_fit()
  curve <- psdmodels:::density_curve(fit, 100)
  expect_lt(min(curve$density), 0)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(fit, rug = FALSE)
  expect_lt(graphics::par("usr")[3], min(curve$density))
  expect_no_error(print(autoplot(fit, rug = FALSE)))
  expect_output(print(summary(fit)), "pnm")
})

test_that("a score is infinite where a held-out density is not positive", {
  set.seed(3)
  x <- c(rnorm(30), 9)
  folds <- c(rep(1:2, 15), 3)
  expect_message(
    fit <- psd_density(x, sigma = 0.5, lambda = c(0.01, 0.1), model = "pnm", standardize = FALSE,
                       tune = psd_tune(folds = folds)),
    class = "psd_infinite_score"
  )
  expect_identical(fit$tuning$score, c(Inf, Inf))
  expect_identical(psdmodels:::rule_min()$choose(list(scores = function() c(1e70, 3)), 31), 2L)
})

test_that("the gaps of pnm quantiles are non-negative at the data, and optimal", {
  set.seed(1)
  toy <- psd_toy("quantile", 60)
  fit <- psd_quantreg(y ~ x, toy, sigma = 0.1, lambda = list(linear = 0.1, psd = 0.01),
                      model = "pnm", standardize = FALSE, constant = FALSE,
                      control = psd_control(tol = 1e-8))
  expect_true(fit$converged)
  expect_gte(min(predict(fit, type = "gap")), -1e-10)
  # the indicator as a loss of its own, by the other solver
  features <- psd_features(matrix(toy$x), 0.1)
  linear <- linear_block(features, 0.01)
  slow <- fit_psd(list(linear_block(features, 0.1), linear, linear),
                  c(pinballs(c(0.25, 0.5, 0.75)), rep(list(list(name = "nonnegative")), 2)),
                  cbind(toy$y, toy$y, toy$y, 0, 0),
                  mixing = rbind(cbind(1, c(-1, 0, 0), c(0, 0, 1)), cbind(0, diag(2))),
                  control = psd_control("fista", tol = 1e-5))
  expect_lt(abs(slow$dual_value - glance(fit)$objective), 1e-4)
})

test_that("a partial block agrees with quadratic programming by optim()", {
  x <- reference$x3
  features <- psd_features(x, 0.3)
  y <- drop(reference$y4) - 1.2
  fit <- fit_psd(list(partial_block(features, 0.01)), list(list(name = "squared")), y,
                 control = psd_control(tol = 1e-9))
  v <- features$values
  n <- length(y)
  # Its dual: w = (V (y + m)) solves the ridge normal equations for multipliers m >= 0.
  inverse <- solve(tcrossprod(v) / n + 0.01 * diag(nrow(v)))
  weight <- function(m) inverse %*% (v %*% (y / n + m))
  dual <- function(m) sum((v %*% (y / n + m)) * weight(m)) / 2 - sum(y^2) / n / 2
  slope <- function(m) drop(crossprod(v, weight(m)))
  other <- optim(rep(0, n), dual, slope, method = "L-BFGS-B", lower = 0,
                 control = list(factr = 10, maxit = 5000))
  expect_equal(fit$primal_value, -other$value, tolerance = 1e-6)
  expect_gte(min(psdmodels:::cpp_evaluate(fit$functions[[1]], x)), -1e-9)
})

test_that("where theta of a pnm fit is negative nothing is known of the response", {
  set.seed(2)
  x <- seq(0, 1, length.out = 60)
  y <- rnorm(60, sd = ifelse(x > 0.4 & x < 0.6, 0.05, 3))
  fit <- psd_hetero(x = x, y = y, sigma = 0.3, lambda = 1e-6, model = "pnm", standardize = FALSE,
                    constant = FALSE)
  expect_gt(min(predict(fit, type = "natural")[, "theta"]), 0)
  grid <- suppressWarnings(predict(fit, seq(-1, 2, length.out = 200), type = "variance"))
  mean <- suppressWarnings(predict(fit, seq(-1, 2, length.out = 200)))
  expect_true(any(is.infinite(grid)))
  expect_true(all(mean[is.infinite(grid)] == 0))  # that of the response, which is not centred here
  expect_true(all(mean[is.finite(grid)] != 0))
})

test_that("linear functions are non-negative at the data however small the penalty", {
  set.seed(7)
  x <- sample(c(-0.95, -0.66, 0.21, 1.51), 50, replace = TRUE)
  y <- -1 - runif(50)  # best fitted by zero
  fit <- suppressWarnings(psd_regression(x = x, y = y, loss = "absolute", model = "pnm",
                                         sigma = 0.6, lambda = 3e-16,
                                         weights = 10^runif(50, -12, 12)))
  expect_gte(min(fitted(fit)), -1e-12)
})
