test_that("under a lower bound no quantile is below it, near the data or far from them", {
  data <- na.omit(airquality[c("Ozone", "Temp")])
  fit <- psd_quantreg(Ozone ~ Temp, data, tau = c(0.05, 0.5, 0.95), sigma = 0.5, lambda = 1e-3,
                      lower = 0)
  at <- seq(-100, 300, 0.5)
  q <- suppressWarnings(predict(fit, at), classes = "psd_extrapolation")
  expect_gte(min(q), 0)
  expect_true(all(q[, 1] <= q[, 2] & q[, 2] <= q[, 3]))
  free <- update(fit, lower = NULL, parametric = TRUE)
  outside <- suppressWarnings(predict(free, at), classes = "psd_extrapolation")
  expect_false(all(outside >= 0))
  expect_output(print(fit), "all at least 0")
  expect_equal(summary(fit)$levels$coverage, c(0.05, 0.5, 0.95), tolerance = 0.1)
})

test_that("an upper bound is a lower bound of minus the response", {
  data <- simulated_quantiles(60)
  data$y <- data$y - min(data$y)
  lower <- psd_quantreg(y ~ x, data, tau = c(0.1, 0.4, 0.8), sigma = 0.7, lambda = 0.01, lower = 0,
                        control = psd_control(tol = 1e-9))
  upper <- psd_quantreg(-y ~ x, data, tau = 1 - c(0.1, 0.4, 0.8), sigma = 0.7, lambda = 0.01,
                        upper = 0, control = psd_control(tol = 1e-9))
  expect_equal(unname(predict(upper)), -unname(predict(lower)), tolerance = 1e-6)
  expect_lte(max(predict(upper)), 0)
})

test_that("one level under a bound is the regression in the cone with the pinball loss", {
  data <- simulated_quantiles(50)
  data$y <- data$y - min(data$y) + 0.2
  raw <- psd_quantreg(x = data$x, y = data$y, tau = 0.3, sigma = 0.7, lambda = 0.01, lower = 0,
                      standardize = FALSE, control = psd_control(tol = 1e-9))
  own <- psd_regression(x = data$x, y = data$y, loss = psd_loss("pinball", tau = 0.3), sigma = 0.7,
                        lambda = 0.01, standardize = FALSE, control = psd_control(tol = 1e-9))
  expect_equal(raw$objective, own$objective, tolerance = 1e-7)
})

test_that("mistakes in bounds are named", {
  expect_snapshot(error = TRUE, {
    psd_quantreg(dist ~ speed, cars, lower = 0, upper = 200)
    psd_quantreg(dist ~ speed, cars, lower = 5)
    psd_quantreg(dist ~ speed, cars, lower = 0, model = "ncm")
    psd_quantreg(dist ~ speed, cars, upper = "a")
  })
})
