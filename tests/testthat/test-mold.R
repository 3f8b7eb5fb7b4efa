test_that("a formula that cannot be used is refused by the name the user knows it by", {
  data <- data.frame(x = 1:5, y = 5:1)
  expect_error(mold(~ z, data), "`formula` could not be evaluated", class = "psd_error")
  expect_error(mold(~ z, data, arg = "x"), "`x` could not be evaluated", class = "psd_error")
  expect_error(mold(y ~ stop("{odd}"), data), "{odd}", fixed = TRUE, class = "psd_error")
  expect_error(mold(y ~ x + offset(x), data), "must not have an `offset()`", fixed = TRUE,
               class = "psd_error")
  expect_error(psd_quantreg(y ~ x | y, data), "`formula` must not have a bar", class = "psd_error")
  expect_error(psd_intensity(~ Sepal.Length | Species, iris, lower = 0, upper = 9),
               "`x` must not have a bar", class = "psd_error")
  expect_identical(mold(~ I(x > 2 | x < 2), data)$x[, 1], c(1, 0, 1, 1, 1))
})

test_that("row numbers beyond the data and data that are no data frame are refused", {
  expect_error(psd_density(1:9, subset = c(1, 20)), "row numbers up to 9", class = "psd_error")
  expect_error(psd_density(1:9, 0.3), "`data` must be a data frame", class = "psd_error")
})

test_that("weights and subset are looked up in a data frame of predictors too", {
  fit <- function(...) psd_density(..., sigma = 0.5, lambda = 0.1)
  inner <- fit(faithful, weights = eruptions, subset = waiting > 60)
  outer <- fit(faithful[faithful$waiting > 60, ],
               weights = faithful$eruptions[faithful$waiting > 60])
  expect_equal(inner$objective, outer$objective)
})

test_that("what base R would say of formulas, weights and subsets is said in our own words", {
  data <- data.frame(x = c(1.5, 2, 3.1, 4), y = 4:1, one = "a", flag = c(TRUE, FALSE))
  data$complex <- complex(real = data$x)
  fail <- function(message, f, ...) {
    expect_error(psd_quantreg(f, data, sigma = 1, lambda = 1, ...), message,
                 class = "psd_input_error")
  }
  fail("`formula` must have numbers and factors as predictors; complex is a complex", y ~ complex)
  fail("`formula` must have factors of at least two levels; one has only \"a\"", y ~ one)
  fail("`formula` must not have its response y among the predictors", y ~ y + x)
  fail("`formula` must not have its response y among the predictors", y ~ x:y)
  fail("`subset` must be row numbers to keep or, all negative", y ~ x, subset = c(-1, 2))
  fail("`subset` must be whole numbers, not 1.5", y ~ x, subset = 1.5)
  fail("`subset` could not be evaluated", y ~ x, subset = nothing > 1)
  fail("`weights` could not be evaluated", y ~ x, weights = nothing)
  fail("`weights` must have a sum of at most 1e\\+300", y ~ x, weights = rep(1e300, 4))
  fail("`na.action` must be a function such as `na.omit\\(\\)`, not \"a\"", y ~ x, na.action = "a")
  fail("`na.action` must be a function", y ~ x, na.action = NULL)
  names(data)[3] <- "x"
  fail("`data` must have different column names; x is there twice", y ~ x)
  expect_no_warning(psd_quantreg(y ~ x + flag, data[-3], sigma = 1, lambda = 1))
})

test_that("a row without a response goes as one without a predictor does", {
  holes <- transform(cars, dist = replace(dist, 3, NA), speed = replace(speed, 7, NA))
  fit <- function(data) psd_quantreg(dist ~ speed, data, sigma = 1, lambda = 0.1)
  expect_message(some <- fit(holes), "Dropped 2 rows", class = "psd_missing")
  expect_equal(predict(some, cars), predict(fit(cars[-c(3, 7), ]), cars), tolerance = 1e-6)
})

test_that("a weight that is lost in the sum of all is as good as none", {
  light <- transform(cars, w = replace(rep(3, 50), c(2, 49), c(1e-30, 0)))
  fit <- function(data) {
    psd_quantreg(dist ~ speed, data, sigma = 1, lambda = 0.1, weights = w)
  }
  some <- fit(light)
  expect_equal(nobs(some), 48)
  expect_equal(predict(some, cars), predict(fit(light[-c(2, 49), ]), cars))
  here <- psd_quantreg(dist ~ speed, light, sigma = 1, lambda = 0.1, weights = w)
  expect_equal(nrow(model.frame(here)), 48)
  expect_equal(nobs(fit(transform(light, w = w * 1e-200))), 48)
  density <- psd_density(~ dist, light, sigma = 1, lambda = 0.1, weights = w)
  expect_true(all(psd_verify(density, light, light$w)$holds))
  expect_equal(nobs(psd_density(cars$dist, sigma = 1, lambda = 0.1, weights = 10^(-(1:50) / 4))),
               50)
})

test_that("levels of a factor that no row has take no part", {
  data <- warpbreaks[warpbreaks$tension != "M", ]
  fit <- function(data) psd_regression(breaks ~ wool + tension, data, sigma = 2, lambda = 0.1)
  unused <- fit(data)
  expect_identical(unused$recipe$columns, c("woolB", "tensionH"))
  expect_identical(fitted(unused), fitted(fit(droplevels(data))))
  expect_error(predict(unused, data.frame(wool = "A", tension = "M")), class = "psd_error")
})

test_that("a subset is truth values or row numbers", {
  fit <- function(subset) psd_density(~dist, cars, subset = subset, sigma = 1, lambda = 0.1)
  for (subset in list("a", c(TRUE, FALSE), c(1, NA))) {
    expect_error(fit(subset), "`subset` must be a logical vector of length 50 or row numbers",
                 class = "psd_input_error")
  }
  expect_identical(fit(c(3, 5))$n, 2L)
  expect_identical(fit(-(1:3))$n, 47L)
  expect_identical(fit(cars$dist > 10)$n, sum(cars$dist > 10))
  expect_error(fit(51), "row numbers up to 50, not 51", class = "psd_input_error")
  expect_error(fit(1.5), "whole numbers, not 1.5", class = "psd_input_error")
})
