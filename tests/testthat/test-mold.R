test_that("a formula that cannot be used is refused by the name the user knows it by", {
  data <- data.frame(x = 1:5, y = 5:1)
  expect_error(mold(~ z, data), "`formula` could not be evaluated", class = "psd_error")
  expect_error(mold(~ z, data, arg = "x"), "`x` could not be evaluated", class = "psd_error")
  expect_error(mold(y ~ stop("{odd}"), data), "{odd}", fixed = TRUE, class = "psd_error")
  expect_error(mold(y ~ x + offset(x), data), "must not have an `offset()`", fixed = TRUE,
               class = "psd_error")
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
