faithful_fit <- function() psd_density(faithful, sigma = 0.6, lambda = 1e-2)

test_that("bounds are matched by name, whatever their order", {
  fit <- faithful_fit()
  in_order <- psd_prob(fit, lower = c(3, 70))
  expect_identical(psd_prob(fit, lower = c(waiting = 70, eruptions = 3)), in_order)
  expect_gt(in_order, 0.5)
  box <- data.frame(waiting = 70, eruptions = 3)
  expect_identical(psd_prob(fit, lower = box), in_order)
  expect_identical(psd_prob(fit, lower = as.matrix(box)), in_order)
})

test_that("a single named bound is for its column, one without a name for all", {
  fit <- faithful_fit()
  marginal <- psd_marginal(fit, "waiting")
  expect_equal(psd_prob(fit, upper = c(waiting = 60)), psd_prob(marginal, upper = 60),
               tolerance = 1e-8)
  expect_identical(psd_prob(fit, upper = 60), psd_prob(fit, upper = c(60, 60)))
  two <- psd_prob(fit, upper = cbind(waiting = c(60, 80)))
  expect_equal(two[1], psd_prob(fit, upper = c(waiting = 60)))
  # of a single variable the name of a bound says nothing
  expect_equal(psd_prob(marginal, upper = quantile(marginal, 0.3)), 0.3, tolerance = 1e-6)
})

test_that("counts, supports, windows, constraints and base measures match by name too", {
  window <- list(lower = c(waiting = 40, eruptions = 1), upper = c(eruptions = 6, waiting = 100))
  intensity <- psd_intensity(faithful, window$lower, window$upper, sigma = 0.7, lambda = 1e-2)
  expect_identical(intensity$window$lower, c(1, 40))
  expect_identical(psd_count(intensity, upper = c(waiting = 60, eruptions = 3)),
                   psd_count(intensity, upper = c(3, 60)))
  bounded <- psd_density(faithful, sigma = 0.6, lambda = 1e-2, lower = c(waiting = 40))
  expect_identical(predict(bounded, cbind(eruptions = 2, waiting = 39)), 0)
  expect_gt(psd_prob(bounded, upper = c(eruptions = 1.6)), 0)
  held <- psd_constraint("probability", 0.5, upper = c(waiting = 70))
  expect_identical(format(held), "P(waiting in [-Inf, 70]) == 0.5")
  constrained <- psd_density(faithful, sigma = 0.6, lambda = 1e-2, constraints = held)
  expect_equal(psd_prob(constrained, upper = c(waiting = 70)), 0.5, tolerance = 1e-5)
  gaussian <- function(mean) {
    psd_density(faithful, sigma = 0.6, lambda = 1e-2, base = psd_gaussian(mean, c(5, 50)))
  }
  at <- as.matrix(faithful[1:3, ])
  expect_identical(predict(gaussian(c(waiting = 70, eruptions = 3)), at),
                   predict(gaussian(c(3, 70)), at))
})

test_that("names that are not columns, and bounds that cannot be placed, are errors", {
  fit <- faithful_fit()
  expect_snapshot(error = TRUE, {
    psd_prob(fit, lower = c(wait = 70))
    psd_prob(fit, lower = setNames(c(70, 60), c("waiting", "waiting")))
    psd_prob(fit, upper = cbind(a = 1, b = 2))
    psd_density(faithful, lower = c(0, 1, 2))
    psd_density(faithful, base = psd_gaussian(c(waiting = 1)))
    psd_constraint("probability", 0.5, lower = c(a = 2), upper = c(a = 1))
  })
})
