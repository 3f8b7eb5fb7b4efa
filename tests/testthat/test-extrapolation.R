test_that("rows beyond a width from the range are counted, in their columns", {
  range <- cbind(a = c(0, 1), b = c(-1, 1))
  x <- cbind(a = c(0.5, 1.6, NA, -3), b = c(1.9, 0, 9, 0))
  expect_warning(warn_extrapolation(x, range, c(0.5, 1)), "3 rows.*a and b",
                 class = "psd_extrapolation")
  expect_silent(warn_extrapolation(x[1, , drop = FALSE], range, c(0.5, 1)))
  expect_warning(warn_extrapolation(x[2, , drop = FALSE], range, c(0.5, 1)), "1 row .* in a",
                 class = "psd_extrapolation")
})
