# Standardised units, for numbers of any size.

test_that("means and standard deviations are those of R, whatever the size of the numbers", {
  set.seed(1)
  x <- rnorm(20, 3)
  w <- runif(20)
  mean <- weighted.mean(x, w)
  sd <- sqrt(weighted.mean((x - mean)^2, w))
  for (size in 2^c(-900, -500, 0, 500, 900)) {
    expect_equal(weighted_mean(size * x, w) / size, mean, tolerance = 1e-14)
    expect_equal(weighted_sd(size * x, w) / size, sd, tolerance = 1e-14)
    expect_equal(robust_scale(size * x, w) / size, robust_scale(x, w), tolerance = 1e-14)
  }
  expect_identical(weighted_sd(c(2, 2), c(1, 1)), 0)
  expect_identical(weighted_sd(rep(3.3, 3), rep(1, 3)), 0)
  expect_identical(binary_size(c(0, 0)), 1)
  expect_identical(binary_size(c(-9, 3)), 8)
})

test_that("fits do not depend on the size of the numbers", {
  set.seed(2)
  data <- data.frame(x = rnorm(40))
  data$y <- abs(data$x + rnorm(40))
  small <- 2^-650
  large <- 2^650
  fit <- function(f, ...) f(..., sigma = 1, lambda = 0.05)
  plain <- fit(psd_density, data$x)
  for (size in c(small, large)) {
    scaled <- fit(psd_density, size * data$x)
    expect_equal(scaled$objective, plain$objective, tolerance = 1e-10)
    at <- c(-1, 0, 0.5)
    expect_equal(size * predict(scaled, size * at), predict(plain, at), tolerance = 1e-8)
    expect_equal(quantile(scaled, 0.3) / size, quantile(plain, 0.3), tolerance = 1e-8)
    for (f in list(psd_quantreg, psd_hetero, psd_regression)) {
      expect_equal(predict(fit(f, y ~ x, size * data)) / size, predict(fit(f, y ~ x, data)),
                   tolerance = 1e-6)
    }
  }
})

test_that("numbers that double precision cannot hold are refused by name", {
  set.seed(3)
  x <- rnorm(20)
  fail <- function(x, message, ...) {
    expect_error(psd_density(x, sigma = 1, lambda = 0.1, ...), message, class = "psd_input_error")
  }
  fail(1e-310 * x, "`x` must have a spread of at least 1e-290")
  fail(c(1e305, x), "`x` must be at most 1e\\+300 in size, not 1e\\+305 \\(row 1\\)")
  fail(c(1e200, x), "more than 1e\\+100 times as large as its spread")
  fail(cbind(1e200 * x, 1e200 * rev(x)), "`x` must have columns whose density is a number")
  fail(cbind(1e-200 * x, 1e-200 * rev(x)), "size 1e400")
  fail(cbind(1e-200 * x, 1e-200 * rev(x), 1e150 * x^2, 1e150 * x^3), "size 1e400")
  fail(cbind(1e-310 * x, x), "not one of size 1e30", standardize = FALSE, lower = c(-1e-308, -9),
       transform = "softplus")
  fail(1e20 * x, "`sigma` must be at least", standardize = FALSE)
  data <- data.frame(x = x, y = 1e-305 * abs(x))
  expect_error(psd_hetero(y ~ x, data), "`y` must have a spread", class = "psd_input_error")
  expect_error(psd_regression(y ~ x, data), "`y` must have a spread", class = "psd_input_error")
  expect_error(psd_quantreg(y ~ x, data), "`y` must have a spread", class = "psd_input_error")
  points <- cbind(1e-200 * x, 1e-200 * rev(x))
  expect_error(psd_intensity(points, -1e-198, 1e-198), "an intensity is a number",
               class = "psd_input_error")
})

test_that("an outlier does not blur the others", {
  x <- c(2, 4, 0, 1, 3, 5, -1e12)  # 1e12 is 1e-4 from the next number
  units <- make_scaling(cbind(x), rep(1, 7), TRUE)
  expect_identical(units$center, 2)
  t <- scaled(cbind(x), units)
  expect_equal(unscaled(t, units)[, 1], x, tolerance = 1e-15)
  expect_equal(make_scaling(cbind(x[1:6]), rep(1, 6), TRUE)$center, mean(x[1:6]))
  fit <- psd_intensity(data.frame(x = 1:7, y = x), c(0, -2e12), c(8, 1e12), sigma = 0.2,
                       lambda = 1e-4, kernel = "abel", constant = FALSE)
  expect_true(all(psd_verify(fit)$holds))
})

test_that("columns whose squares are no numbers are fitted standardised only", {
  set.seed(5)
  x <- rnorm(20)
  for (size in c(1e185, 1e-160)) {
    expect_error(psd_density(size * x, standardize = FALSE), "`sigma` must suit",
                 class = "psd_error")
  }
  for (size in c(1e150, 1e-150)) {
    fit <- psd_density(size * x, standardize = FALSE)
    expect_equal(size * predict(fit, 0), predict(psd_density(x, standardize = FALSE), 0),
                 tolerance = 1e-6)
  }
})

test_that("a gradient that overflows is an error, not an infinity", {
  set.seed(4)
  fit <- psd_density(1e-200 * rnorm(20), sigma = 1, lambda = 0.1)
  expect_true(all(is.finite(predict(fit, 0))))
  expect_error(predict(fit, 0, type = "gradient"), "too large for a number", class = "psd_error")
})

