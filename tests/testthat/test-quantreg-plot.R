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

test_that("the bars of the coverage plot end at zero and one", {
  data <- simulated_quantiles(12)
  fit <- psd_quantreg(y ~ x, data, tau = c(0.2, 0.5), sigma = 1, lambda = 0.1)
  error <- 2 * sqrt(fit$tau * (1 - fit$tau) / 12)
  fit$y <- data$y + 100
  expect_equal(coverage_data(fit)[c("lower", "upper")], data.frame(lower = 0, upper = error),
               ignore_attr = TRUE)
  fit$y <- data$y - 100
  expect_equal(coverage_data(fit)[c("lower", "upper")], data.frame(lower = 1 - error, upper = 1),
               ignore_attr = TRUE)
})
