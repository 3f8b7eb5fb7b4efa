test_that("the interval of a split is the base interval moved by a rank of the scores", {
  fit <- quick_quantreg()
  new <- simulated_quantiles(99, seed = 2)
  new$x <- pmin(pmax(new$x, min(fit$x)), max(fit$x))
  out <- psd_conformal(fit, new, level = 0.8)
  q <- predict(fit, new)
  scores <- sort(pmax(q[, 1] - new$y, new$y - q[, 3]))
  at <- data.frame(x = c(0.3, 0.6))
  expect_equal(predict(out, at), cbind(fit = predict(fit, at)[, 2],
                                       lwr = predict(fit, at)[, 1] - scores[80],
                                       upr = predict(fit, at)[, 3] + scores[80]),
               ignore_attr = TRUE)
  hetero <- hetero_fit()
  known <- hetero_data(19, seed = 5)
  known$x <- pmin(pmax(known$x, min(hetero$x)), max(hetero$x))
  out <- psd_conformal(hetero, known, level = 0.9)
  z <- sort(abs(known$y - predict(hetero, known)) / predict(hetero, known, type = "sd"))
  half <- (predict(out, data.frame(x = 0))[, "upr"] - predict(out, data.frame(x = 0))[, "lwr"]) / 2
  expect_equal(unname(half), z[18] * predict(hetero, data.frame(x = 0), type = "sd"))
  expect_output(print(out), "19 calibration observations")
})

test_that("cv+ is the interval of all folds and their scores", {
  data <- hetero_data(30)
  fit <- psd_hetero(y ~ x, data, sigma = 1, lambda = 0.01)
  folds <- rep(1:3, 10)
  out <- psd_conformal(fit, "cv+", level = 0.8, folds = folds)
  at <- data.frame(x = c(0, 1))
  lower <- upper <- NULL
  for (k in 1:3) {
    part <- fit
    problem <- psdmodels:::problem_of_fit(fit, NULL, environment())
    prepared <- psdmodels:::prepare(problem, which(folds != k), fit$parameters$sigma,
                                    psd_control())
    part$functions <- psdmodels:::solve_at(prepared, fit$parameters$lambda,
                                           fit$parameters$ridge)$functions
    held <- data[folds == k, ]
    score <- abs(held$y - predict(part, held)) / predict(part, held, type = "sd")
    reach <- outer(predict(part, at, type = "sd"), score)
    lower <- cbind(lower, predict(part, at) - reach)
    upper <- cbind(upper, predict(part, at) + reach)
  }
  expected <- cbind(apply(lower, 1, function(v) sort(v)[6]),
                    apply(upper, 1, function(v) sort(v)[25]))
  expect_equal(predict(out, at)[, 2:3], expected, ignore_attr = TRUE)
  expect_output(print(out), "30 observations in 3 folds")
})

test_that("the folds of a bounded fit are fits with the bound to the other rows", {
  folds <- rep(1:2, 25)
  fit_to <- function(rows) {
    psd_quantreg(dist ~ speed, cars[rows, ], tau = c(0.2, 0.5, 0.8), sigma = 6, lambda = 1e-3,
                 lower = -10, standardize = FALSE)
  }
  fit <- fit_to(1:50)
  out <- psd_conformal(fit, "cv+", level = 0.5, folds = folds)
  at <- data.frame(speed = c(6, 12, 20))
  for (k in 1:2) {
    fold <- psdmodels:::without_fold(fit, out$fits[[k]])
    expect_equal(predict(fold, at), predict(fit_to(which(folds != k)), at), tolerance = 0.02)
  }
})

test_that("coverage holds on average, also where the model is wrong", {
  set.seed(1)
  draw <- function(n) {
    x <- runif(n)
    data.frame(x, y = x + (0.2 + x) * rt(n, 3))
  }
  covered <- vapply(1:60, function(i) {
    fit <- psd_hetero(y ~ x, draw(40), sigma = 1, lambda = 0.01)
    new <- draw(200)
    inside <- suppressWarnings(predict(psd_conformal(fit, draw(50), level = 0.8), new),
                               classes = "psd_extrapolation")
    mean(new$y >= inside[, "lwr"] & new$y <= inside[, "upr"])
  }, 0)
  # Exactly 41 / 51 = 0.804 in expectation.
  expect_lt(abs(mean(covered) - 41 / 51), 4 * sd(covered) / sqrt(60))
})

