masked <- function(lines) {
  lines <- gsub("after [0-9]+ iterations", "after <n> iterations", lines)
  gsub("within [0-9.e-]+ of", "within <gap> of", lines)
}
two_outputs <- function() {
  psd_regression(cbind(y, count) ~ x, wave(), sigma = 0.5, lambda = 1e-2)
}

test_that("print and summary say what was fitted", {
  expect_snapshot(transform = masked, {
    psd_regression(y ~ x, wave(), sigma = 0.5, lambda = 1e-2, loss = "huber")
    summary(two_outputs())
    psd_regression(y ~ x, wave(), sigma = 0.5, lambda = 1e-2, cone = "ordered",
                   constraints = psd_integral(0.5, lower = 0, upper = 1))
  })
})

test_that("gradients match finite differences", {
  set.seed(4)
  data <- data.frame(a = runif(60), b = 10 * runif(60))
  data$y1 <- data$a + data$b
  data$y2 <- data$a * data$b
  fit <- psd_regression(cbind(y1, y2) ~ a + b, data, cone = psd_cone(generators = cbind(1:2, 2:1)),
                        sigma = 1, lambda = 1e-3)
  at <- data[1:5, ]
  slopes <- predict(fit, at, type = "gradient")
  expect_identical(dim(slopes), c(5L, 2L, 2L))
  h <- 1e-5
  for (column in c("a", "b")) {
    up <- down <- at
    up[[column]] <- up[[column]] + h
    down[[column]] <- down[[column]] - h
    expect_equal(slopes[, column, ], (predict(fit, up) - predict(fit, down)) / (2 * h),
                 tolerance = 1e-6)
  }
  single <- psd_regression(y1 ~ a + b, data, sigma = 1, lambda = 1e-3)
  expect_identical(colnames(predict(single, at, type = "gradient")), c("a", "b"))
})

test_that("fitted values and residuals belong to the response", {
  fit <- two_outputs()
  data <- wave()
  expect_identical(predict(fit), fitted(fit))
  expect_equal(fitted(fit) + residuals(fit), cbind(y = data$y, count = data$count))
  expect_identical(nobs(fit), 80L)
})

test_that("a missing predictor gives a missing prediction", {
  fit <- two_outputs()
  out <- predict(fit, data.frame(x = c(0.2, NA)))
  expect_identical(is.na(out[, 1]), c(FALSE, TRUE))
  expect_true(all(is.na(predict(fit, data.frame(x = NA_real_), type = "gradient"))))
})

test_that("the tidiers give data frames", {
  fit <- two_outputs()
  expect_identical(tidy(fit)$output, c("y", "count"))
  expect_identical(nrow(glance(fit)), 1L)
  expect_named(augment(fit), c("x", "y", "count", ".fitted.y", ".fitted.count", ".resid.y",
                               ".resid.count"))
  new <- augment(fit, data.frame(x = c(0.1, 0.2)))
  expect_identical(new$.fitted.y, predict(fit, data.frame(x = c(0.1, 0.2)))[, "y"])
})

test_that("the mean loss is the data term of the objective", {
  fit <- psd_regression(y ~ x, wave(), sigma = 0.5, lambda = 1e-2, standardize = FALSE,
                        constant = FALSE, control = psd_control(tol = 1e-9))
  data <- wave()
  expect_equal(tidy(fit)$mean_loss, mean((data$y - fitted(fit))^2) / 2)
  expect_lt(tidy(fit)$mean_loss, fit$objective)
})

test_that("update() refits, and a fit survives serialisation", {
  data <- wave()
  fit <- psd_regression(y ~ x, data, sigma = 0.5, lambda = 1e-2)
  expect_identical(update(fit, lambda = 0.1)$parameters$lambda, 0.1)
  copy <- unserialize(serialize(fit, NULL))
  expect_identical(predict(copy, data), predict(fit, data))
})

test_that("print and augment() have the variables of the formula, not the columns of factors", {
  fit <- psd_regression(sqrt(count) ~ spray, InsectSprays, sigma = 2, lambda = 1e-2)
  expect_output(print(fit), "sqrt(count) by spray (72", fixed = TRUE)
  out <- augment(fit)
  expect_named(out, c("spray", "sqrt(count)", ".fitted", ".resid"))
  expect_identical(out$spray, InsectSprays$spray)
  hetero <- psd_hetero(mpg ~ factor(cyl) + log(hp), mtcars, sigma = 2, lambda = 1e-2)
  expect_output(print(hetero), "mpg given factor(cyl), log(hp) (32", fixed = TRUE)
  expect_equal(augment(hetero)[c("cyl", "hp", "mpg")], mtcars[c("cyl", "hp", "mpg")],
               ignore_attr = "row.names")
})

test_that("gradients in units far apart are numbers, or refused", {
  x <- 1e-193 * c(0.3, 0.9, 1.4, 2.2, 2.9, 3.1, 3.8, 4.4)
  y <- 1e124 * c(1, 3, 2, 5, 4, 6, 8, 7)
  zero <- psd_regression(x = x, y = y, sigma = 1, lambda = 1e6, constant = FALSE)
  expect_identical(max(abs(fitted(zero))), 0)
  expect_identical(as.vector(predict(zero, type = "gradient")), numeric(8))
  fit <- psd_regression(x = x, y = y, sigma = 1, lambda = 1e-3)
  expect_error(predict(fit, type = "gradient"), "too large", class = "psd_error")
})
