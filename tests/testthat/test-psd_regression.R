test_that("the reference optimum of the squared loss is met", {
  j <- 0:39
  x <- j / 13 + 0.02 * cos(5 * j)
  y <- 1 + sin(3 * x) + 0.3 * cos(11 * j)
  fit <- psd_regression(y ~ x, sigma = 0.1, lambda = 0.01, standardize = FALSE, constant = FALSE,
                        control = psd_control(tol = 1e-9))
  expect_equal(glance(fit)$objective, 0.163812558, tolerance = 1e-8)
  expect_identical(glance(fit)$rank, 4L)
})

test_that("formula, vector, matrix and data frame give the same fit", {
  data <- wave()
  one <- psd_regression(y ~ x, data, sigma = 0.5, lambda = 1e-3)
  two <- psd_regression(x = data$x, y = data$y, sigma = 0.5, lambda = 1e-3)
  three <- psd_regression(x = data["x"], y = data["y"], sigma = 0.5, lambda = 1e-3)
  expect_equal(fitted(two), fitted(one))
  expect_equal(fitted(three), fitted(one))
  expect_equal(predict(two, 0.3), predict(one, data.frame(x = 0.3)))
})

test_that("fits are equivariant under the units of x and y where the loss allows", {
  data <- wave()
  for (loss in list("squared", "absolute", "huber", psd_loss("pinball", tau = 0.8))) {
    fit <- function(a, b) {
      data <- transform(data, x = 3 + a * x, y = b * y)
      psd_regression(y ~ x, data, loss = loss, sigma = 0.5, lambda = 1e-2,
                     control = psd_control(tol = 1e-8))
    }
    expect_equal(fitted(fit(100, 1e4)), 1e4 * fitted(fit(1, 1)), tolerance = 1e-4)
  }
})

test_that("integer weights are repeated rows, and subset drops rows", {
  data <- wave(40)
  data$w <- rep(1:2, 20)
  fit <- function(...) {
    psd_regression(count ~ x, ..., loss = "poisson", sigma = 0.5, lambda = 1e-2,
                   standardize = FALSE, control = psd_control(tol = 1e-8))
  }
  expect_equal(predict(fit(data, weights = w), data), predict(fit(data[rep(1:40, data$w), ]), data),
               tolerance = 1e-4)
  expect_equal(fitted(fit(data, subset = x < 0.5)), fitted(fit(data[data$x < 0.5, ])))
})

test_that("several outputs share one problem but not their functions", {
  data <- wave()
  both <- psd_regression(cbind(y, count) ~ x, data, sigma = 0.5, lambda = 1e-2,
                         standardize = FALSE, control = psd_control(tol = 1e-9))
  one <- psd_regression(y ~ x, data, sigma = 0.5, lambda = 1e-2, standardize = FALSE,
                        control = psd_control(tol = 1e-9))
  expect_equal(predict(both, data)[, "y"], predict(one, data), tolerance = 1e-4)
  mixed <- psd_regression(cbind(y, count) ~ x, data, loss = list("absolute", "poisson"),
                          sigma = 0.5, lambda = 1e-2)
  expect_true(mixed$converged)
  expect_identical(tidy(mixed)$loss, c("absolute", "poisson"))
})

test_that("outputs lie in the cone everywhere, exactly", {
  set.seed(2)
  data <- wave()
  at <- data.frame(x = runif(2e5, -1, 2))
  positive <- psd_regression(y ~ x, data, sigma = 0.3, lambda = 1e-4)
  expect_gte(min(quietly(predict(positive, at))), 0)
  noise <- matrix(rnorm(240), 80)
  data$three <- cbind(data$y, data$y, data$y) + noise
  ordered <- psd_regression(three ~ x, data, cone = "ordered", sigma = 0.3, lambda = 1e-3)
  outputs <- quietly(predict(ordered, at))
  expect_true(all(outputs[, 1] <= outputs[, 2] & outputs[, 2] <= outputs[, 3]))
  expect_lt(min(outputs), 0)
  cone <- psd_cone(generators = cbind(c(1, 0), c(1, 2)))
  wedge <- psd_regression(cbind(y, count) ~ x, data, cone = cone, sigma = 0.3, lambda = 1e-3)
  outputs <- quietly(predict(wedge, at))
  expect_true(all(outputs >= 0) && all(outputs[, 2] <= 2 * outputs[, 1] * (1 + 1e-15)))
})

