test_that("the paper's model reaches the reference optimum, with both solvers", {
  for (solver in c("newton", "fista")) {
    fit <- reference_quantiles(control = psd_control(solver))
    expect_lte(fit$gap, 1e-6)
    expect_lte(abs(fit$objective - 0.49041804), 1e-6)
  }
})

test_that("the objective is the mean pinball loss plus the penalties", {
  fit <- reference_quantiles()
  loss <- sum(psd_pinball(fit$y, fitted(fit), fit$tau))
  gram <- function(f) exp(-as.matrix(dist(f$anchors$at))^2 / (2 * f$anchors$width[1]^2))
  w <- fit$functions[[1]]
  penalty <- 0.02 / 2 * sum(w$coefficients * (gram(w) %*% w$coefficients))
  for (f in fit$functions[-1]) {
    a <- t(f$coefficients) %*% gram(f) %*% f$coefficients  # same spectrum as A
    penalty <- penalty + 0.01 * (sum(diag(a)) + 0.01 / 2 * sum(a^2))
  }
  expect_equal(loss + penalty, fit$objective, tolerance = 1e-8)
})

test_that("levels come back in the order they were given", {
  sorted <- quick_quantreg()
  shuffled <- quick_quantreg(tau = c(0.9, 0.1, 0.5))
  expect_identical(colnames(fitted(shuffled)), c("q0.9", "q0.1", "q0.5"))
  expect_identical(fitted(shuffled)[, colnames(fitted(sorted))], fitted(sorted))
})

test_that("one level is a plain kernel quantile regression", {
  data <- simulated_quantiles()
  fit <- quick_quantreg(tau = 0.3)
  expect_identical(fit$rank, NA_integer_)
  expect_identical(dim(fitted(fit)), c(120L, 1L))
  expect_identical(glance(fit)$rank, NA_integer_)
  expect_equal(psd_coverage(data$y, fitted(fit)), c(q0.3 = 0.3), tolerance = 0.1)
  expect_output(print(fit), "quantiles 0.3 of y given x (120 observations)", fixed = TRUE)
})

test_that("quantiles are equivariant under shift and scale of the response", {
  data <- simulated_quantiles()
  tight <- psd_control(tol = 1e-9)  # rounding may cost or save an iteration
  q <- fitted(quick_quantreg(data = data, control = tight))
  moved <- transform(data, y = 1000 - 7 + 300 * y)
  expect_equal((fitted(quick_quantreg(data = moved, control = tight)) - 993) / 300, q,
               tolerance = 1e-6)
})

test_that("reflecting the response mirrors the levels", {
  data <- simulated_quantiles()
  tau <- c(0.2, 0.5, 0.7, 0.9)
  tight <- psd_control(tol = 1e-9)
  q <- fitted(quick_quantreg(data = data, tau = tau, control = tight))
  mirrored <- fitted(quick_quantreg(data = transform(data, y = 3 - 2 * y), tau = 1 - tau,
                                    control = tight))
  expect_equal(unname(3 - mirrored) / 2, unname(q), tolerance = 1e-6)
})

test_that("units and shift of the predictor do not matter", {
  data <- simulated_quantiles()
  moved <- transform(data, x = 5 + 1000 * x)
  tight <- psd_control(tol = 1e-9)
  expect_equal(fitted(quick_quantreg(data = moved, control = tight)),
               fitted(quick_quantreg(data = data, control = tight)), tolerance = 1e-6)
})

test_that("formula and x, y are the same model, and a weight of two is the row twice", {
  data <- simulated_quantiles(60)
  fit <- quick_quantreg(data = data)
  direct <- psd_quantreg(x = data$x, y = data$y, tau = c(0.1, 0.5, 0.9), sigma = 0.6, lambda = 0.01)
  expect_identical(fitted(direct), fitted(fit))
  expect_identical(direct$recipe$columns, "x")

  twice <- quick_quantreg(data = data[c(1:60, 1:20), ])
  data$w <- rep(c(2, 1), c(20, 40))
  weighted <- quick_quantreg(data = data, weights = w)
  expect_equal(weighted$objective, twice$objective, tolerance = 1e-6)
  expect_equal(fitted(weighted), fitted(twice)[1:60, ], tolerance = 1e-3)
})

test_that("subset, missing values and factors go the way they do in lm()", {
  data <- simulated_quantiles(60)
  data$g <- factor(rep(c("a", "b", "c"), 20))
  part <- psd_quantreg(y ~ x + g, data, subset = x > 0.2, sigma = 1, lambda = 0.01)
  expect_identical(part$n, sum(data$x > 0.2))
  expect_identical(part$recipe$columns, c("x", "gb", "gc"))
  data$y[3] <- NA
  expect_message(fit <- quick_quantreg(data = data), class = "psd_missing")
  expect_identical(fit$n, 59L)
  expect_error(quick_quantreg(data = data, na.action = na.fail), class = "psd_error")
  expect_error(predict(part, data.frame(x = 0.5, g = "z")), "levels of g that the fit has not seen",
               class = "psd_error")
})

