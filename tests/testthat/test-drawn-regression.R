# What the pictures of a regression show, against predict().

test_that("the output is drawn over the data", {
  data <- wave(40)
  fit <- psd_regression(y ~ x, data, sigma = 0.5, lambda = 1e-2)
  drawing <- record_drawing(plot(fit, n = 30))
  expect_points(drawn_points(drawing)[[1]], data$x, data$y)
  curve <- drawn_lines(drawing)
  expect_length(curve, 1)
  expect_equal(range(curve[[1]]$x), range(data$x))
  expect_equal(curve[[1]]$y, predict(fit, data.frame(x = curve[[1]]$x)))
  expect_null(drawn_text(drawing))
  expect_length(drawn_points(record_drawing(plot(fit, points = FALSE))), 0)

  plot <- autoplot(fit, n = 30)
  expect_points(built_layers(plot, "GeomPoint")[[1]], data$x, data$y)
  line <- built_lines(plot)
  expect_length(line, 1)
  expect_equal(line[[1]]$y, predict(fit, data.frame(x = line[[1]]$x)))
  expect_length(built_layers(autoplot(fit, points = FALSE), "GeomPoint"), 0)
})

test_that("every output has its line, its points and its name in the legend", {
  data <- wave(40)
  fit <- psd_regression(cbind(y, count) ~ x, data, sigma = 0.5, lambda = 1e-2)
  outputs <- c("y", "count")
  drawing <- record_drawing(plot(fit, n = 30))
  curves <- drawn_lines(drawing)
  points <- drawn_points(drawing)
  expect_length(curves, 2)
  expect_length(points, 2)
  for (k in 1:2) {
    expect_equal(curves[[k]]$y, unname(predict(fit, data.frame(x = curves[[k]]$x))[, k]))
    expect_points(points[[k]], data$x, data[[outputs[k]]])
  }
  expect_identical(drawn_text(drawing), outputs)
  colours <- vapply(curves, `[[`, "", "col")
  expect_length(unique(colours), 2)
  expect_identical(calls_of(drawing, "segments")[[1]]$col, colours)

  plot <- autoplot(fit, n = 30)
  lines <- built_lines(plot)
  points <- built_layers(plot, "GeomPoint")[[1]]
  expect_length(lines, 2)
  for (k in 1:2) {
    expect_equal(lines[[k]]$y, unname(predict(fit, data.frame(x = lines[[k]]$x))[, k]))
    expect_points(points[points$group == k, ], data$x, data[[outputs[k]]])
  }
  expect_identical(legend_labels(plot, "colour"), outputs)
})

test_that("a slice holds a skewed predictor at its median, or where it is told to", {
  set.seed(5)
  data <- data.frame(a = runif(50), b = rexp(50)^2)
  data$y <- data$a + sqrt(data$b)
  fit <- psd_regression(y ~ a + b, data, sigma = 1, lambda = 1e-3)
  expect_slices <- function(lines, held) {
    expect_length(lines, 2)
    expect_equal(lines[[1]]$y, predict(fit, data.frame(a = lines[[1]]$x, b = held$b)))
    expect_equal(lines[[2]]$y, predict(fit, data.frame(a = held$a, b = lines[[2]]$x)))
  }
  medians <- list(a = median(data$a), b = median(data$b))
  panels <- drawn_panels(record_drawing(plot(fit, n = 20)))
  expect_length(panels, 2)
  expect_slices(do.call(c, lapply(panels, drawn_lines)), medians)
  expect_slices(built_lines(autoplot(fit, n = 20)), medians)
  expect_slices(built_lines(autoplot(fit, at = c(b = 3), n = 20)), list(a = medians$a, b = 3))
  placed <- record_drawing(plot(fit, at = list(a = 0.1, b = 2), n = 20))
  expect_slices(drawn_lines(placed), list(a = 0.1, b = 2))
  expect_length(drawn_panels(record_drawing(plot(fit, columns = "b", n = 20))), 1)
})
