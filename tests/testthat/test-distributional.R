skip_if_not_installed("distributional")
fit <- density_1d()
joint <- density_2d()
cdf <- distributional::cdf

test_that("a heteroscedastic fit is a vector of normal distributions", {
  hetero <- hetero_fit()
  at <- data.frame(x = c(-1, 0, 2))
  out <- predict(hetero, at, type = "distribution")
  expect_s3_class(out, "distribution")
  expect_equal(mean(out), predict(hetero, at))
  expect_equal(quantile(out, 0.9), predict(hetero, at, type = "quantile", tau = 0.9))
  expect_equal(distributional::variance(out), predict(hetero, at, type = "variance"))
})

test_that("a density is a distribution with exact methods", {
  out <- predict(fit, type = "distribution")
  expect_length(out, 1)
  x <- c(2, 3, 4.5)
  expect_equal(density(out, x)[[1]], predict(fit, x))
  expect_equal(density(out, x, log = TRUE)[[1]], predict(fit, x, type = "log"))
  expect_equal(cdf(out, x)[[1]], predict(fit, x, type = "cdf"))
  expect_equal(quantile(out, c(0.1, 0.9))[[1]], quantile(fit, c(0.1, 0.9), names = FALSE))
  expect_equal(mean(out), mean(fit))
  expect_equal(median(out), median(fit))
  expect_equal(distributional::variance(out), psd_moments(fit)$covariance[[1]])
  expect_equal(distributional::covariance(out), psd_moments(fit)$covariance[[1]])
  set.seed(1)
  draws <- generics::generate(out, 1000)[[1]]
  set.seed(1)
  expect_identical(draws, simulate(fit, 1000), ignore_attr = TRUE)
  region <- distributional::hdr(out, 80)
  expect_equal(unlist(unclass(region)$lower), psd_hdr(fit, 0.8)$lower)
  expect_identical(format(out), "psd(x)")
})

test_that("the support is that of the density", {
  support <- distributional::support(dist_psd(density_bounded()))
  expect_equal(unclass(support)$lim[[1]], c(0, Inf), tolerance = 1e-10)
  open <- distributional::support(dist_psd(fit))
  expect_equal(unclass(open)$lim[[1]], c(-Inf, Inf))
})

test_that("newdata condition, one distribution a row", {
  out <- predict(joint, data.frame(eruptions = c(2, 4.5)), type = "distribution")
  given <- psd_conditional(joint, c(eruptions = 4.5))
  expect_equal(mean(out)[2], mean(given))
  expect_equal(cdf(out, 80)[2], psd_prob(given, upper = 80))
  expect_identical(format(out)[1], "psd(waiting | eruptions = 2)")
  expect_warning(predict(joint, data.frame(eruptions = c(1, 2, 9)), type = "distribution"),
                 "2 rows of `newdata`", class = "psd_extrapolation")
  expect_error(predict(joint, faithful, type = "distribution"), "but not all",
               class = "psd_input_error")
  expect_error(predict(joint, 1:3, type = "distribution"), class = "psd_input_error")
})

test_that("densities of several variables have what does not need an order", {
  out <- dist_psd(joint)
  point <- cbind(4, 80)
  expect_equal(as.vector(unlist(density(out, point))), predict(joint, point))
  expect_equal(as.vector(unlist(cdf(out, point))), predict(joint, point, type = "cdf"))
  expect_equal(as.vector(mean(out)), unname(mean(joint)))
  expect_equal(distributional::covariance(out)[[1]], psd_moments(joint)$covariance,
               ignore_attr = TRUE)
  expect_equal(distributional::variance(out), rbind(diag(psd_moments(joint)$covariance)),
               ignore_attr = "dimnames")
  expect_identical(dim(generics::generate(out, 5)[[1]]), c(5L, 2L))
  expect_error(quantile(out, 0.5), class = "psd_input_error")
})

test_that("what has no distribution is refused", {
  negative <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1, model = "pnm")
  expect_error(dist_psd(negative), class = "psd_input_error")
  expect_error(dist_psd(faithful), class = "psd_input_error")
})

test_that("a quantile fit is a piecewise distribution that agrees with its cdf", {
  quantreg <- quick_quantreg()
  at <- data.frame(x = c(0.2, 0.7))
  out <- predict(quantreg, at, type = "distribution")
  for (tau in c(0.1, 0.3, 0.9)) {
    q <- as.vector(predict(quantreg, at, tau = tau))
    expect_equal(quantile(out, tau), q)
    expect_equal(c(cdf(out[1], q[1]), cdf(out[2], q[2])),
                 predict(quantreg, at, type = "cdf", y = q))
  }
  draws <- generics::generate(out, 20000)
  expect_equal(vapply(draws, mean, 0), mean(out), tolerance = 0.05)
  expect_equal(vapply(draws, var, 0), distributional::variance(out), tolerance = 0.05)
  area <- integrate(function(y) density(out[1], y)[[1]], -10, 10, rel.tol = 1e-7)
  expect_equal(area$value, 1, tolerance = 1e-5)
})

test_that("a quantile fit with a bound has it as the end of its support", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-2,
                      lower = 0)
  out <- predict(fit, data.frame(speed = c(5, 20)), type = "distribution")
  expect_equal(unclass(distributional::support(out))$lim[[1]], c(0, Inf))
  expect_identical(cdf(out, -1), c(0, 0))
  expect_identical(unlist(density(out, -1)), c(0, 0))
  expect_gte(min(unlist(generics::generate(out, 1000))), 0)
})

test_that("ggdist draws them", {
  skip_if_not_installed("ggdist")
  frame <- data.frame(at = c("a", "b"))
  frame$given <- predict(joint, data.frame(eruptions = c(2, 4.5)), type = "distribution")
  plot <- ggplot2::ggplot(frame, ggplot2::aes(xdist = given, y = at)) + ggdist::stat_halfeye()
  drawn <- ggplot2::layer_data(plot)
  middle <- drawn[!is.na(drawn$.width) & drawn$datatype == "interval", ]
  expect_setequal(round(unique(middle$x), 4), round(median(frame$given), 4))
})

test_that("distributions are shown by their columns or the ends of their quantiles", {
  expect_identical(format(dist_psd(joint)), "psd(eruptions, waiting)")
  expect_identical(dim.dist_psd(list(fit = joint)), 2L)
  expect_error(distributional::hdr(dist_psd(joint), 80), "have no ends", class = "psd_undefined")
  quantreg <- quick_quantreg()
  at <- data.frame(x = c(0.2, 0.7))
  out <- predict(quantreg, at, type = "distribution")
  ends <- signif(predict(quantreg, at)[, c(1, 3)], 2)
  expect_identical(format(out), sprintf("quantiles[3](%s..%s)", ends[, 1], ends[, 2]))
  expect_equal(distributional::covariance(out), distributional::variance(out))
  expect_identical(dim.dist_psd_quantiles(list()), 1L)
})
