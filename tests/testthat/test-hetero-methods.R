test_that("residuals are observed minus fitted, and Pearson's are divided by the sd", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  expect_equal(residuals(fit), data$y - predict(fit, data))
  expect_equal(residuals(fit, "pearson"), (data$y - predict(fit, data)) / predict(fit, data, "sd"))
  expect_error(residuals(fit, "deviance"), class = "psd_input_error")
})

test_that("the log-likelihood is the weighted sum of log densities, without degrees of freedom", {
  data <- hetero_data()
  w <- rep(1:2, 30)
  fit <- hetero_fit(data, weights = w)
  expected <- sum(w / mean(w) * dnorm(data$y, fitted(fit), predict(fit, type = "sd"), log = TRUE))
  expect_equal(c(logLik(fit)), expected)
  expect_error(AIC(fit), class = "psd_undefined")
  expect_equal(nobs(fit), 60)
})

test_that("simulations have the mean and the variance of the fit", {
  fit <- hetero_fit()
  draws <- simulate(fit, nsim = 2000, seed = 1)
  expect_equal(dim(draws), c(60, 2000))
  expect_equal(names(draws)[1:2], c("sim_1", "sim_2"))
  z <- (as.matrix(draws) - fitted(fit)) / predict(fit, type = "sd")
  expect_lt(max(abs(rowMeans(z))), 5 / sqrt(2000))
  expect_lt(max(abs(rowMeans(z^2) - 1)), 5 * sqrt(2 / 2000))
  expect_gt(stats::ks.test(as.vector(z)[1:5000], "pnorm")$p.value, 1e-4)
})

test_that("simulations at newdata keep missing rows", {
  draws <- simulate(hetero_fit(), newdata = data.frame(x = c(0, NA)), seed = 1)
  expect_identical(is.na(draws$sim_1), c(FALSE, TRUE))
})

test_that("summary holds the scores and the coverage of the training data", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  out <- summary(fit)
  sd <- predict(fit, type = "sd")
  expect_equal(out$nlpd, mean(psd_nlpd(data$y, fitted(fit), sd)))
  expect_equal(out$crps, mean(psd_crps(data$y, fitted(fit), sd)))
  inside <- predict(fit, type = "interval", level = 0.9)
  expect_equal(out$coverage[["90%"]], mean(data$y >= inside[, "lwr"] & data$y <= inside[, "upr"]))
})

test_that("print and summary show the fit and its certificate", {
  fit <- hetero_fit(control = psd_control(tol = 1e-10))
  fit$gap <- 1e-11
  fit$iterations <- 9L
  expect_snapshot({
    print(fit)
    summary(fit)
  })
  capture.output(expect_invisible(print(fit)))
})

test_that("tidy has a row a part, glance one row", {
  fit <- hetero_fit(sigma = list(psd = 0.7, linear = 0.4), lambda = list(linear = 1e-3, psd = 1e-2))
  parts <- tidy(fit)
  expect_equal(parts$part, c("linear", "psd"))
  expect_equal(parts$sigma, c(0.4, 0.7))
  expect_equal(parts$lambda, c(1e-3, 1e-2))
  row <- glance(fit)
  expect_equal(nrow(row), 1)
  expect_true(all(c("n", "rank", "landmarks", "sigma", "lambda", "objective", "gap", "iterations",
                    "status", "converged", "seconds") %in% names(row)))
  expect_equal(row$sigma_psd, 0.7)
  expect_equal(row$lambda_linear, 1e-3)
})

test_that("augment adds predictions, and residuals where the response is known", {
  data <- hetero_data()
  fit <- psd_hetero(log(y + 10) ~ x, data, sigma = 0.5, lambda = 0.003)
  out <- augment(fit, data)
  expect_equal(names(out), c("x", "y", ".fitted", ".sd", ".lower", ".upper", ".resid",
                             ".std.resid"))
  expect_equal(out$.resid, residuals(fit))
  expect_equal(out$.std.resid, residuals(fit, "pearson"))
  expect_equal(augment(fit)$.resid, residuals(fit))
  expect_equal(augment(fit)[["log(y + 10)"]], log(data$y + 10))
  new <- augment(fit, newdata = data["x"], level = 0.5)
  expect_false(".resid" %in% names(new))
  expect_equal(new$.lower, predict(fit, type = "interval", level = 0.5)[, "lwr"])
})

test_that("augment of a fit from vectors names the predictor", {
  x <- hetero_data()$x
  fit <- psd_hetero(x = x, y = hetero_data()$y, sigma = 0.5, lambda = 0.003)
  expect_equal(names(augment(fit, newdata = c(0, 1)))[1:2], c("x", ".fitted"))
  expect_equal(names(augment(fit))[1:3], c("x", "y", ".fitted"))
})

test_that("update refits with a changed argument or formula", {
  data <- hetero_data()
  data$z <- data$x^2
  fit <- psd_hetero(y ~ x, data, sigma = 0.5, lambda = 0.003)
  expect_equal(fitted(update(fit, lambda = 0.1)), fitted(hetero_fit(data, lambda = 0.1)))
  expect_equal(update(fit, . ~ . + z)$recipe$columns, c("x", "z"))
})

test_that("where the precision is zero the verbs still answer", {
  set.seed(9)
  data <- data.frame(x = c(rnorm(15), 50), y = rnorm(16))
  fit <- psd_hetero(y ~ x, data, sigma = 0.5, lambda = 0.1, constant = FALSE)
  fit$functions[[2]]$coefficients[] <- 0
  expect_equal(fitted(fit), rep(mean(data$y), 16))
  expect_equal(residuals(fit, "pearson"), rep(0, 16))
  expect_output(print(summary(fit)), "sd Inf to Inf")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(fit))
  expect_equal(predict(fit, type = "quantile", tau = 0.5), rep(mean(data$y), 16))
})
