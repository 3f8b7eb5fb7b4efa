test_that("counts must be whole numbers", {
  fit <- density_1d()
  expect_error(psd_tune(folds = 2.5), "`folds` must be a whole number, not 2.5",
               class = "psd_input_error")
  expect_error(psd_control(max_iter = 1.5), "`max_iter` must be a whole", class = "psd_input_error")
  expect_error(simulate(fit, 2.5), "`nsim` must be a whole", class = "psd_input_error")
  expect_s3_class(psd_control(max_rank = Inf), "psd_control")
})

test_that("a truth to compare with must be a function", {
  fit <- density_1d()
  expect_error(plot(fit, truth = 1), "`truth` must be a function", class = "psd_input_error")
  expect_error(autoplot(fit, truth = 1), "`truth` must be a function", class = "psd_input_error")
})

test_that("a single row cannot be standardised", {
  expect_error(psd_density(1), "single row", class = "psd_input_error")
  one <- psd_density(1, sigma = 1, lambda = 0.1, standardize = FALSE)
  expect_equal(integrate(function(x) predict(one, x), -Inf, Inf)$value, 1, tolerance = 1e-6)
})

test_that("columns that are none, or not there, are shown as what was given", {
  expect_error(check_columns(character(), c("a", "b")), "not none", class = "psd_error")
  expect_error(check_columns("c", c("a", "b")), '"c"', class = "psd_error")
  for (columns in list(c("a", "c"), c(1, 3), c("a", "a"), c(2, 2), 0, -1, 1.5, NA_real_, TRUE)) {
    expect_error(check_columns(columns, c("a", "b")), "must be different columns",
                 class = "psd_error")
  }
  expect_identical(check_columns("b", c("a", "b")), 2L)
  expect_identical(check_columns(c(2, 1), c("a", "b")), 2:1)
})

test_that("a message names the bounds there are, and no others", {
  range <- psdmodels:::number_range
  expect_identical(range(0, 1, -Inf, Inf, TRUE), " at least 0 and at most 1")
  expect_identical(range(-Inf, Inf, 0, 1, TRUE), " above 0 and below 1")
  expect_identical(range(2, Inf, -Inf, Inf, TRUE), " at least 2")
  expect_identical(range(-Inf, 3, -Inf, Inf, FALSE), " at most 3")
  expect_identical(range(-Inf, Inf, -Inf, Inf, TRUE), " that is finite")
  expect_identical(range(-Inf, Inf, -Inf, Inf, FALSE), "")
})

test_that("settings are printed one a line, long ones by their number", {
  expect_output(print(psd_control()), "max_rank: by default\n")
  expect_output(print(psd_control()), "rank_tol: by default\n")
  expect_output(print(psd_control(bin_from = 50)), "bin_from: 50$")
  expect_output(print(psd_tune(folds = rep(1:2, 6))), "folds: 12 values\n")
  expect_output(print(psd_tune(folds = c(1, 2, 1, 2, 1))), "folds: 1, 2, 1, 2, 1\n")
})

test_that("what need not be finite may be infinite, beside a bound on the other side", {
  expect_identical(psdmodels:::check_numbers(c(1, Inf), above = 0, finite = FALSE), c(1, Inf))
  expect_identical(psdmodels:::check_numbers(c(-Inf, 1), below = 2, finite = FALSE), c(-Inf, 1))
})

test_that("numbers are finite unless it is said that they need not be", {
  for (x in list(Inf, c(1, -Inf))) {
    expect_error(check_numbers(x), "`x` must be", class = "psd_input_error")
    expect_identical(check_numbers(x, finite = FALSE), x)
  }
})

test_that("a message says what is wrong with the number that it names", {
  refused <- function(x, words, ...) {
    expect_error(check_numbers(x, ...), words, fixed = TRUE, class = "psd_input_error")
  }
  refused(Inf, "a numeric vector that is finite, not Inf", min = 0)
  refused(c(1, -Inf), "that is finite, not -Inf", above = 0)
  refused(c(-1, Inf), "at least 0, not -1", min = 0)
  refused(c(Inf, -1), "that is finite, not Inf", min = 0)
  refused(c(1, 2, 3), "below 3, not 3", below = 3)
  refused(0, "above 0, not 0", above = 0)
  refused(4, "at most 3, not 4", max = 3)
  refused(NA_real_, "that is finite, not NA")
  refused(1:3, "a numeric vector of length 2", size = 2)
  refused(1:3, "a single number, not an integer vector", size = 1)
  refused(numeric(), "a numeric vector, not an empty numeric vector")
  refused(-Inf, "at least 0, not -Inf", min = 0, finite = FALSE)
  expect_identical(check_numbers(c(0, 3), min = 0, max = 3), c(0, 3))
  for (flag in list(NA, 1, c(TRUE, FALSE), NULL)) {
    expect_error(check_flag(flag), "must be `TRUE` or `FALSE`", class = "psd_input_error")
  }
})