test_that("many ties at the same points are solved to the default gap", {
  set.seed(1)
  n <- 200
  x <- ifelse(runif(n) < 0.5, runif(n) / 3, 2 / 3 + runif(n) / 3)
  y <- 4 * ifelse(x < 1 / 2, 1 / 3 - x, x - 2 / 3) * rnorm(n)
  tied <- seq_len(44)
  x[tied] <- rep(c(1 / 3, 2 / 3), 22)
  y[tied] <- 0
  fit <- psd_quantreg(x = x, y = y, sigma = 0.1, lambda = list(linear = 0.1, psd = 0.001),
                      standardize = FALSE, constant = FALSE)
  expect_true(fit$converged)
  expect_lte(fit$gap, 1e-6)
})

test_that("many levels and small penalties need few iterations", {
  skip_if_not_installed("MASS")
  for (lambda in c(1e-3, 1e-5)) {
    fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = 1:9 / 10, sigma = 0.5, lambda = lambda)
    expect_true(fit$converged)
    expect_lte(fit$iterations, 60)
  }
})

test_that("shares below the quantiles are near their levels at tuned parameters", {
  skip_if_not_installed("MASS")
  set.seed(1)
  fit <- psd_quantreg(accel ~ times, MASS::mcycle, sigma = c(0.3, 0.5), lambda = c(0.01, 0.003),
                      tune = psd_tune(folds = 3))
  coverage <- psd_coverage(fit$y, fitted(fit))
  expect_lte(max(abs(coverage - c(0.25, 0.5, 0.75))), 1 / sqrt(133) + 0.02)
  expect_identical(nrow(fit$tuning), 4L)
})

test_that("a fit survives serialisation and does not carry environments", {
  fit <- quick_quantreg()
  copy <- unserialize(serialize(fit, NULL))
  expect_identical(predict(copy, data.frame(x = 0.3)), predict(fit, data.frame(x = 0.3)))
  big <- local({
    ballast <- runif(1e6)
    psd_quantreg(y ~ x, simulated_quantiles(), sigma = 0.6, lambda = 0.01)
  })
  expect_lt(length(serialize(big, NULL)), 2e5)
})

test_that("bad input is refused with a message that names the argument", {
  data <- simulated_quantiles(30)
  fit <- function(...) psd_quantreg(sigma = 0.5, lambda = 0.01, ...)
  refuses <- function(expr, message) expect_error(expr, message, class = "psd_error", fixed = TRUE)
  refuses(fit(y ~ x, data, tau = c(0.5, 1)),
          "`tau` must be a numeric vector above 0 and below 1, not 1")
  refuses(fit(y ~ x, data, tau = -0.1), "`tau` must be")
  refuses(fit(y ~ x, data, tau = NA_real_), "`tau` must be")
  refuses(fit(y ~ x, data, tau = "median"), "`tau` must be")
  refuses(fit(y ~ x, data, tau = c(0.5, 0.2, 0.5)),
          "`tau` must not have duplicates; 0.5 is there twice")
  refuses(fit(cbind(y, x) ~ x, data), "The response `cbind(y, x)` must be one numeric vector")
  refuses(fit(x = data$x, y = cbind(data$y, 1)),
          "The response `y` must be one numeric vector, not 2 columns")
  refuses(fit(x = data$x, y = data$y[-1]), "`y` must have one value per row")
  refuses(fit(x = data$x, y = letters[1:30]),
          "The response `y` must be one numeric vector, not a character")
  refuses(fit(x = data$x), "`y` must be given with `x`")
  refuses(fit(data$x, data$y), "`formula` must be a formula such as")
  refuses(fit(y ~ x, data, x = data$x), "Either `formula` or `x` and `y` must be given, not both")
  refuses(fit(~x, data), "`formula` must have a response")
  refuses(fit(y ~ 1, data), "`formula` must have at least one predictor")
  refuses(fit(y ~ z, data), "object 'z' not found")
  refuses(fit(factor(y > 0) ~ x, data), "must be numeric")
  refuses(fit(y ~ x, transform(data, y = 3)), "The response `y` must vary; it is 3 in every")
  refuses(fit(y ~ x, transform(data, x = 1)), "constant and cannot be standardised")
  refuses(fit(y ~ x, transform(data, y = c(Inf, y[-1]))), "`y` must be finite, not Inf")
  refuses(fit(y ~ x, data, weights = -1), "`weights` must be")
  refuses(fit(y ~ x, data[0, ]), "at least one row")
  refuses(fit(y ~ x, data, constant = NA), "`constant` must be")
  refuses(psd_quantreg(y ~ x, data, sigma = -1, lambda = 1), "`sigma` must be")
  refuses(psd_quantreg(y ~ x, data, sigma = list(linear = 1, gap = 1), lambda = 1),
          "`sigma` must be a number, several, or a list with the elements")
})

test_that("a fit that was stopped early warns once, with the gap and the remedy", {
  expect_warning(fit <- quick_quantreg(control = psd_control(max_iter = 3)),
                 class = "psd_not_converged")
  expect_false(fit$converged)
  expect_false(is.unsorted(predict(fit, data.frame(x = 0.5))))
})
