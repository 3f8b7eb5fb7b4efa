# What the pictures of a heteroscedastic regression show, against predict().

test_that("the mean is drawn over the data, inside the bands of predict()", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  drawing <- record_drawing(plot(fit, "mean", level = c(0.5, 0.9)))
  line <- drawn_lines(drawing)
  expect_length(line, 1)
  at <- data.frame(x = line[[1]]$x)
  expect_equal(line[[1]]$y, predict(fit, at))
  expect_equal(range(at$x), range(data$x))
  points <- drawn_points(drawing)
  expect_points(points[[1]], data$x, data$y)
  bands <- calls_of(drawing, "polygon")
  expect_length(bands, 2)
  for (level in c(0.5, 0.9)) {
    interval <- predict(fit, at, "interval", level = level)
    outline <- c(interval[, "lwr"], rev(interval[, "upr"]))
    same <- vapply(bands, function(band) isTRUE(all.equal(band[[2]], unname(outline))), NA)
    expect_identical(sum(same), 1L)
  }

  plot <- autoplot(fit, "mean", level = c(0.5, 0.9))
  expect_points(built_layers(plot, "GeomPoint")[[1]], data$x, data$y)
  mean <- built_lines(plot)[[1]]
  expect_equal(mean$y, predict(fit, data.frame(x = mean$x)))
  ribbons <- built_layers(plot, "GeomRibbon")[[1]]
  ribbons <- split(ribbons, ribbons$group)
  expect_length(ribbons, 2)
  for (k in 1:2) {
    interval <- predict(fit, data.frame(x = ribbons[[k]]$x), "interval", level = c(0.9, 0.5)[k])
    expect_equal(ribbons[[k]]$ymin, unname(interval[, "lwr"]))
    expect_equal(ribbons[[k]]$ymax, unname(interval[, "upr"]))
  }
})

test_that("the standard deviation is that of predict()", {
  fit <- hetero_fit()
  curve <- drawn_lines(record_drawing(plot(fit, "sd")))
  expect_length(curve, 1)
  expect_equal(curve[[1]]$y, predict(fit, data.frame(x = curve[[1]]$x), "sd"))
  line <- built_lines(autoplot(fit, "sd"))
  expect_length(line, 1)
  expect_equal(line[[1]]$y, predict(fit, data.frame(x = line[[1]]$x), "sd"))
})

test_that("the quantile plot has the residuals against normal quantiles, and the diagonal", {
  fit <- hetero_fit()
  expected <- sort(residuals(fit, "pearson"))
  normal <- qnorm(ppoints(length(expected)))
  drawing <- record_drawing(plot(fit, "qq"))
  points <- drawn_points(drawing)[[1]]
  expect_equal(sort(points$y), expected)
  expect_equal(points$x[order(points$y)], normal)
  expect_equal(unlist(calls_of(drawing, "abline")[[1]][1:2]), c(0, 1))

  plot <- autoplot(fit, "qq")
  shown <- built_layers(plot, "GeomPoint")[[1]]
  expect_equal(sort(shown$y), expected)
  expect_equal(shown$x[order(shown$y)], normal)
  line <- built_layers(plot, "GeomAbline")[[1]]
  expect_equal(c(line$intercept, line$slope), c(0, 1))
})

test_that("the bars of the PIT count the values of the predicted distribution functions", {
  data <- hetero_data()
  fit <- hetero_fit(data)
  pit <- pnorm(data$y, predict(fit), predict(fit, type = "sd"))
  drawing <- record_drawing(plot(fit, "pit"))
  bars <- calls_of(drawing, "rect")[[1]]
  density <- function(left, right) {
    unname(mapply(function(from, to) mean(pit > from & pit <= to) / (to - from), left, right))
  }
  expect_equal(bars[[4]], density(bars[[1]], bars[[3]]))
  expect_equal(sum(bars[[4]] * (bars[[3]] - bars[[1]])), 1)
  expect_identical(calls_of(drawing, "abline")[[1]][[3]], 1)

  plot <- autoplot(fit, "pit")
  shown <- built_layers(plot, "GeomBar")[[1]]
  expect_equal(shown$y, density(shown$xmin, shown$xmax))
  expect_identical(built_layers(plot, "GeomHline")[[1]]$yintercept, 1)
})

test_that("several views are panels of one picture", {
  panels <- drawn_panels(record_drawing(plot(hetero_fit())))
  expect_length(panels, 4)
  titles <- vapply(panels, function(panel) drawn_titles(panel)[1], "")
  expect_identical(titles, c("Mean and bands", "Standard deviation", "Normal Q-Q", "PIT histogram"))
})

test_that("several predictors are shown along the fitted mean", {
  data <- transform(hetero_data(), z = rep(1:3, 20))
  fit <- psd_hetero(y ~ x + z, data, sigma = 1, lambda = 0.01)
  mean <- predict(fit)
  sd <- predict(fit, type = "sd")
  rising <- order(mean)
  reach <- qnorm(0.95) * sd[rising]
  drawing <- record_drawing(plot(fit, "mean", level = 0.9))
  expect_points(drawn_points(drawing)[[1]], mean, data$y)
  bars <- calls_of(drawing, "segments")[[1]]
  expect_equal(bars[[1]], mean[rising])
  expect_equal(bars[[2]], mean[rising] - reach)
  expect_equal(bars[[4]], mean[rising] + reach)
  expect_points(drawn_points(record_drawing(plot(fit, "sd")))[[1]], mean[rising], sd[rising])

  plot <- autoplot(fit, "mean", level = 0.9)
  expect_points(built_layers(plot, "GeomPoint")[[1]], mean, data$y)
  ranges <- built_layers(plot, "GeomLinerange")[[1]]
  ranges <- ranges[order(ranges$x), ]
  expect_equal(ranges$ymin, mean[rising] - reach)
  expect_equal(ranges$ymax, mean[rising] + reach)
  expect_points(built_layers(autoplot(fit, "sd"), "GeomPoint")[[1]], mean[rising], sd[rising])
})
