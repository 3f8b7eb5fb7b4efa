test_that("constraints hold to rounding, in the units of the data", {
  x <- faithful$eruptions
  fit <- psd_density(x, sigma = 0.5, lambda = 1e-2, constraints = list(
    psd_constraint("mean", 3.6), psd_constraint("probability", 0.4, ">=", upper = 3),
    psd_constraint("second", 14, "<=")
  ))
  expect_true(fit$converged)
  expect_equal(unname(psd_moments(fit)$mean), 3.6, tolerance = 1e-7)
  expect_gt(psd_prob(fit, upper = 3), 0.4 - 1e-7)
  q <- quadrature(-3, 10, 30)
  expect_lt(sum(q$w * q$x^2 * predict(fit, q$x)), 14 + 1e-5)
  expect_equal(sum(q$w * q$x * predict(fit, q$x)), 3.6, tolerance = 1e-7)
})

test_that("constraints on two variables hold, by quadrature", {
  fit <- psd_density(faithful, sigma = 0.8, lambda = 1e-2, constraints = list(
    psd_constraint("second", 260, columns = c("eruptions", "waiting")),
    psd_constraint("probability", 0.5, lower = c(4, 70))
  ))
  x <- quadrature(-3, 10, 14)
  y <- quadrature(-10, 170, 14)
  grid <- as.matrix(expand.grid(x$x, y$x))
  w <- predict(fit, grid) * as.vector(outer(x$w, y$w))
  expect_equal(sum(w * grid[, 1] * grid[, 2]), 260, tolerance = 1e-6)
  expect_equal(sum(w), 1, tolerance = 1e-6)
  expect_equal(psd_prob(fit, lower = c(4, 70)), 0.5, tolerance = 1e-7)
})

test_that("a constraint that holds anyway changes nothing", {
  fit <- function(...) {
    psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3, ...,
                control = psd_control(tol = 1e-9))
  }
  free <- fit()
  bound <- fit(constraints = psd_constraint("probability", 0.01, ">=", upper = 3))
  expect_equal(predict(bound, 1:5), predict(free, 1:5), tolerance = 1e-4)
  expect_equal(bound$objective, free$objective, tolerance = 1e-8)
})

test_that("a binding constraint costs objective", {
  tied <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3,
                      constraints = psd_constraint("probability", 0.5, upper = 3))
  expect_gt(tied$objective, density_1d()$objective + 1e-3)
})

test_that("constraints that no density satisfies are an error of their own class", {
  x <- faithful$eruptions
  fit <- function(...) psd_density(x, sigma = 0.5, lambda = 1e-2, constraints = list(...))
  expect_error(fit(psd_constraint("mean", 30)), class = "psd_infeasible")
  expect_error(fit(psd_constraint("probability", 1, lower = 3)), class = "psd_infeasible")
  expect_error(fit(psd_constraint("probability", 0, lower = 3)), class = "psd_infeasible")
  # each possible alone, not together
  expect_error(fit(psd_constraint("probability", 0.5, upper = 3),
                   psd_constraint("probability", 0.4, upper = 4)), class = "psd_infeasible")
  expect_error(fit(psd_constraint("probability", 0.9, ">=", upper = 2),
                   psd_constraint("mean", 4, ">=")), class = "psd_infeasible")
  expect_error(fit(psd_constraint("mean", 3), psd_constraint("second", 8.9)),
               class = "psd_infeasible")
  expect_snapshot(error = TRUE, fit(psd_constraint("mean", 30)))
})

test_that("constraints tie in with cross-validation", {
  set.seed(1)
  fit <- psd_density(faithful$eruptions[1:80], sigma = c(0.4, 0.8), lambda = c(0.1, 0.01),
                     constraints = psd_constraint("mean", 3.5), tune = psd_tune(folds = 2))
  expect_equal(unname(psd_moments(fit)$mean), 3.5, tolerance = 1e-7)
})

test_that("a constraint says what it is", {
  expect_snapshot({
    psd_constraint("probability", 0.5, lower = c(0, 1), upper = c(2, Inf))
    psd_constraint("mean", 3, "<=", columns = "a")
    psd_constraint("second", 3, ">=", columns = c("a", "b"))
  })
  expect_snapshot(error = TRUE, {
    psd_constraint("median", 1)
    psd_constraint("probability", 1.5)
    psd_constraint("mean", NA)
    psd_constraint("mean", 1, "<")
    psd_constraint("probability", 0.5, lower = 2, upper = 1)
    psd_density(faithful, sigma = 1, lambda = 1, constraints = 3)
    psd_density(faithful, sigma = 1, lambda = 1, constraints = psd_constraint("mean", 3))
    psd_density(faithful, sigma = 1, lambda = 1,
                constraints = psd_constraint("mean", 3, columns = c("eruptions", "waiting")))
    psd_density(faithful, sigma = 1, lambda = 1,
                constraints = psd_constraint("mean", 3, columns = "depth"))
    psd_density(faithful, sigma = 1, lambda = 1,
                constraints = psd_constraint("probability", 0.3, lower = 1:3))
  })
})

