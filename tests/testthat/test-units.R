test_that("data far from zero are not called constant", {
  set.seed(1)
  x <- rnorm(60)
  near <- psd_density(x, sigma = 0.5, lambda = 0.01)
  far <- psd_density(x + 2^40, sigma = 0.5, lambda = 0.01)
  expect_equal(predict(far, 2^40 + c(-1, 0, 1)), predict(near, c(-1, 0, 1)), tolerance = 1e-3)
})

test_that("data that vary in their last digits only, or not at all, are told apart", {
  expect_snapshot(error = TRUE, {
    psd_density(c(0, 2, 4, 6) + 1e16)
    psd_density(rep(3, 10))
    psd_hetero(x = 1:5, y = rep(2, 5))
  })
})
