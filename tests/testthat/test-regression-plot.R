test_that("slices are the outputs along a column, the others held", {
  set.seed(5)
  data <- data.frame(a = runif(50), b = runif(50))
  data$y <- data$a + data$b
  fit <- psd_regression(y ~ a + b, data, sigma = 1, lambda = 1e-3)
  slices <- psdmodels:::regression_slices(fit, "b", c(a = 0.2), 11)
  expect_identical(nrow(slices), 11L)
  expect_equal(slices$value, predict(fit, data.frame(a = 0.2, b = slices$x)))
  expect_error(psdmodels:::regression_slices(fit, "c", NULL, 11), "columns", class = "psd_error")
  expect_error(psdmodels:::regression_slices(fit, NULL, c(z = 1), 11), "at", class = "psd_error")
})

test_that("both kinds of plot draw for one and several columns and outputs", {
  pdf(NULL)
  on.exit(dev.off())
  data <- transform(wave(), z = x^2)
  fits <- list(psd_regression(y ~ x, data, sigma = 0.5, lambda = 1e-2),
               psd_regression(cbind(y, count) ~ x + z, data, sigma = 0.5, lambda = 1e-2))
  for (fit in fits) {
    expect_identical(plot(fit), fit)
    built <- ggplot2::ggplot_build(autoplot(fit))
    expect_gt(nrow(built$data[[length(built$data)]]), 200)
  }
})
