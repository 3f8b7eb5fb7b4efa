test_that("both kinds of plot are drawn by both systems, and par() is left as it was", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- quick_quantreg()
  x <- cbind(a = 1:40 / 40, b = sin(1:40))
  two <- psd_quantreg(x = x, y = cos(1:40), sigma = 1, lambda = 0.1)
  before <- graphics::par(no.readonly = TRUE)$mfrow
  for (type in c("curves", "coverage")) {
    expect_invisible(plot(fit, type, main = "title"))
    expect_identical(plot(two, type), two)
    expect_s3_class(autoplot(fit, type), "ggplot")
    expect_silent(print(autoplot(two, type)))
  }
  expect_identical(graphics::par("mfrow"), before)
  curves <- ggplot2::layer_data(autoplot(fit, n = 50), 2)
  expect_identical(nrow(curves), 150L)
  expect_error(plot(fit, "residuals"), "`which` must be one of", class = "psd_error")
})

test_that("the coverage plot shows the observed shares with two standard errors", {
  table <- coverage_data(quick_quantreg())
  expect_equal(table$upper[2] - table$coverage[2], 2 * sqrt(0.25 / 120))
})
