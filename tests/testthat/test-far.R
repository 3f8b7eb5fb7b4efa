# What regressions say far from their data (R/far.R).

far <- function(...) suppressWarnings(predict(...), classes = "psd_extrapolation")

set.seed(1)
data <- data.frame(x = runif(80, 0, 10))
data$y <- 3 + 2 * data$x + rnorm(80)
data$z <- rnorm(80, 5, 2)
away <- data.frame(x = c(-1e3, 1e3))

test_that("far away mean and variance are those of the linear model", {
  fit <- psd_hetero(y ~ x, data, sigma = 0.5, lambda = 1e-3)
  line <- lm(y ~ x, data)
  expect_equal(far(fit, away), unname(predict(line, away)), tolerance = 1e-8)
  expect_equal(far(fit, away, type = "sd"), rep(sigma(line), 2), tolerance = 1e-8)
  expect_equal(far(fit, away, type = "interval")[, "upr"],
               unname(predict(line, away)) + qnorm(0.975) * sigma(line), tolerance = 1e-8)
})

test_that("where there is no slope they are those of the response", {
  fit <- psd_hetero(z ~ x, data, sigma = 0.5, lambda = 1e-3)
  expect_equal(far(fit, away), rep(mean(data$z), 2))
  expect_equal(far(fit, away, type = "sd"), rep(sd(data$z), 2))
  set.seed(4)
  few <- data.frame(x = 1:5, y = 2 * (1:5) + rnorm(5))
  expect_equal(far(psd_hetero(y ~ x, few, sigma = 0.5, lambda = 1e-3), away), rep(mean(few$y), 2))
})

test_that("far away quantiles are parallel lines", {
  tau <- c(0.1, 0.5, 0.9)
  fit <- psd_quantreg(y ~ x, data, tau = tau, sigma = 0.5, lambda = 1e-3)
  slope <- diff(far(fit, away)) / 2000
  expect_equal(as.vector(slope), rep(slope[1], 3))
  # Median regression by a general optimiser.
  lad <- optim(coef(lm(y ~ x, data)), function(b) mean(abs(data$y - b[1] - b[2] * data$x)),
               control = list(reltol = 1e-14, maxit = 5000))
  expect_equal(slope[1], lad$par[[2]], tolerance = 1e-2)
  residuals <- data$y - slope[1] * data$x
  at <- psdmodels:::weighted_quantile(residuals, tau, rep(1, 80))
  expect_equal(as.vector(far(fit, data.frame(x = 1e3))), at + 1e3 * slope[1], tolerance = 1e-6)
  flat <- psd_quantreg(z ~ x, data, tau = tau, sigma = 0.5, lambda = 1e-3)
  expect_equal(as.vector(far(flat, away[2, , drop = FALSE])),
               as.vector(quantile(data$z, tau)), tolerance = 0.05)
})

test_that("beside a bound quantiles stay on its side, and in order, everywhere", {
  data$y <- data$y^2
  steps <- data.frame(x = seq(-100, 100, length.out = 400))
  fit <- psd_quantreg(y ~ x, data, tau = c(0.1, 0.5), lower = 0, sigma = 0.5, lambda = 1e-3)
  q <- far(fit, steps)
  expect_true(all(q[, 1] >= 0 & q[, 2] > q[, 1]))
  below <- psd_quantreg(-y ~ x, data, tau = c(0.5, 0.9), upper = 0, sigma = 0.5, lambda = 1e-3)
  expect_equal(far(below, steps), -q[, 2:1], tolerance = 1e-3, ignore_attr = TRUE)
})

test_that("at the data, and without a constant, nothing changes", {
  fit <- psd_hetero(y ~ x, data, sigma = 0.5, lambda = 1e-3)
  near <- fit
  near$far <- NULL
  expect_identical(predict(fit), predict(near))
  between <- data.frame(x = seq(min(data$x), max(data$x), length.out = 50))
  expect_equal(predict(fit, between), predict(near, between), tolerance = 1e-3)
  expect_null(psd_hetero(y ~ x, data, sigma = 0.5, lambda = 1e-3, constant = FALSE)$far)
  expect_null(psd_quantreg(y ~ x, data, sigma = 0.5, lambda = 1e-3, parametric = TRUE)$far)
})

test_that("the weight falls with the kernel, and to the nearest anchor of the narrower function", {
  anchors <- function(at, width) list(at = matrix(at), width = matrix(width, length(at), 1))
  one <- psdmodels:::new_function("linear", "gaussian", anchors(c(0, 4), 1), matrix(c(1, 1)))
  wide <- psdmodels:::new_function("linear", "gaussian", anchors(c(2, 0), c(5, Inf)),
                                   matrix(c(0, 7)))
  x <- matrix(c(0, 5, 7))
  expect_equal(psdmodels:::nearest_section(one, x), -c(0, 1, 9) / 2)
  expect_equal(psdmodels:::nearest_section(wide, x), -(c(2, 3, 5) / 5)^2 / 2)
  far <- list(intercept = c(1, 2), slopes = cbind(3, 0), least = c(-0.5, -1))
  s <- c(1, 1, exp(-4 + 0.125))
  expect_equal(psdmodels:::beyond_data(matrix(10, 3, 2), far, list(one, wide), x),
               cbind(s * 10 + (1 - s) * (1 + 3 * x), s * 10 + (1 - s) * 2), ignore_attr = TRUE)
})

test_that("with a row of the data that no kernel reaches nothing is far", {
  anchors <- list(at = matrix(c(0, 1e189)), width = matrix(1, 2, 1))
  f <- psdmodels:::new_function("linear", "gaussian", anchors, matrix(c(1, 1)))
  far <- list(intercept = 1, slopes = matrix(3), least = -Inf)
  x <- matrix(c(0, 5, 3e188))
  expect_identical(psdmodels:::beyond_data(matrix(10, 3, 1), far, list(f), x), matrix(10, 3, 1))
})

test_that("lines go through numbers of any size", {
  line <- psdmodels:::least_line(matrix(1:5), 1e200 * (1:5), rep(1, 5), power = 1)
  expect_equal(line$slopes / 1e200, 1)
  flat <- psdmodels:::line_or_constant(matrix(1:5), rep(1e200, 5), rep(1, 5), power = 1)
  expect_equal(flat$intercept, 1e200)
  expect_identical(flat$slopes, 0)
  far <- psdmodels:::parallel_quantiles(matrix(1:5), rep(1e200, 5), rep(1, 5), c(0.2, 0.6),
                                        psdmodels:::quantile_base(c(0.2, 0.6), "lower"))
  expect_true(all(is.finite(unlist(far))))
})

test_that("what is computed by portions of the rows is what it is of all at once", {
  x <- matrix(rnorm(22), 11)
  for (portion in c(1, 3, 11, 50)) {
    sizes <- NULL
    found <- by_portions(x, function(rows) {
      sizes <<- c(sizes, nrow(rows))
      rowSums(rows)
    }, portion)
    expect_equal(found, rowSums(x))
    expect_lte(max(sizes), portion)
  }
})
