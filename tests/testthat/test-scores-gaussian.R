test_that("the NLPD is its formula", {
  y <- c(-1, 0.5, 3)
  z <- (y - 1) / 2
  expect_equal(psd_nlpd(y, 1, 2), log(2 * pi) / 2 + log(2) + z^2 / 2)
})

test_that("the CRPS is the integral that defines it", {
  crps <- function(y, mean, sd) {
    below <- integrate(function(t) pnorm(t, mean, sd)^2, -Inf, y, rel.tol = 1e-10)$value
    above <- integrate(function(t) pnorm(t, mean, sd, lower.tail = FALSE)^2, y, Inf,
                       rel.tol = 1e-10)$value
    below + above
  }
  y <- c(-1, 0.5, 3)
  mean <- c(0, 1, -2)
  sd <- c(1, 0.3, 4)
  expect_equal(psd_crps(y, mean, sd), mapply(crps, y, mean, sd), tolerance = 1e-7)
})

test_that("both scores are proper: the truth has the best expected score", {
  set.seed(1)
  y <- rnorm(1e4, 2, 3)
  for (score in list(psd_nlpd, psd_crps)) {
    truth <- mean(score(y, 2, 3))
    for (other in list(c(2, 2.5), c(2, 3.6), c(1.5, 3), c(2.5, 3))) {
      expect_gt(mean(score(y, other[1], other[2])), truth)
    }
  }
})

test_that("the CRPS of a point is the absolute error, of no knowledge infinite", {
  expect_equal(psd_crps(c(1, 4), 2, 0), c(1, 2))
  expect_equal(psd_crps(2, 2, 0), 0)
  expect_equal(psd_crps(1, 0, Inf), Inf)
  expect_equal(psd_nlpd(1, 0, Inf), Inf)
})

test_that("missing values stay missing", {
  expect_equal(is.na(psd_crps(c(1, NA), 0, 1)), c(FALSE, TRUE))
  expect_equal(is.na(psd_nlpd(1:2, c(0, NA), 1)), c(FALSE, TRUE))
})

test_that("bad input is an error that names the argument", {
  expect_snapshot(error = TRUE, {
    psd_nlpd("a", 0, 1)
    psd_crps(1:3, 1:2, 1)
    psd_crps(1:3, 0, -1)
    psd_nlpd(1:3, 0, matrix(1, 3, 2))
  })
})
