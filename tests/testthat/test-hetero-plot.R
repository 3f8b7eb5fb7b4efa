drawn <- function(expr) {
  file <- tempfile(fileext = ".png")
  grDevices::png(file)
  before <- graphics::par("mfrow", "mar")
  force(expr)
  after <- graphics::par("mfrow", "mar")
  grDevices::dev.off()
  expect_identical(after, before)
  expect_gt(file.size(file), 3000)
  unlink(file)
}


test_that("plot draws every view and leaves the graphical parameters as they were", {
  fit <- hetero_fit()
  drawn(plot(fit))
  for (view in c("mean", "sd", "qq", "pit")) drawn(plot(fit, view, main = "own title"))
  drawn(expect_invisible(plot(fit, c("mean", "sd"), level = 0.9)))
})

test_that("autoplot builds every type, with the bands of predict", {
  fit <- hetero_fit()
  for (type in c("mean", "sd", "qq", "pit")) {
    expect_no_error(ggplot2::ggplot_build(autoplot(fit, type)))
  }
  band <- ggplot2::layer_data(autoplot(fit, level = 0.8), 1)
  interval <- predict(fit, data.frame(x = band$x), "interval", level = 0.8)
  expect_equal(band$ymin, unname(interval[, "lwr"]))
  expect_equal(band$ymax, unname(interval[, "upr"]))
  curve <- ggplot2::layer_data(autoplot(fit, "sd"), 1)
  expect_equal(curve$y, predict(fit, data.frame(x = curve$x), "sd"))
})

test_that("the PIT histogram counts every observation", {
  fit <- hetero_fit()
  bars <- ggplot2::layer_data(autoplot(fit, "pit"), 1)
  expect_equal(sum(bars$count), nobs(fit))
  expect_equal(pit_values(fit), pnorm(hetero_data()$y, fitted(fit), predict(fit, type = "sd")))
})

test_that("an unknown view is an error", {
  expect_snapshot(error = TRUE, {
    plot(hetero_fit(), "residuals")
    autoplot(hetero_fit(), "residuals")
    autoplot(hetero_fit(), level = 2)
  })
})

test_that("views are names, at least one, all of them known", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 0.1)
  for (which in list(character(), 1, NULL, "no", c("mean", "no"))) {
    expect_error(plot(fit, which = which), "which", class = "psd_error")
  }
  expect_identical(psdmodels:::check_views(c("sd", "mean")), c("sd", "mean"))
})

test_that("the bars of levels are as wide beside a panel of large numbers as alone", {
  data <- transform(mtcars, cyl = factor(cyl))
  fit <- psd_hetero(mpg ~ disp + cyl, data, sigma = 2, lambda = 1e-2)
  width <- function(columns) {
    layers <- ggplot2::ggplot_build(autoplot(fit, columns = columns))$data
    bars <- Filter(function(layer) "xmin" %in% names(layer), layers)[[1]]
    levels <- sort(unique((bars$xmin + bars$xmax) / 2))
    unique(round((bars$xmax - bars$xmin) / min(diff(levels)), 6))
  }
  expect_equal(width("cyl"), 0.4)
  expect_equal(width(c("disp", "cyl")), 0.4)
})

test_that("a histogram of probabilities has five to twenty bars", {
  bars <- function(n) length(psdmodels:::pit_breaks(n)) - 1
  expect_identical(vapply(c(10, 120, 900), bars, 0), c(5, 12, 20))
})
