# Rows that are equal, taken together.

test_that("equal rows have one number, in the order in which they come first", {
  set.seed(1)
  for (d in 1:4) {
    x <- matrix(sample(3, 60 * d, replace = TRUE), 60)
    whole <- do.call(paste, as.data.frame(x))
    expect_identical(row_numbers(x), match(whole, unique(whole)))
  }
  expect_identical(row_numbers(cbind(c(0.1, 0.1, 0.2), c(1, 2, 1))), 1:3)
})

test_that("equal rows are kept once with their weights added, unless their folds are numbered", {
  x <- cbind(c(2, 1, 2, 1, 3), c(0, 5, 0, 6, 0))
  kept <- distinct_rows(x, c(1, 10, 100, 1000, 10000), psd_tune())
  expect_identical(kept$x, x[c(1, 2, 4, 5), ])
  expect_identical(kept$weights, c(101, 10, 1000, 10000))
  one <- distinct_rows(x[, 1, drop = FALSE], rep(1, 5), psd_tune())
  expect_identical(one, list(x = cbind(c(2, 1, 3)), weights = c(2, 2, 1)))
  numbered <- distinct_rows(x, 1:5, list(folds = c(1, 2, 1, 2, 1)))
  expect_identical(numbered, list(x = x, weights = 1:5))
})