test_that("data far from zero are not called constant", {
  set.seed(1)
  x <- rnorm(60)
  near <- psd_density(x, sigma = 0.5, lambda = 0.01)
  far <- psd_density(x + 2^40, sigma = 0.5, lambda = 0.01)
  expect_equal(predict(far, 2^40 + c(-1, 0, 1)), predict(near, c(-1, 0, 1)), tolerance = 1e-3)
})

test_that("data that vary in their last digits only, or not at all, are told apart", {
  expect_snapshot(error = TRUE, {
    psd_density(c(0, 2, 4, 6) + 1e16)
    psd_density(rep(3, 10))
    psd_hetero(x = 1:5, y = rep(2, 5))
  })
})

test_that("a small response that is not standardised is fitted as well as a large one", {
  set.seed(1)
  x <- runif(60)
  y <- 2 + sin(6 * x) + 0.3 * rnorm(60)
  # The same problem in other units: the penalties go with them.
  squares <- function(s) {
    psd_regression(x = x, y = s * y, sigma = 0.3, lambda = 1e-3 * s, ridge = 0.01 / s,
                   standardize = FALSE)
  }
  levels <- function(s) {
    psd_quantreg(x = x, y = s * y, tau = c(0.2, 0.8), sigma = 0.3, ridge = 0.01 / s,
                 lambda = c(linear = 1e-3 / s, psd = 1e-3), standardize = FALSE)
  }
  for (fit in list(squares, levels)) {
    expect_equal(predict(fit(1e-4), 0.1 * 1:9) / 1e-4, predict(fit(1), 0.1 * 1:9),
                 tolerance = 1e-3)
  }
  expect_equal(spread_unit(c(3, 3), c(1, 1)), 1)
  expect_equal(spread_unit(c(0, 0), c(1, 1)), 1)
  expect_equal(spread_unit(c(1, 1) / 4, c(1, 1)), 1 / 4)
  expect_equal(loss_unit(list(psd_loss("squared"), psd_loss("absolute")), 0.1), 0.01)
  expect_equal(loss_unit(list(psd_loss("poisson")), 0.1), 0.1)
  expect_equal(loss_unit(list(psd_loss("huber")), 50), 1)
})

test_that("a response whose squares are no numbers is refused unless it is standardised", {
  x <- 1:20 / 20
  y <- sin(1:20) + 1.1
  for (fun in list(psd_hetero, psd_quantreg, psd_regression)) {
    fit <- function(size) {
      suppressWarnings(fun(x = x, y = size * y, sigma = 1, lambda = 0.1, standardize = FALSE))
    }
    expect_error(fit(1e-180), "between", class = "psd_error")
    expect_error(fit(1e180), "between", class = "psd_error")
    expect_s3_class(fit(1), "psd_fit")
  }
})

test_that("a slope that is no number does not stand for the mean far from the data", {
  x <- 1e-310 * 1:20
  line <- line_or_constant(cbind(x), 1:20, rep(1, 20), power = 2)
  expect_identical(line$slopes, 0)
  expect_equal(line$intercept, 10.5)
})

test_that("a bound from which the response cannot be told apart is refused", {
  expect_error(psd_quantreg(dist ~ speed, cars, sigma = 1, lambda = 1, lower = -1e200), "nearer",
               class = "psd_error")
  expect_s3_class(psd_quantreg(dist ~ speed, cars, sigma = 1, lambda = 1, lower = -1e3), "psd_fit")
})

test_that("constraints on integrals are those of the data, whatever its size, or refused by name", {
  set.seed(3)
  data <- data.frame(x = runif(20), z = runif(20))
  data$y <- data$x + data$z^2
  fit <- function(data, ...) {
    psd_regression(y ~ x + z, data, sigma = 1, lambda = 1e-3, constraints = psd_integral(...))
  }
  # Of a normal density as narrow as that only the point is left.
  for (size in c(1e4, 1e200)) {
    at <- data.frame(x = 0.5, z = 0.5 * size)
    found <- fit(transform(data, z = size * z), 1, base = psd_gaussian(c(0.5, at$z), 1e-3))
    expect_equal(predict(found, at), 1, tolerance = 1e-4)
  }
  tiny <- transform(data, x = 1e-170 * x, z = 1e-170 * z)
  expect_error(fit(tiny, 1, lower = 0, upper = 1), "value.*psd_integral.*1e3",
               class = "psd_input_error")
  # The integrals are of size 1e-300, what they are compared with too.
  tiny <- transform(data, x = 1e-150 * x, z = 1e-150 * z)
  plain <- fit(data, 0.5, lower = 0, upper = 1)
  small <- fit(tiny, 0.5e-300, lower = 0, upper = 1e-150)
  expect_equal(fitted(small), fitted(plain), tolerance = 1e-6)
})

test_that("where the integrals of a constraint are no numbers a search says what to give", {
  x <- cbind(a = c(-1.1e-156, -1.4e-156, -4e-157), b = c(-2.3e63, 1.5e64, 4.6e63))
  expect_error(suppressMessages(psd_density(x, standardize = FALSE,
                                            constraints = psd_constraint("mean", 0, columns = 1))),
               "sigma", class = "psd_input_error")
})

test_that("the tolerance in a warning is that of the problem's own unit", {
  x <- 1:20 / 20
  y <- 1e-3 * (2 + sin(6 * x))
  fit <- function() {
    psd_regression(x = x, y = y, sigma = 0.3, lambda = 1e-6, standardize = FALSE,
                   control = psd_control("fista", max_iter = 1, tol = 1e-6))
  }
  said <- conditionMessage(expect_warning(fit(), class = "psd_not_converged"))
  # Squared errors are of the size of the square of the response.
  expect_match(said, paste("the tolerance", signif(1e-6 * mean(y^2), 3)), fixed = TRUE)
})
