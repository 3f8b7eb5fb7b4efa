test_that("rows outside the range are counted, in their columns", {
  range <- cbind(a = c(0, 1), b = c(-1, 1))
  x <- cbind(a = c(0.5, 1.1, NA, -3), b = c(1, 0, 9, 0))
  expect_warning(warn_extrapolation(x, range), "3 rows.*a and b", class = "psd_extrapolation")
  expect_silent(warn_extrapolation(x[1, , drop = FALSE], range))
  expect_warning(warn_extrapolation(x[2, , drop = FALSE], range), "1 row .* in a",
                 class = "psd_extrapolation")
})

# Every regression takes newdata alike.
regressions <- function() {
  list(psd_quantreg(dist ~ speed, cars, sigma = 1, lambda = 0.01),
       psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 0.01),
       psd_regression(dist ~ speed, cars, sigma = 1, lambda = 0.01))
}

test_that("regressions take newdata alike: missing, missing values, infinity, outside the data", {
  for (fit in regressions()) {
    expect_identical(predict(fit), predict(fit, NULL))
    expect_equal(predict(fit), predict(fit, cars))
    expect_silent(predict(fit, data.frame(speed = range(cars$speed))))
    expect_warning(predict(fit, data.frame(speed = 25.1)), "1 row ", class = "psd_extrapolation")
    at <- data.frame(speed = c(10, NA, Inf, -Inf))
    expect_identical(is.na(as.matrix(quietly(predict(fit, at)))[, 1]), c(FALSE, TRUE, TRUE, TRUE))
  }
})

test_that("augment() adds columns to the data, or to newdata by either name", {
  new <- data.frame(speed = c(10, 20), dist = c(20, 60))
  for (fit in regressions()) {
    expect_identical(augment(fit, newdata = new), augment(fit, new))
    expect_setequal(augment(fit, newdata = new)$speed, new$speed)
    expect_true(all(c("speed", "dist", ".fitted", ".resid") %in% names(augment(fit, new))))
    expect_false(".resid" %in% names(augment(fit, new["speed"])))
    expect_equal(unique(augment(fit)$speed), unique(cars$speed))
  }
})

test_that("an argument that a method does not know is an error", {
  for (fit in c(regressions(), list(density_1d()))) {
    expect_error(predict(fit, new_data = cars), class = "rlib_error_dots_nonempty")
    expect_error(augment(fit, cars, nd = 1), class = "rlib_error_dots_nonempty")
    expect_error(summary(fit, level = 0.9), class = "rlib_error_dots_nonempty")
    expect_error(print(fit, level = 0.9), class = "rlib_error_dots_nonempty")
    expect_error(glance(fit, level = 0.9), class = "rlib_error_dots_nonempty")
    expect_error(tidy(fit, level = 0.9), class = "rlib_error_dots_nonempty")
  }
  expect_error(quantile(density_1d(), prob = 0.5, 3, 4), class = "rlib_error_dots_nonempty")
})

test_that("the warning of extrapolation counts its rows", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2)
  expect_warning(predict(fit, data.frame(speed = 40)), "1 row of `newdata` is outside")
  expect_warning(predict(fit, data.frame(speed = 40:41)), "2 rows of `newdata` are outside")
})
