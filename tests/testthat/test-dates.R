days <- as.Date("2020-01-01") + c(0, 3, 5, 6, 8, 12, 13, 15, 20, 22, 25, 30)

test_that("dates are numbers to a density, from a vector, a data frame or a formula", {
  by_hand <- psd_density(as.numeric(days), sigma = 0.5, lambda = 0.01)
  frame <- data.frame(day = days)
  at <- as.Date("2020-01-10")
  expected <- predict(by_hand, as.numeric(at))
  fits <- list(psd_density(days, sigma = 0.5, lambda = 0.01),
               psd_density(frame, sigma = 0.5, lambda = 0.01))
  for (fit in fits) expect_equal(predict(fit, at), expected)
  formula <- psd_density(~day, frame, sigma = 0.5, lambda = 0.01)
  expect_equal(predict(formula, data.frame(day = at)), expected)
  expect_equal(psd_prob(formula, upper = at), psd_prob(by_hand, upper = as.numeric(at)))
})

test_that("axes show dates", {
  fit <- psd_density(data.frame(day = days, y = sin(1:12)), sigma = 1, lambda = 0.01)
  labels <- ggplot2::ggplot_build(autoplot(fit, n = 11))$layout$panel_params[[1]]$x$get_labels()
  expect_match(stats::na.omit(labels), "^20(19|20)-")
  # base graphics label an axis of dates by months or days, never by numbers of five digits
  drawing <- record_drawing(plot(psd_marginal(fit, "day"), rug = FALSE))
  axis <- calls_of(drawing, "axis")
  expect_match(as.character(axis[[1]][[3]]), "Jan|Feb|Dec")
  expect_s3_class(as_shown(days, list(dates = c(day = "Date")), "day"), "Date")
})

test_that("dates are dates in a matrix of three variables, beside numbers of their size", {
  data <- data.frame(day = days, y = sin(1:12), size = 18000 + 1000 * cos(1:12))
  fit <- psd_density(data, sigma = 1, lambda = 0.01)
  panels <- ggplot2::ggplot_build(autoplot(fit, n = 11))$layout$panel_params
  labels <- function(axis) {
    lapply(panels, function(panel) stats::na.omit(panel[[axis]]$get_labels()))
  }
  is_date <- function(labels) grepl("^20(19|20)-", labels)
  columns <- rep(1:3, 3)
  for (panel in 7:9) expect_true(all(is_date(labels("x")[[panel]]) == (columns[panel] == 1)))
  for (row in 2:3) expect_false(any(is_date(labels("y")[[3 * row]])))
  expect_true(all(lengths(labels("x")[7:9]) > 1))
})
