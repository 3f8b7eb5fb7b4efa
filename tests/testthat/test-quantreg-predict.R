# Points up to ten times the range of the data away, with as many inside.
scattered <- function(x, n) {
  apply(x, 2, function(column) {
    middle <- mean(range(column))
    half <- diff(range(column)) / 2
    middle + half * c(runif(n / 2, -1, 1), runif(n / 2, -20, 20))
  })
}

for (d in c(1, 2, 5)) {
  test_that(paste("quantiles cross nowhere, inside and far outside the data, d =", d), {
    set.seed(d)
    x <- matrix(rnorm(80 * d), 80)
    y <- sin(2 * x[, 1]) + (0.1 + abs(x[, d])) * rt(80, 3)
    fit <- psd_quantreg(x = x, y = y, tau = 1:5 / 6, sigma = 0.6 * sqrt(d), lambda = 0.03)
    at <- scattered(x, 1e5)
    q <- quietly(predict(fit, at, tau = sort(c(1:5 / 6, 0.42, 0.451))))
    expect_identical(sum(q[, -1] < q[, -7]), 0L)
    gaps <- quietly(predict(fit, at, type = "gap"))
    expect_true(all(gaps >= 0))
    expect_equal(rowSums(gaps), q[, 7] - q[, 1])
    floors <- 0.01 * fit$units$y$scale * diff(qnorm(1:5 / 6))
    expect_true(all(t(gaps) >= 0.999 * floors))
  })
}

test_that("a constant feature keeps the gaps open far from the data, and only that", {
  far <- data.frame(x = c(-1e3, 1e6))
  fit <- quick_quantreg()
  fit$far <- NULL  # the functions themselves
  open <- quietly(predict(fit, far, type = "gap"))
  expect_true(all(open > 0.05 * mean(predict(fit, type = "gap"))))
  paper <- quick_quantreg(constant = FALSE)
  expect_true(all(quietly(predict(paper, far, type = "gap")) == 0))
})

test_that("a gap that the optimum would close stays open by its floor", {
  data <- simulated_quantiles(60)
  fit <- quick_quantreg(tau = 1:9 / 10, data = data, sigma = 0.3, lambda = 10)
  fit$far <- NULL  # the functions themselves
  far <- quietly(predict(fit, data.frame(x = 1e3), type = "gap"))
  expect_equal(drop(far), 0.01 * fit$units$y$scale * diff(qnorm(1:9 / 10)), tolerance = 1e-9,
               ignore_attr = TRUE)
  paper <- quick_quantreg(tau = 1:9 / 10, data = data, sigma = 0.3, lambda = 10, constant = FALSE)
  expect_identical(max(predict(paper, type = "gap")), 0)
})

test_that("predictions are a row a row, in order, NA where newdata is", {
  fit <- quick_quantreg()
  q <- quietly(predict(fit, data.frame(x = c(0.9, NA, 0.1, Inf))))
  expect_identical(is.na(q[, 1]), c(FALSE, TRUE, FALSE, TRUE))
  expect_equal(q[3, ], predict(fit, data.frame(x = 0.1))[1, ])
  expect_identical(dim(predict(fit, data.frame(x = numeric()))), c(0L, 3L))
  expect_identical(predict(fit), fitted(fit))
  expect_equal(predict(fit, simulated_quantiles()), fitted(fit))
  cdf <- predict(fit, data.frame(x = c(NA, 0.5)), type = "cdf", y = 0)
  expect_identical(is.na(cdf), c(TRUE, FALSE))
})

test_that("fitted levels are what the blocks give by hand", {
  fit <- quick_quantreg(tau = c(0.1, 0.3, 0.6, 0.8))
  at <- matrix(c(0.2, 0.7))
  x <- (at - fit$units$x$center) / fit$units$x$scale
  f <- lapply(fit$functions, cpp_evaluate, x = x)  # middle 0.6, gaps from below
  hand <- cbind(f[[1]] - f[[3]] - f[[2]], f[[1]] - f[[3]], f[[1]], f[[1]] + f[[4]])
  hand <- fit$units$y$center + fit$units$y$scale * hand
  expect_equal(unname(predict(fit, data.frame(x = at))), hand)
})

