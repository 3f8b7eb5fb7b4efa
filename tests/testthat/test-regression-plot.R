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
