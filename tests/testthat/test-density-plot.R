test_that("the regions of highest density have their probabilities", {
  fit <- density_2d()
  surface <- density_surface(fit, c(0.5, 0.9), 101)
  expect_gt(surface$levels[1], surface$levels[2])
  draws <- simulate(fit, 2e4, seed = 1)
  inside <- vapply(surface$levels, function(level) mean(predict(fit, draws) >= level), 0)
  expect_equal(inside, c(0.5, 0.9), tolerance = 0.02)
})

test_that("the grid of a curve covers the data and stays in the support", {
  fit <- density_bounded()
  curve <- density_curve(fit, 100)
  expect_identical(min(curve$x), 0)
  expect_gt(max(curve$x), fit$range[2])
  expect_identical(curve$density, predict(fit, curve$x))
})

test_that("base plots draw in every dimension and leave the settings alone", {
  grDevices::pdf(NULL)
  before <- graphics::par("mfrow")
  on.exit(grDevices::dev.off())
  expect_invisible(plot(density_1d(), histogram = TRUE, truth = function(x) dnorm(x, 3, 1)))
  expect_s3_class(plot(density_2d(), main = "title"), "psd_density")
  expect_s3_class(plot(density_3d(), n = 21), "psd_density")
  expect_s3_class(plot(density_3d(), columns = c("a", "c"), n = 21), "psd_density")
  expect_s3_class(plot(psd_conditional(density_2d(), c(waiting = 60))), "psd_density")
  formula <- psd_density(~ log(eruptions) + waiting, faithful, sigma = 0.6, lambda = 1e-2)
  expect_s3_class(plot(formula, n = 21), "psd_density")
  expect_s3_class(plot(psd_marginal(formula, 1)), "psd_density")
  expect_identical(graphics::par("mfrow"), before)
})

test_that("ggplots build in every dimension, with their data", {
  one <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
  two <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
  layers <- function(plot) vapply(plot$layers, function(layer) class(layer$geom)[1], "")
  expect_setequal(layers(autoplot(one)), c("GeomRug", "GeomLine"))
  expect_setequal(layers(autoplot(one, histogram = TRUE, truth = dnorm)),
                  c("GeomBar", "GeomLine", "GeomRug", "GeomLine"))
  expect_setequal(layers(autoplot(two)), c("GeomContourFilled", "GeomPoint"))
  expect_setequal(layers(autoplot(two, points = FALSE)), "GeomContourFilled")
  for (plot in list(autoplot(one, histogram = TRUE, truth = dnorm), autoplot(two),
                    autoplot(density_3d(), n = 21))) {
    expect_no_error(ggplot2::ggplot_build(plot))
  }
})

test_that("mistakes in plots are named", {
  expect_snapshot(error = TRUE, {
    plot(density_1d(), probs = 2)
    autoplot(density_2d(), columns = "depth")
    plot(density_1d(), n = 1)
  })
})

test_that("a density too narrow for the grid is said to be, and the picture is still drawn", {
  set.seed(8)
  data <- data.frame(a = c(rnorm(30), 1e12), b = rnorm(31))
  fit <- psd_density(data, sigma = 0.7, lambda = 0.5)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_warning(plot(fit), "too narrow for a grid of 101 by 101", class = "psd_unresolved")
  expect_warning(picture <- ggplot2::autoplot(fit), class = "psd_unresolved")
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
  data$c <- rnorm(31)
  fit <- psd_density(data, sigma = 0.7, lambda = 0.5)
  expect_s3_class(ggplot2::ggplot_build(suppressWarnings(ggplot2::autoplot(fit))), "ggplot_built")
})

test_that("a fit made inside a function shows its data, also with many rows", {
  fits <- lapply(split(iris$Sepal.Length, iris$Species), psd_density, sigma = 0.5, lambda = 0.01)
  expect_identical(drawn_rug(record_drawing(plot(fits$virginica))), iris$Sepal.Length[101:150])
  expect_identical(fitted(fits$virginica), predict(fits$virginica, iris$Sepal.Length[101:150]))
  expect_identical(augment(fits$virginica)$.fitted, fitted(fits$virginica))
  marginal <- (function(d) psd_marginal(psd_density(d, sigma = 1, lambda = 0.1), 2))(iris[1:2])
  expect_identical(drawn_rug(record_drawing(plot(marginal))), iris$Sepal.Width)
  many <- (function(x) psd_density(x, sigma = 1, lambda = 0.1))(seq(0, 1, length.out = 5001))
  shown <- drawn_rug(record_drawing(plot(many)))
  expect_length(shown, 1000)
  expect_identical(range(shown), c(0, 1))
  expect_error(fitted(many), "give them as", class = "psd_error")
})

test_that("mixtures of kernels that cannot be inverted are shown, and say so where asked to draw", {
  set.seed(1)
  x <- cbind(a = rexp(20), b = rnorm(20))
  fit <- psd_density(x, sigma = 1, lambda = 0.1, kernel = "matern32", model = "ncm",
                     lower = c(0, -Inf), transform = c("softplus", "none"))
  range <- plot_range(psd_marginal(fit, "a"))
  expect_gte(range[1], 0)
  expect_gt(range[2], max(x[, "a"]))
  expect_identical(plot(fit, n = 11), fit)
  expect_s3_class(autoplot(fit, n = 11), "ggplot")
  expect_error(simulate(fit), "kernel", class = "psd_error")
  expect_error(quantile(psd_marginal(fit, "b")), "kernel", class = "psd_error")
})

test_that("regions are told apart only where each has a level of its own", {
  expect_true(density_surface(density_2d(), c(0.5, 0.9), 41)$resolved)
  expect_false(density_surface(density_2d(), c(0.5, 0.5), 41)$resolved)
})

test_that("marginals for pictures leave out what nobody would see", {
  set.seed(3)
  x <- matrix(rnorm(120), 40, 3, dimnames = list(NULL, c("a", "b", "c")))
  fit <- psd_density(x, sigma = psd_widths(2^(1:-5)), lambda = 0.1)
  for (columns in list(2, c(1, 3))) {
    exact <- psd_marginal(fit, columns)
    shown <- shown_marginal(fit, columns, many = 0)
    expect_lt(nrow(shown$functions[[1]]$anchors$at), 0.8 * nrow(exact$functions[[1]]$anchors$at))
    at <- x[, columns, drop = FALSE]
    at <- rbind(at, at + 0.1)
    expect_lt(max(abs(predict(shown, at) / max(predict(exact, at)) -
                        predict(exact, at) / max(predict(exact, at)))), 0.005)
  }
  expect_identical(shown_marginal(fit, 1)$functions, psd_marginal(fit, 1)$functions)
  spec <- with_marginals(list(columns = c(3, 1)), fit)
  expect_equal(spec$ranges[[3]], plot_range(psd_marginal(fit, 3)))
  expect_null(spec$ranges[[2]])
})

test_that("the size of a section in a marginal is the root of its own integral there", {
  f <- new_function("psd", "gaussian", list(at = cbind(0:1, 1:2), width = cbind(1:2, c(0.5, 3))),
                    matrix(c(1, 2, 0, 1), 2))
  measure <- list(lower = c(-1, 0), upper = c(2, 5), mean = c(0, 0), sd = c(Inf, Inf))
  own <- sapply(1:2, function(j) {
    integrate(function(x) exp(-((x - j) / c(0.5, 3)[j])^2), 0, 5, rel.tol = 1e-10)$value
  })
  expected <- sqrt(own * c(1, 5))
  expect_equal(marginal_sizes(f, measure, 1), expected / max(expected), tolerance = 1e-8)
})
