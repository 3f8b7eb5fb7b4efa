test_that("a marginal is the integral of the joint density", {
  fit <- density_2d()
  marginal <- psd_marginal(fit, "eruptions")
  y <- quadrature(0, 150, 12)
  for (x in c(1.8, 3, 4.5)) {
    joint <- predict(fit, cbind(x, y$x))
    expect_equal(predict(marginal, x), sum(y$w * joint), tolerance = 1e-6)
  }
})

test_that("a conditional is the joint density over the marginal", {
  fit <- density_2d()
  given <- psd_conditional(fit, c(waiting = 62))
  x <- c(1.8, 3, 4.5)
  q <- quadrature(-2, 9, 12)
  total <- sum(q$w * predict(fit, cbind(q$x, 62)))
  expect_equal(predict(given, x), predict(fit, cbind(x, 62)) / total, tolerance = 1e-7)
  expect_equal(sum(q$w * predict(given, q$x)), 1, tolerance = 1e-7)
})

test_that("marginals and conditionals keep a base measure and a support", {
  set.seed(1)
  x <- cbind(a = rexp(80), b = rnorm(80))
  fit <- psd_density(x, sigma = 1, lambda = 1e-2, lower = c(0, -Inf),
                     base = psd_gaussian(0, c(4, 2)))
  a <- quadrature(0, 12, 10)
  b <- quadrature(-8, 8, 10)
  expect_equal(predict(psd_marginal(fit, "b"), 0.3), sum(a$w * predict(fit, cbind(a$x, 0.3))),
               tolerance = 1e-6)
  given <- psd_conditional(fit, c(b = 0.3))
  expect_equal(sum(a$w * predict(given, a$x)), 1, tolerance = 1e-7)
  expect_identical(predict(given, -0.1), 0)
  expect_equal(predict(psd_marginal(fit, 1), 1), sum(b$w * predict(fit, cbind(1, b$x))),
               tolerance = 1e-6)
})

test_that("marginal and conditional commute, and all columns are the density itself", {
  fit <- density_3d()
  x <- cbind(0.2, -0.4)
  one <- psd_conditional(psd_marginal(fit, c("a", "c")), c(c = 0.5))
  other <- psd_marginal(psd_conditional(fit, list(c = 0.5)), "a")
  expect_equal(predict(one, c(-1, 0, 1)), predict(other, c(-1, 0, 1)), tolerance = 1e-6)
  swapped <- psd_marginal(fit, c("c", "b", "a"))
  expect_equal(predict(swapped, cbind(1, 2, 0)), predict(fit, cbind(0, 2, 1)), tolerance = 1e-10)
})

test_that("a conditional far from the data is still a density", {
  fit <- density_2d()
  expect_warning(given <- psd_conditional(fit, c(waiting = 2000)), "given.*outside",
                 class = "psd_extrapolation")
  expect_equal(psd_prob(given), 1, tolerance = 1e-8)
  q <- quantile(given, c(0.01, 0.99), names = FALSE)
  expect_equal(integrate(as.function(given), q[1], q[2])$value, 0.98, tolerance = 1e-6)
})

test_that("every verb works on a derived density", {
  fit <- density_2d()
  for (derived in list(psd_marginal(fit, "waiting"), psd_conditional(fit, c(eruptions = 2)))) {
    expect_s3_class(derived, "psd_density")
    expect_identical(names(psd_moments(derived)$mean), "waiting")
    expect_length(simulate(derived, 3), 3)
    expect_identical(glance(derived)$gap, fit$gap)
    expect_identical(tidy(derived)$column, "waiting")
    expect_output(print(summary(derived)), "derived")
    expect_length(predict(derived, data.frame(waiting = 50:52), type = "cdf"), 3)
    expect_identical(as.numeric(logLik(derived)), NA_real_)
  }
  expect_length(fitted(psd_marginal(fit, "waiting")), 272)
})

test_that("mistakes in marginals and conditionals are named", {
  fit <- density_2d()
  bounded <- psd_density(faithful, sigma = 0.6, lambda = 1e-2, lower = 0)
  expect_snapshot(error = TRUE, {
    psd_marginal(fit, "depth")
    psd_marginal(fit, 3)
    psd_marginal(fit, c(1, 1))
    psd_marginal(faithful, 1)
    psd_conditional(fit, 3)
    psd_conditional(fit, c(depth = 3))
    psd_conditional(fit, c(waiting = NA_real_))
    psd_conditional(fit, c(eruptions = 3, waiting = 70))
    psd_conditional(bounded, c(waiting = -1))
    fitted(psd_conditional(fit, c(waiting = 70)))
  })
})

test_that("each of the values given must be a finite number", {
  fit <- density_3d()
  for (given in list(c(a = 0, b = Inf), c(a = -Inf, b = 0), c(a = NA, b = 0), c(0, 1))) {
    expect_error(psd_conditional(fit, given), "`given`", class = "psd_input_error")
  }
})

test_that("a conditional is refused where a density with negative parts has no mass", {
  fit <- psd_density(cbind(a = c(0, 1, 2), b = c(0, 1, 3)), sigma = 1, lambda = 0.1, model = "pnm",
                     standardize = FALSE)
  expect_s3_class(psd_conditional(fit, c(b = 1)), "psd_density")
  # Negative around b = 3 only.
  at <- fit$functions[[1]]$anchors$at[, 2]
  fit$functions[[1]]$coefficients[at == 3, ] <- -1
  expect_error(psd_conditional(fit, c(b = 3)), "must be positive at `given`",
               class = "psd_input_error")
})