test_that("fits from x and y, missing rows, too few observations, wrong input", {
  fit <- psd_hetero(x = cars$speed, y = cars$dist, sigma = 1, lambda = 0.01)
  out <- psd_conformal(fit, list(x = c(5, 10, 15, NA, 20), y = c(10, 20, 40, 2, 70)), level = 0.5)
  expect_identical(out$n, 4L)
  expect_identical(is.na(predict(out, c(10, NA))[, "lwr"]), c(FALSE, TRUE))
  expect_warning(few <- psd_conformal(fit, list(x = 10, y = 20)), class = "psd_few_observations")
  expect_identical(unname(predict(few, 10)[, 2:3]), c(-Inf, Inf))
  expect_error(psd_conformal(fit, cars), class = "psd_input_error")
  expect_error(psd_conformal(quick_quantreg(), "cv"), class = "psd_input_error")
  expect_error(psd_conformal(quick_quantreg(), data.frame(x = 1)), "response",
               class = "psd_input_error")
  expect_error(psd_conformal(density_1d(), faithful), class = "psd_input_error")
  expect_error(psd_conformal(quick_quantreg(tau = 0.5), simulated_quantiles()),
               class = "psd_input_error")
})

test_that("a single row has no name", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 0.1)
  safe <- psd_conformal(fit, cars, level = 0.8)
  expect_identical(dimnames(predict(safe, 10)), list(NULL, c("fit", "lwr", "upr")))
})

test_that("intervals keep to the bound of the fit", {
  fit <- psd_quantreg(dist ~ speed, cars[1:25, ], tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-2,
                      lower = 0)
  safe <- psd_conformal(fit, transform(cars[26:50, ], speed = speed / 2), level = 0.9)
  ends <- predict(safe, data.frame(speed = c(4, 8, 12)))
  free <- fit
  free$base$bounded <- FALSE
  unbounded <- predict(psd_conformal(free, transform(cars[26:50, ], speed = speed / 2)),
                       data.frame(speed = c(4, 8, 12)))
  expect_lt(min(unbounded[, "lwr"]), 0)
  expect_equal(ends[, "lwr"], pmax(unbounded[, "lwr"], 0))
  expect_equal(ends[, "upr"], unbounded[, "upr"])
  expect_error(psd_conformal(fit), "must be given", class = "psd_input_error")
})

test_that("where nothing is known intervals have no ends, whatever the scores", {
  data <- hetero_data(30)
  fit <- psd_hetero(y ~ x, data, sigma = 0.3, lambda = 0.01, constant = FALSE)
  none <- function(scores) if (is.list(scores)) lapply(scores, none) else 0 * scores
  for (calibration in list(data, "cv+")) {
    out <- psd_conformal(fit, calibration, level = 0.8)
    out$scores <- none(out$scores)
    ends <- quietly(predict(out, data.frame(x = c(0, 1e6))))
    expect_identical(unname(ends[2, c("lwr", "upr")]), c(-Inf, Inf))
    expect_true(all(is.finite(ends[1, ])))
  }
})

test_that("an interval that would be empty is a point, and a bound holds for both ends", {
  ends <- list(lower = c(1, 4, 9, -5, NA), upper = c(2, 2, 12, -3, NA))
  expect_identical(psdmodels:::uncrossed(ends, c(0, 8)),
                   list(lower = c(1, 3, 8, 0, NA), upper = c(2, 3, 8, 0, NA)))
  set.seed(1)
  x <- runif(40)
  data <- data.frame(x = x, y = x * rnorm(40))
  fit <- psd_quantreg(y ~ x, data, tau = c(0.05, 0.95), sigma = 0.5, lambda = 1e-4)
  quieter <- transform(data, y = y / 50)
  ends <- predict(psd_conformal(fit, quieter, level = 0.9))
  expect_true(any(ends[, "lwr"] == ends[, "upr"]))
  expect_true(all(ends[, "lwr"] <= ends[, "upr"]))
})
