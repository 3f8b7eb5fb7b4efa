truth <- function(data) attr(data, "truth")

test_that("the samples have the sizes of the paper, or the size asked for", {
  set.seed(1)
  expect_equal(dim(psd_toy("bimodal")), c(50, 1))
  expect_equal(dim(psd_toy("mixture10d")), c(1000, 10))
  expect_equal(dim(psd_toy("hetero")), c(80, 2))
  expect_equal(dim(psd_toy("quantile")), c(500, 2))
  expect_equal(nrow(psd_toy("mixture10d", 7)), 7)
  expect_equal(nrow(psd_toy("quantile", 1)), 1)
})

test_that("the true densities integrate to one and have the paper's likelihoods", {
  set.seed(2)
  one <- psd_toy("bimodal", 1e5)
  expect_equal(integrate(truth(one)$density, -4, 4)$value, 1, tolerance = 1e-6)
  expect_equal(truth(one)$density(1), 0.665, tolerance = 1e-3)
  expect_equal(mean(log(truth(one)$density(one$x))), -0.9069, tolerance = 0.01)
  ten <- psd_toy("mixture10d", 2e4)
  expect_equal(mean(-log(truth(ten)$density(ten))), 5.693, tolerance = 0.01)
})

test_that("the sample follows the true distribution function", {
  set.seed(3)
  one <- psd_toy("bimodal", 2000)
  cdf <- function(q) (pnorm(q, -1, 0.3) + pnorm(q, 1, 0.3)) / 2
  expect_gt(ks.test(one$x, cdf)$p.value, 1e-3)
  toy <- psd_toy("hetero", 2000)
  z <- (toy$y - truth(toy)$mean(toy$x)) / truth(toy)$sd(toy$x)
  expect_gt(ks.test(z, "pnorm")$p.value, 1e-3)
})

test_that("the heteroscedastic toy is centred, and its truth with it", {
  set.seed(4)
  toy <- psd_toy("hetero", 1e4)
  expect_equal(mean(toy$y), 0)
  expect_equal(mean(truth(toy)$mean(toy$x)), 0, tolerance = 0.05)
  expect_equal(truth(toy)$sd(c(0, 0.25, 0.75))^2, exp(c(0, 1, -1)))
  peak <- 2 * (1 + sin(pi / 16)) - 2 * (exp(-30 / 16))
  expect_equal(diff(truth(toy)$mean(c(0, 0.25))), peak)
})

test_that("a share tau of the responses lies below the true quantile", {
  set.seed(5)
  toy <- psd_toy("quantile", 2e4)
  expect_true(all(toy$x <= 1 / 3 | toy$x >= 2 / 3))
  for (tau in c(0.25, 0.5, 0.75)) {
    expect_equal(mean(toy$y <= truth(toy)$quantile(toy$x, tau)), tau, tolerance = 0.02)
  }
  expect_equal(truth(toy)$sd(c(0, 1 / 3, 0.5, 1)), c(1 / 3, 0, 0, 1 / 3))
})

test_that("an unknown name and a bad size are errors", {
  expect_snapshot(error = TRUE, {
    psd_toy("spiral")
    psd_toy("hetero", n = 0)
  })
})
