test_that("residuals are the response minus the fitted quantiles", {
  data <- simulated_quantiles()
  fit <- quick_quantreg(data = data)
  expect_equal(residuals(fit), data$y - predict(fit, data))
})

test_that("summary has the pinball loss and the coverage of each level, weighted", {
  data <- transform(simulated_quantiles(), w = rep(1:4, 30))
  fit <- quick_quantreg(data = data, weights = w)
  levels <- summary(fit)$levels
  expect_identical(levels$tau, c(0.1, 0.5, 0.9))
  r <- residuals(fit)[, 3]
  expect_equal(levels$pinball[3], weighted.mean(ifelse(r > 0, 0.9 * r, -0.1 * r), data$w))
  expect_equal(levels$coverage[3], weighted.mean(r <= 0, data$w))
  expect_output(print(summary(fit)), "tau pinball coverage")
  expect_output(print(fit), "within .* of the global optimum")
})

test_that("update() refits with what has changed", {
  data <- transform(simulated_quantiles(), z = rev(x))
  fit <- psd_quantreg(y ~ x, data, sigma = 1, lambda = 0.01)
  expect_identical(update(fit, tau = 0.5)$levels, 0.5)
  expect_identical(update(fit, . ~ . + z)$recipe$columns, c("x", "z"))
})

test_that("the tidiers are data frames of the promised shape", {
  data <- simulated_quantiles()
  fit <- quick_quantreg(data = data, tau = c(0.9, 0.1, 0.5))
  terms <- tidy(fit)
  expect_identical(terms$term, c("q0.5", "q0.5 - q0.1", "q0.9 - q0.5"))
  expect_identical(terms$type, c("linear", "psd", "psd"))
  expect_identical(nrow(tidy(quick_quantreg(tau = 0.5))), 1L)
  expect_identical(nrow(glance(fit)), 1L)
  long <- augment(fit, data)
  expect_identical(names(long), c("x", "y", ".tau", ".fitted", ".resid"))
  expect_identical(long$.fitted[long$.tau == 0.1], unname(predict(fit, data, tau = 0.1)[, 1]))
  expect_equal(long$.resid, long$y - long$.fitted)
  expect_equal(augment(fit), long)
  expect_named(augment(fit, data["x"]), c("x", ".tau", ".fitted"))
  logged <- psd_quantreg(log(y + 9) ~ x, data, sigma = 0.6, lambda = 0.01)
  expect_equal(augment(logged, data)$.resid, as.vector(residuals(logged)))
})

test_that("glance() has the parameters of each part, and those of the gaps as sigma and lambda", {
  fit <- psd_quantreg(dist ~ speed, cars, sigma = list(linear = 2, psd = 1),
                      lambda = list(linear = 1e-3, psd = 1e-2))
  row <- glance(fit)
  expect_identical(c(row$sigma_linear, row$sigma_psd, row$lambda_linear, row$lambda_psd),
                   c(2, 1, 1e-3, 1e-2))
  expect_identical(c(row$sigma, row$lambda), c(1, 1e-2))
})
