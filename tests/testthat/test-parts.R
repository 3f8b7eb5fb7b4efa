test_that("one value holds for both parts, a list for each", {
  expect_equal(fixed_parts(0.5), c(linear = 0.5, psd = 0.5))
  expect_equal(fixed_parts(list(psd = 2, linear = 1)), c(linear = 1, psd = 2))
})

test_that("nothing is fixed while a part has a choice", {
  expect_null(fixed_parts(NULL))
  expect_null(fixed_parts(c(1, 2)))
  expect_null(fixed_parts(list(linear = 1, psd = NULL)))
  expect_null(fixed_parts(list(linear = 1, psd = c(1, 2))))
})

test_that("an error names the argument and the part", {
  sigma <- -1
  expect_error(fixed_parts(sigma), "`sigma` must", class = "psd_input_error")
  sigma <- list(linear = 1, psd = "a")
  expect_error(fixed_parts(sigma), "`sigma$psd` must", fixed = TRUE, class = "psd_input_error")
  sigma <- list(linear = 1, gap = 2)
  expect_error(fixed_parts(sigma), "linear =, psd =", class = "psd_input_error")
})
