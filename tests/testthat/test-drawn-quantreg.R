# What the pictures of a quantile regression show, against predict().

test_that("every fitted quantile is drawn over the data, with its level in the legend", {
  data <- simulated_quantiles(60)
  fit <- quick_quantreg(data = data)
  drawing <- record_drawing(plot(fit, n = 30))
  points <- drawn_points(drawing)
  expect_length(points, 1)
  expect_points(points[[1]], data$x, data$y)
  curves <- drawn_lines(drawing)
  expect_length(curves, 3)
  for (k in 1:3) {
    at <- data.frame(x = curves[[k]]$x)
    expect_equal(range(at$x), range(data$x))
    expect_equal(curves[[k]]$y, unname(predict(fit, at)[, k]))
  }
  expect_identical(drawn_text(drawing), c("0.9", "0.5", "0.1"))
  shades <- vapply(curves, `[[`, "", "col")
  expect_identical(unname(calls_of(drawing, "segments")[[1]]$col), rev(shades))

  plot <- autoplot(fit, n = 30)
  expect_points(built_layers(plot, "GeomPoint")[[1]], data$x, data$y)
  lines <- built_lines(plot)
  expect_length(lines, 3)
  labels <- legend_labels(plot, "colour")
  expect_identical(labels, c("0.9", "0.5", "0.1"))
  for (k in 1:3) {
    q <- predict(fit, data.frame(x = lines[[k]]$x), tau = as.numeric(labels[k]))
    expect_equal(lines[[k]]$y, unname(q[, 1]))
  }
})

test_that("levels of many digits are shown in few, and leave room for the panels", {
  expect_identical(level_labels(c(0.0891135162673891, 0.5, 0.9876)), c("0.0891", "0.5", "0.988"))
  expect_identical(level_labels(c(0.25, 0.250001)), c("0.25", "0.250001"))
  set.seed(1)
  data <- as.data.frame(matrix(rnorm(20 * 7), 20))
  tau <- 0.5 + c(0, 1e-9)
  fit <- psd_quantreg(V1 ~ ., data, tau = tau, sigma = 1, lambda = 1)
  drawing <- record_drawing(plot(fit, n = 5))
  expect_length(drawn_panels(drawing), 6)
  expect_identical(legend_labels(autoplot(fit, n = 5), "colour"), c("0.500000001", "0.5"))
})

test_that("a slice along one predictor holds a skewed one at its median", {
  set.seed(1)
  data <- data.frame(a = runif(60), b = rexp(60)^2)
  data$y <- data$a + sqrt(data$b) + rnorm(60) / 5
  fit <- psd_quantreg(y ~ a + b, data, tau = c(0.3, 0.7), sigma = 1, lambda = 0.01)
  held <- list(a = median(data$a), b = median(data$b))
  expected <- function(column, x) {
    predict(fit, as.data.frame(modifyList(held, setNames(list(x), column))))
  }
  panels <- drawn_panels(record_drawing(plot(fit, n = 20)))
  expect_length(panels, 2)
  for (column in 1:2) {
    curves <- drawn_lines(panels[[column]])
    expect_length(curves, 2)
    for (k in 1:2) {
      expect_equal(curves[[k]]$y, unname(expected(names(held)[column], curves[[k]]$x)[, k]))
    }
    near <- abs(data[[3 - column]] - held[[3 - column]]) <= 0.75 * sd(data[[3 - column]])
    expect_points(drawn_points(panels[[column]])[[1]], data[[column]][near], data$y[near])
    expect_equal(range(curves[[1]]$x), range(data[[column]][near]))
  }
  expect_length(drawn_panels(record_drawing(plot(fit, column = "b", n = 20))), 1)

  lines <- built_lines(autoplot(fit, n = 20))
  expect_length(lines, 4)
  expect_identical(autoplot(fit)$labels$caption,
                   paste("held, where they do not move: a =", signif(held$a, 3), ", b =",
                         signif(held$b, 3)) |> gsub(pattern = " ,", replacement = ","))
  for (line in lines) {
    column <- names(held)[line$PANEL[1]]
    level <- 3 - line$group[1]  # the highest level is first in the legend
    expect_equal(line$y, unname(expected(column, line$x)[, level]))
  }
})

test_that("the coverage plot has the share at or below each quantile, with two standard errors", {
  data <- simulated_quantiles(60)
  fit <- quick_quantreg(data = data)
  tau <- c(0.1, 0.5, 0.9)
  share <- colMeans(data$y <= predict(fit, data))
  error <- 2 * sqrt(tau * (1 - tau) / 60)
  ends <- cbind(pmax(share - error, 0), pmin(share + error, 1))
  drawing <- record_drawing(plot(fit, which = "coverage"))
  points <- drawn_points(drawing)
  expect_length(points, 1)
  expect_points(points[[1]], tau, share)
  bars <- calls_of(drawing, "segments")[[1]]
  expect_equal(bars[[1]], tau)
  expect_equal(cbind(bars[[2]], bars[[4]]), ends, ignore_attr = TRUE)
  expect_equal(unlist(calls_of(drawing, "abline")[[1]][1:2]), c(0, 1))

  plot <- autoplot(fit, which = "coverage")
  shown <- built_layers(plot, "GeomPointrange")[[1]]
  expect_points(shown, tau, share)
  expect_equal(cbind(shown$ymin, shown$ymax), ends, ignore_attr = TRUE)
  expect_length(built_layers(plot, "GeomAbline"), 1)
})
