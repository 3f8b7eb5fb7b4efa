masked <- function(lines) {
  lines <- gsub("after [0-9]+ iterations", "after <n> iterations", lines)
  gsub("within [0-9.e-]+ of", "within <gap> of", lines)
}
eruptions <- function() {
  psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-3,
                control = psd_control(tol = 1e-10))
}
plane <- function() {
  psd_intensity(faithful, lower = c(1, 40), upper = c(6, 100), sigma = 0.7, lambda = 1e-2,
                control = psd_control(tol = 1e-10))
}

test_that("print and summary say what was fitted", {
  expect_snapshot(transform = masked, {
    summary(eruptions())
    plane()
  })
})

test_that("the intensity is zero outside the window and missing where a coordinate is", {
  fit <- eruptions()
  expect_identical(predict(fit, c(0.9, 6.1, NA)), c(0, 0, NA))
  expect_true(all(predict(fit, c(1, 6)) > 0))
  expect_identical(predict(fit, 2, type = "log"), log(predict(fit, 2)))
})

test_that("counts of boxes are integrals of the intensity", {
  fit <- eruptions()
  by_hand <- integrate(function(x) predict(fit, x), 2, 3.3)$value
  expect_equal(psd_count(fit, 2, 3.3), by_hand, tolerance = 1e-6)
  expect_equal(sum(psd_count(fit, cbind(c(-Inf, 2)), cbind(c(2, Inf)))), psd_count(fit))
  expect_identical(psd_count(fit, 7, 8), 0)
  expect_error(psd_count(fit, cbind(1:3), cbind(1:2)), "same number", class = "psd_error")
})

test_that("gradients match finite differences", {
  fit <- plane()
  at <- as.matrix(faithful[1:4, ])
  slope <- predict(fit, at, type = "gradient")
  h <- 1e-5
  for (column in 1:2) {
    e <- replace(c(0, 0), column, h)
    difference <- (predict(fit, sweep(at, 2, e, "+")) - predict(fit, sweep(at, 2, e))) / (2 * h)
    expect_equal(slope[, column], difference, tolerance = 1e-5)
  }
})

test_that("the accessors and tidiers agree with predict()", {
  fit <- eruptions()
  expect_identical(fitted(fit), predict(fit, faithful$eruptions))
  expect_identical(augment(fit)$.fitted, fitted(fit))
  expect_identical(augment(fit, c(2, 3))$.fitted, predict(fit, c(2, 3)))
  expect_identical(tidy(fit)$expected, psd_count(fit))
  expect_identical(nrow(glance(fit)), 1L)
  expect_identical(nrow(coef(fit)), fit$landmarks)
  expect_identical(update(fit, lambda = 0.1)$parameters$lambda, 0.1)
})

test_that("plots draw for one and two coordinates, and refuse more", {
  pdf(NULL)
  on.exit(dev.off())
  for (fit in list(eruptions(), plane())) {
    expect_identical(plot(fit), fit)
    expect_gt(nrow(ggplot2::ggplot_build(autoplot(fit))$data[[1]]), 100)
  }
  set.seed(1)
  cube <- psd_intensity(matrix(runif(60), 20), lower = 0, upper = 1, sigma = 1, lambda = 0.1)
  expect_error(plot(cube), "one or two coordinates", class = "psd_error")
})

test_that("a box to count in must not be turned around", {
  expect_error(psd_count(eruptions(), 2, 1), "must not be above", class = "psd_input_error")
})

test_that("a pattern of more points than can be drawn is refused at once", {
  many <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-2,
                        weights = rep(1e6, 272))
  expect_equal(psd_count(many), 272e6, tolerance = 1e-6)
  expect_error(simulate(many, seed = 1), "about 2.7e[+]08 points", class = "psd_input_error")
})

test_that("print shows the expected number of points in six digits", {
  fit <- psd_intensity(faithful$eruptions, 1, 6, sigma = 0.5, lambda = 0.3, total = "shrunk")
  expect_gt(abs(psd_count(fit) - 272), 1e-3)
  expect_output(print(fit), sprintf("expected number of points.* %.6g", psd_count(fit)))
})