test_that("constraints on integrals hold in the units of the data, on any output", {
  data <- transform(wave(), x = 10 + 5 * x)
  fit <- psd_regression(cbind(y, count) ~ x, data, sigma = 0.5, lambda = 1e-3, constraints = list(
    psd_integral(3, lower = 10, upper = 15),
    psd_integral(1, "<=", output = "count", lower = 10, upper = 12),
    psd_integral(1.5, ">=", output = 2, base = psd_gaussian(13, 1))
  ))
  f <- function(x, output) quietly(predict(fit, data.frame(x = x)))[, output]
  expect_equal(integrate(f, 10, 15, output = 1)$value, 3, tolerance = 1e-6)
  expect_lte(integrate(f, 10, 12, output = 2)$value, 1 + 1e-6)
  weighted <- function(x) f(x, 2) * dnorm(x, 13, 1)
  expect_gte(integrate(weighted, -Inf, Inf)$value, 1.5 - 1e-6)
  expect_true(fit$converged)
})

test_that("a loss of one's own gives the fit of the built-in one", {
  data <- wave(40)
  control <- psd_control(tol = 1e-6)
  for (pair in list(list("squared", own_squared()), list("absolute", own_absolute()))) {
    fit <- lapply(pair, function(loss) {
      psd_regression(y ~ x, data, loss = loss, sigma = 0.5, lambda = 0.01, standardize = FALSE,
                     control = control)
    })
    expect_true(fit[[2]]$converged)
    expect_lt(abs(fit[[1]]$objective - fit[[2]]$objective), 2e-6)
    expect_equal(fitted(fit[[2]]), fitted(fit[[1]]), tolerance = 1e-2)
  }
  both <- psd_regression(cbind(y, count) ~ x, data, loss = own_squared(), sigma = 0.5,
                         lambda = 1e-2, standardize = FALSE,
                         constraints = psd_integral(0.5, lower = 0, upper = 1))
  named <- psd_regression(cbind(y, count) ~ x, data, sigma = 0.5, lambda = 1e-2,
                          standardize = FALSE,
                          constraints = psd_integral(0.5, lower = 0, upper = 1))
  expect_lt(abs(both$objective - named$objective), 2e-6)
})

test_that("tuning chooses among values, for both parts of a cone with lineality", {
  data <- wave()
  set.seed(3)
  fit <- psd_regression(y ~ x, data, loss = "absolute", sigma = c(0.1, 0.5), lambda = c(1, 1e-3),
                        tune = psd_tune(folds = 3))
  expect_identical(nrow(fit$tuning), 4L)
  expect_identical(fit$parameters$lambda, 1e-3)
  parts <- psd_regression(cbind(y, y + 1) ~ x, data, cone = "ordered",
                          sigma = list(linear = 0.5, psd = c(0.5, 1)), lambda = 1e-3,
                          tune = psd_tune(folds = 3))
  expect_named(parts$parameters$sigma, c("linear", "psd"))
})

