test_that("the pinball loss is least at the empirical quantile", {
  set.seed(1)
  y <- rexp(99)
  for (tau in c(0.1, 0.5, 0.85)) {
    best <- quantile(y, tau, type = 1)
    at <- vapply(best + c(0, -0.1, 0.1), function(q) psd_pinball(y, rep(q, 99), tau), 0)
    expect_identical(which.min(at), 1L)
  }
})

test_that("scores are weighted means by column", {
  y <- c(1, 2, 4)
  q <- cbind(low = c(0, 3, 4), high = c(2, 2, 3))
  expect_equal(psd_pinball(y, q, c(0.2, 0.9)), c(low = (0.2 + 0.8) / 3, high = (0.1 + 0.9) / 3))
  expect_equal(psd_coverage(y, q), c(low = 2 / 3, high = 2 / 3))
  expect_equal(psd_pinball(y, q, c(0.2, 0.9), weights = c(0, 1, 3)), c(low = 0.2, high = 2.7 / 4))
  expect_equal(psd_coverage(y, q, weights = c(1, 1, 2)), c(low = 3 / 4, high = 1 / 2))
})

test_that("missing predictions are NA unless they are left out", {
  q <- c(1, NA, 3)
  expect_identical(psd_coverage(c(1, 2, 4), q), NA_real_)
  expect_equal(psd_coverage(c(1, 2, 4), q, na.rm = TRUE), 0.5)
  expect_equal(psd_pinball(c(1, 2, 4), q, 0.5, na.rm = TRUE), 0.25)
})

test_that("scores refuse arguments that do not fit together", {
  expect_error(psd_pinball(1:3, cbind(1:3, 1:3), 0.5), "`tau` must have one level per column",
               class = "psd_error")
  expect_error(psd_pinball(1:3, 1:2, 0.5), "`q` must be numeric with one row", class = "psd_error")
  expect_error(psd_pinball(1:3, 1:3, 1.5), "`tau` must be", class = "psd_error")
  expect_error(psd_coverage("a", 1), "`y` must be a numeric vector", class = "psd_error")
  expect_error(psd_coverage(1:3, 1:3, weights = 1:2), "`weights` must be", class = "psd_error")
})