test_that("on another scale constrained probabilities hold, and moments are refused", {
  set.seed(1)
  x <- rexp(100)
  fit <- psd_density(x, sigma = 0.7, lambda = 1e-2, lower = 0, transform = "log",
                     constraints = psd_constraint("probability", 0.7, upper = 1))
  expect_equal(integrate(as.function(fit), 0, 1, rel.tol = 1e-8)$value, 0.7, tolerance = 1e-6)
  expect_true(all(psd_verify(fit, x)$holds))
  expect_error(
    psd_density(x, lower = 0, transform = "log", constraints = psd_constraint("mean", 1)),
    "on moments must be on columns without a `transform`, not on x with \"log\"", fixed = TRUE,
    class = "psd_error"
  )
  one <- psd_density(cbind(x, y = x - 2 * rev(x)), lower = c(x = 0), transform = c("log", "none"),
                     sigma = 1, lambda = 0.1,
                     constraints = psd_constraint("mean", 0, columns = "y"))
  expect_equal(psd_moments(one)$mean[["y"]], 0, tolerance = 1e-5)
})

test_that("bounds are infeasible just beyond what the model can reach", {
  separated <- function(matrices, bound, equality = TRUE) {
    psdmodels:::separated(matrices, bound, rep_len(equality, length(bound)))
  }
  one <- list(diag(c(1, 2)))  # values from 1 to 2
  expect_true(separated(one, 2 + 1e-6))
  expect_false(separated(one, 2 - 1e-6))
  expect_true(separated(one, 1 - 1e-6))
  expect_false(separated(one, 1 + 1e-6))
  expect_false(separated(one, 1.5))
  expect_false(separated(one, 3, equality = FALSE))  # at most 3
  expect_true(separated(one, 0.9, equality = FALSE))
  expect_false(separated(list(1e6 * diag(c(1, 2))), 2e6 + 1e-4))  # rounding, at this size
  # Both at once: on the segment from (1, 2) to (2, 1).
  two <- list(diag(c(1, 2)), diag(c(2, 1)))
  expect_false(separated(two, c(1.25, 1.75)))
  expect_true(separated(two, c(1.25, 1.7)))
})

test_that("a box that is a point beside the data is refused, one of three digits is not", {
  set.seed(1)
  x <- 1e15 * runif(20)
  density <- function(width) {
    share <- psd_constraint("probability", 1e-9, "<=", lower = 0, upper = width)
    psd_density(x, sigma = 1, lambda = 0.1, constraints = share)
  }
  output <- function(width) {
    data <- data.frame(u = runif(20), v = x, y = runif(20))
    psd_regression(y ~ u + v, data, sigma = 1, lambda = 0.1,
                   constraints = psd_integral(1, "<=", lower = 0, upper = width))
  }
  for (fit in list(density, output)) {
    expect_error(fit(1), "`constraints` must have boxes that are not lost", class = "psd_error")
    expect_identical(fit(1e4)$status, "converged")
  }
})

test_that("boxes are printed by column, in five digits, open where nothing is said", {
  shown <- function(...) format(psd_integral(1, ...))
  expect_match(shown(lower = 1.2345678, upper = 7), "over [1.2346, 7] == 1", fixed = TRUE)
  expect_match(shown(lower = 1:2, upper = 3:4), "over [1, 3] x [2, 4] == 1", fixed = TRUE)
  expect_match(shown(lower = c(b = -1.2345678), upper = c(a = 1.2345678)),
               "over b in [-1.2346, Inf], a in [-Inf, 1.2346] == 1", fixed = TRUE)
  expect_match(shown(lower = -1, upper = c(a = 1, b = 2)), "over a in [-1, 1], b in [-1, 2] == 1",
               fixed = TRUE)
})

test_that("a constraint on an integral is printed as what it is", {
  expect_output(print(psd_integral(1, "<=", lower = 0, upper = c(a = 1))),
                "<psd_integral> integral of output 1 over a in [0, 1] <= 1", fixed = TRUE)
  expect_output(print(psd_integral(2, output = "y", base = psd_gaussian())),
                "integral of output y over .* against a Gaussian == 2")
})