test_that("mistakes in the input are named", {
  data <- wave(20)
  fit <- function(...) psd_regression(..., sigma = 1, lambda = 1)
  expect_snapshot(error = TRUE, {
    fit(y ~ x, data, loss = "hinge")
    fit(y ~ x, data, loss = list("squared", "absolute"))
    fit(y ~ x, data, loss = psd_loss("pinball", tau = 2))
    fit(y ~ x, data, loss = psd_loss("pinball", taw = 0.9))
    fit(y ~ x, transform(data, y = -1), loss = "poisson")
    fit(~x, data)
    fit("y", data)
    fit(x = data$x)
    fit(y ~ x, data, x = data$x)
    fit(y ~ x, data, cone = "round")
    fit(y ~ x, data, cone = psd_cone(generators = diag(2)))
    fit(y ~ x, data, constraints = psd_integral(1))
    fit(y ~ x, data, constraints = psd_integral(1, output = 2, lower = 0, upper = 1))
    fit(y ~ x, data, constraints = list(psd_constraint("mean", 1)))
    fit(y ~ x, data, constraints = psd_integral(-1, lower = 0, upper = 1))
    fit(x = data$x, y = letters[1:20])
    fit(x = data$x, y = data$y[1:5])
    fit(cbind(y, count) ~ x, data, loss = list(own_squared(), "squared"))
    psd_integral(1, output = 1:2)
    psd_integral(1, lower = 1, upper = 0)
  })
})

test_that("a count with an exposure is as many counts as the exposure says", {
  set.seed(3)
  data <- data.frame(x = runif(40), e = sample(1:3, 40, TRUE))
  data$y <- rpois(40, data$e * (2 + 3 * data$x))
  tight <- psd_control(tol = 1e-10)
  fit <- psd_regression(y ~ x, data, loss = "poisson", exposure = e, sigma = 1, lambda = 0.01,
                        control = tight)
  # the first count goes to one of e rows with the same x, the others count nothing
  rows <- rep(1:40, data$e)
  split <- data.frame(x = data$x[rows], y = ifelse(duplicated(rows), 0, data$y[rows]))
  by_hand <- psd_regression(y ~ x, split, loss = "poisson", sigma = 1, lambda = 0.01,
                            control = tight, standardize = FALSE)
  raw <- update(fit, standardize = FALSE)
  at <- seq(0.1, 0.9, 0.1)
  expect_equal(predict(raw, at), predict(by_hand, at), tolerance = 1e-4)
  expect_equal(residuals(fit), data$y / data$e - fitted(fit))
  expect_output(print(fit), "per unit of exposure")
  subset <- psd_regression(y ~ x, data, loss = "poisson", exposure = e, sigma = 1, lambda = 0.01,
                           subset = x > 0.2)
  expect_equal(subset$y[, 1], (data$y / data$e)[data$x > 0.2])
  # a large penalty leaves the constant, the rate of glm() without predictors, but for shrinkage
  flat <- psd_regression(y ~ x, data, loss = "poisson", exposure = e, sigma = 50, lambda = 1e-5)
  rate <- exp(coef(glm(y ~ 1 + offset(log(e)), poisson, data)))
  expect_equal(weighted.mean(fitted(flat), data$e), unname(rate), tolerance = 1e-3)
})

test_that("mistakes in exposures are named", {
  expect_snapshot(error = TRUE, {
    psd_regression(dist ~ speed, cars, exposure = speed)
    psd_regression(dist ~ speed, cars, loss = "poisson", exposure = 1:3)
    psd_regression(dist ~ speed, cars, loss = "poisson", exposure = 0)
    psd_regression(dist ~ speed + offset(log(speed)), cars, loss = "poisson")
  })
})

test_that("the unit of a loss is what it costs to be twice as large as the response", {
  y <- cbind(c(3, -4, 0, 5))
  weights <- c(1, 1, 2, 1)
  root_mean_square <- sqrt((9 + 16 + 25) / 5)
  expect_equal(response_size(y, weights), min(root_mean_square, 1.4826 * 3))
  expect_equal(response_size(cbind(c(1, 1, 1, 100)), rep(1, 4)), 1.4826)
  expect_equal(response_size(cbind(c(0, 0, 0, 2)), rep(1, 4)), 1)
  expect_identical(response_size(cbind(c(0, 0)), c(1, 1)), 1)
  squared <- list(psd_loss("squared"))
  expect_equal(loss_unit(squared, 0.1), 0.01)
  expect_identical(loss_unit(squared, 10), 1)
  expect_equal(loss_unit(list(psd_loss("absolute")), 0.1), 0.1)
  expect_equal(loss_unit(c(squared, list(psd_loss("absolute"))), 0.1), 0.01)
})
