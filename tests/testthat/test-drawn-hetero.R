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
  expect_length(drawn_panels(drawing), 1)
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

test_that("several predictors have a panel each, with the bands of predict() and the rows near", {
  data <- transform(hetero_data(), z = rep(c("low", "high", "high"), 20))
  fit <- psd_hetero(y ~ x * z, data, sigma = 1, lambda = 0.01)
  panels <- drawn_panels(record_drawing(plot(fit, "mean", level = 0.9)))
  expect_length(panels, 2)
  # along x, at the level that most rows have
  line <- drawn_lines(panels[[1]])[[1]]
  at <- data.frame(x = line$x, z = "high")
  expect_equal(line$y, predict(fit, at))
  high <- data$z == "high"
  expect_equal(range(line$x), range(data$x[high]))
  expect_points(drawn_points(panels[[1]])[[1]], data$x[high], data$y[high])
  # along z: a mark and a bar per level, in the order of the levels
  at <- data.frame(x = median(data$x), z = c("high", "low"))
  marks <- drawn_points(panels[[2]])
  expect_points(marks[[length(marks)]], 1:2, predict(fit, at))
  bars <- calls_of(panels[[2]], "rect")[[1]]
  interval <- predict(fit, at, "interval", level = 0.9)
  expect_equal(bars[[2]], unname(interval[, "lwr"]))
  expect_equal(bars[[4]], unname(interval[, "upr"]))
  axis <- calls_of(panels[[2]], "axis")
  labelled <- Filter(function(args) identical(args[[3]], c("high", "low")), axis)
  expect_length(labelled, 1)
  expect_equal(labelled[[1]][1:2], list(1, 1:2))  # below, at the places of the levels

  plot <- autoplot(fit, "mean", level = 0.9)
  bars <- built_layers(plot, "GeomRect")[[1]]
  expect_equal(bars$ymin, unname(interval[, "lwr"]))
  expect_equal(bars$ymax, unname(interval[, "upr"]))
  line <- built_lines(plot)[[1]]
  expect_equal(line$y, predict(fit, data.frame(x = line$x, z = "high")))
  labels <- ggplot2::ggplot_build(plot)$layout$panel_params[[2]]$x$get_labels()
  expect_identical(labels[!is.na(labels)], c("high", "low"))
  line <- built_lines(autoplot(fit, "sd", columns = "x", at = list(z = "low")))[[1]]
  expect_equal(line$y, predict(fit, data.frame(x = line$x, z = "low"), "sd"))
})
