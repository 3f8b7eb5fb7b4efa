test_that("predictions are the natural parameters mapped back to the units of the data", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  at <- seq(-1.5, 2.5, length.out = 7)
  z <- (at - fit$units$x$center) / fit$units$x$scale
  value <- function(f) {
    width <- f$anchors$width[, 1]
    sections <- exp(-outer(z, f$anchors$at[, 1], `-`)^2 / rep(2 * width^2, each = length(z)))
    inner <- sections %*% f$coefficients
    if (f$type == "psd") rowSums(inner^2) else inner[, 1]
  }
  eta <- value(fit$functions[[1]])
  theta <- value(fit$functions[[2]])
  scale <- fit$units$y$scale
  new <- data.frame(x = at)
  expect_equal(predict(fit, new), mean(data$y) + scale * eta / theta)
  expect_equal(predict(fit, new, "variance"), scale^2 / theta)
  expect_equal(predict(fit, new, "sd"), scale / sqrt(theta))
  natural <- predict(fit, new, "natural")
  expect_equal(natural[, "eta"] / natural[, "theta"], predict(fit, new))
  expect_equal(1 / natural[, "theta"], predict(fit, new, "variance"))
})

test_that("intervals, quantiles and densities are those of one normal distribution", {
  fit <- hetero_fit()
  new <- data.frame(x = c(-1, 0, 2))
  mean <- predict(fit, new)
  sd <- predict(fit, new, "sd")
  interval <- predict(fit, new, "interval", level = 0.8)
  expect_equal(colnames(interval), c("fit", "lwr", "upr"))
  quantiles <- predict(fit, new, "quantile", tau = c(0.1, 0.5, 0.9, 0.975))
  expect_equal(colnames(quantiles), c("10%", "50%", "90%", "97.5%"))
  expect_equal(unname(quantiles[, 1:3]), unname(interval[, c("lwr", "fit", "upr")]))
  expect_equal(predict(fit, new, "quantile", tau = 0.9), qnorm(0.9, mean, sd))
  for (i in 1:3) {
    density <- function(y) predict(fit, new[rep(i, length(y)), , drop = FALSE], "density", y = y)
    total <- integrate(density, interval[i, "lwr"], interval[i, "upr"], rel.tol = 1e-8)
    expect_equal(total$value, 0.8, tolerance = 1e-6)
  }
  expect_equal(predict(fit, new, "density", y = 4), dnorm(4, mean, sd))
})

test_that("without newdata the training data are predicted", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  expect_equal(predict(fit, type = "sd"), predict(fit, data, type = "sd"))
})

test_that("the variance is finite and positive at a million points near and far", {
  fit <- hetero_fit()
  set.seed(3)
  x <- c(runif(4e5, -4, 5), rnorm(3e5, 0, 1e3),
         10^runif(3e5, 0, 300) * sample(c(-1, 1), 3e5, replace = TRUE))
  variance <- quietly(predict(fit, data.frame(x = x), "variance"))
  expect_true(all(is.finite(variance) & variance > 0))
  expect_true(all(is.finite(quietly(predict(fit, data.frame(x = x))))))
})

test_that("far outside, mean and sd tend to the same constants, the mean to that of the data", {
  fit <- hetero_fit()
  expect_equal(quietly(predict(fit, data.frame(x = 1e3))), mean(hetero_data()$y))
  far <- data.frame(x = c(-1e3, 1e3, 1e100, 1e308))
  for (type in c("mean", "sd")) {
    value <- quietly(predict(fit, far, type))
    expect_true(all(is.finite(value)))
    expect_equal(value, rep(value[1], 4))
  }
})

test_that("in the paper's model the variance is infinite and the interval the line far outside", {
  fit <- hetero_fit(constant = FALSE)
  far <- data.frame(x = c(-1e3, 1e6))
  expect_equal(quietly(predict(fit, far, "variance")), c(Inf, Inf))
  center <- mean(hetero_data()$y)
  expect_equal(unname(quietly(predict(fit, far, "interval"))), cbind(center, c(-Inf, -Inf), Inf),
               ignore_attr = TRUE)
  expect_equal(quietly(predict(fit, far, "density", y = 1)), c(0, 0))
  expect_equal(quietly(predict(fit, far)), c(center, center))
  expect_equal(unname(quietly(predict(fit, far, "natural"))), matrix(0, 2, 2))
  expect_equal(unname(quietly(predict(fit, far, "quantile", tau = c(0.1, 0.5, 0.9)))),
               matrix(c(-Inf, center, Inf), 2, 3, byrow = TRUE))
})

test_that("a missing predictor gives a missing prediction", {
  fit <- hetero_fit()
  new <- data.frame(x = c(0, NA, 1))
  expect_identical(is.na(predict(fit, new)), c(FALSE, TRUE, FALSE))
  expect_identical(is.na(predict(fit, new, "interval")[, "lwr"]), c(FALSE, TRUE, FALSE))
  expect_identical(is.na(predict(fit, new, "density", y = 3)), c(FALSE, TRUE, FALSE))
  expect_false(any(is.nan(predict(fit, new, "sd"))))
})

test_that("no row and one row are predicted like many", {
  fit <- hetero_fit()
  new <- data.frame(x = c(0, 1, 2))
  expect_equal(predict(fit, new[2, , drop = FALSE]), predict(fit, new)[2])
  expect_equal(predict(fit, new[0, , drop = FALSE], "sd"), numeric())
  expect_equal(dim(predict(fit, new[0, , drop = FALSE], "interval")), c(0, 3))
})

test_that("a fit survives serialisation, and does not carry its surroundings along", {
  build <- function() {
    ballast <- rnorm(1e5)
    data <- hetero_data()
    psd_hetero(y ~ x, data, sigma = 0.5, lambda = 0.003)
  }
  fit <- build()
  bytes <- serialize(fit, NULL)
  expect_lt(length(bytes), 1e5)
  expect_identical(predict(unserialize(bytes), data.frame(x = 1)), predict(fit, data.frame(x = 1)))
})

test_that("bad requests are errors that say what is wrong", {
  fit <- hetero_fit()
  expect_snapshot(error = TRUE, {
    predict(fit, data.frame(z = 1))
    predict(fit, letters[1:3])
    predict(fit, type = "median")
    predict(fit, type = "interval", level = 95)
    predict(fit, type = "quantile", tau = c(0.1, 1))
    predict(fit, type = "density")
    predict(fit, type = "density", y = 1:3)
  })
})

test_that("an argument that a type does not take is refused, not ignored", {
  fit <- hetero_fit()
  refuses <- function(expr, message) expect_error(expr, message, class = "psd_error", fixed = TRUE)
  refuses(predict(fit, level = 0.9), "`level` must come with `type` \"interval\", not \"mean\"")
  refuses(predict(fit, tau = 0.9), "`tau` must come with `type` \"quantile\", not \"mean\"")
  refuses(predict(fit, type = "interval", tau = 0.9), "`tau` must come with `type` \"quantile\"")
  refuses(predict(fit, y = 1), "`y` must come with `type` \"density\"")
  expect_identical(predict(fit, y = NULL), predict(fit))
})