test_that("intermediate levels and intervals interpolate between the fitted ones", {
  fit <- quick_quantreg()
  at <- data.frame(x = c(0.2, 0.7))
  q <- predict(fit, at)
  share <- (qnorm(0.3) - qnorm(0.1)) / (qnorm(0.5) - qnorm(0.1))
  expect_equal(predict(fit, at, tau = 0.3)[, 1], q[, 1] + share * (q[, 2] - q[, 1]))
  band <- predict(fit, at, interval = c(0.9, 0.1))
  expect_identical(colnames(band), c("lower", "upper"))
  expect_identical(unname(band), unname(q[, c(1, 3)]))
  bands <- predict(fit, at, interval = list(c(0.1, 0.9), c(0.3, 0.7)))
  expect_identical(colnames(bands), c("lower0.1", "upper0.9", "lower0.3", "upper0.7"))
  expect_equal(predict(fit, at, tau = c(0.1, 0.3), type = "gap")[, 1], bands[, 3] - bands[, 1])
})

test_that("the distribution function inverts the quantiles and stops at the extreme levels", {
  fit <- quick_quantreg()
  at <- data.frame(x = c(0.05, 0.4, 0.95))
  for (tau in c(0.1, 0.27, 0.5, 0.83, 0.9)) {
    q <- predict(fit, at, tau = tau)[, 1]
    expect_equal(predict(fit, at, type = "cdf", y = q), rep(tau, 3))
  }
  expect_identical(predict(fit, at, type = "cdf", y = -1e9), rep(0.1, 3))
  expect_identical(predict(fit, at, type = "cdf", y = 1e9), rep(0.9, 3))
  y <- seq(-3, 3, length.out = 101)
  expect_false(is.unsorted(predict(fit, at[rep(2, 101), , drop = FALSE], type = "cdf", y = y)))
  expect_length(predict(fit, type = "cdf"), 120)
})

test_that("where a gap is zero the distribution function jumps", {
  q <- matrix(2, 3, 3)
  expect_equal(conditional_cdf(q, c(1, 2, 3), c(0.1, 0.5, 0.9)), c(0.1, 0.9, 0.9))
})

test_that("what cannot be predicted is refused", {
  fit <- quick_quantreg()
  at <- data.frame(x = 0.5)
  refuses <- function(expr, message) expect_error(expr, message, class = "psd_error", fixed = TRUE)
  refuses(predict(fit, at, tau = 0.95), "must lie between the lowest and the highest fitted level")
  refuses(predict(fit, at, tau = 2), "`tau` must be")
  refuses(predict(fit, at, interval = 0.5), "`interval` must be a numeric vector of length 2")
  refuses(predict(fit, at, interval = c(0.01, 0.5)), "`interval` must lie between")
  refuses(predict(fit, at, tau = 0.5, interval = c(0.1, 0.9)), "must not be given together")
  refuses(predict(fit, at, type = "gap", interval = c(0.1, 0.9)), "`interval` must come with")
  refuses(predict(fit, at, type = "cdf", tau = 0.5, y = 0),
          "`tau` must come with `type` \"quantile\" or \"gap\", not \"cdf\"")
  refuses(predict(fit, at, y = 0), "`y` must come with `type` \"cdf\"")
  refuses(predict(fit, at, type = "mean"), "`type` must be one of")
  refuses(predict(fit, at, type = "cdf"), "`y` must be one number, or one per row of `newdata` (1)")
  refuses(predict(quick_quantreg(tau = 0.5), at, type = "cdf", y = 0), "at least two fitted levels")
  refuses(predict(fit, data.frame(z = 1)), "`newdata` must have the column")
  refuses(predict(fit, "a"), "`newdata` must have variables of the types")
})

test_that("quantiles that are too large for a number are refused", {
  x <- 1e-146 * seq(-1, 1, length.out = 20)
  fit <- psd_quantreg(x = x, y = 1e186 * cumsum(cos(1:20)), tau = c(0.2, 0.8), sigma = 1,
                      lambda = 0.1, parametric = TRUE)
  expect_error(suppressWarnings(predict(fit, 100)), "`newdata` must be nearer", class = "psd_error")
  expect_true(all(is.finite(suppressWarnings(predict(fit, 1e-100)))))
})

test_that("gaps are named by the levels that they are between", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.8, 0.9), sigma = 2, lambda = 0.01)
  gaps <- predict(fit, data.frame(speed = 10), type = "gap")
  expect_identical(colnames(gaps), c("q0.5 - q0.1", "q0.8 - q0.5", "q0.9 - q0.8"))
})
