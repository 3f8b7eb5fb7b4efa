
test_that("a formula that cannot be used is refused by the name the user knows it by", {
  data <- data.frame(x = 1:5, y = 5:1)
  expect_error(mold(~ z, data), "`formula` could not be evaluated", class = "psd_error")
  expect_error(mold(~ z, data, arg = "x"), "`x` could not be evaluated", class = "psd_error")
  expect_error(mold(y ~ stop("{odd}"), data), "{odd}", fixed = TRUE, class = "psd_error")
  expect_error(mold(y ~ x + offset(x), data), "must not have an `offset()`", fixed = TRUE,
               class = "psd_error")
})
