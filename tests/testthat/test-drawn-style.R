# How pictures look beside the numbers that they show: symbols, sizes, colours, widths of lines,
# labels and how fine their grids are, on record in one snapshot.

# One line a call of the graphics engine: what is no coordinate, and how many coordinates there are.
style_of <- function(drawing) {
  shown <- function(arg) {
    if (is.list(arg)) arg <- arg[[1]]
    if (is.null(arg) || is.language(arg)) return(NULL)
    if (all(is.na(arg))) return(if (length(arg) > 1) "<NA>")
    if (is.numeric(arg) && length(arg) > 1) return(sprintf("<%d>", length(arg)))
    if (is.numeric(arg) && !isTRUE(all.equal(round(arg, 2), arg))) return(NULL)
    paste(arg, collapse = "|")
  }
  drawing <- Filter(function(call) !call$name %in% c("palette2", "strWidth", "strHeight"), drawing)
  lines <- vapply(drawing, function(call) {
    paste(c(call$name, unlist(lapply(call$args, shown))), collapse = " ")
  }, "")
  lines[c(TRUE, lines[-1] != lines[-length(lines)])]
}

# One line a layer: its geom, what is fixed in it, and the number of its rows, which for regions
# depends on the last digits of a density.
style_of_layers <- function(plot) {
  built <- ggplot2::ggplot_build(plot)$data
  fixed <- lapply(plot$layers, function(layer) layer$aes_params[order(names(layer$aes_params))])
  geoms <- vapply(plot$layers, function(layer) class(layer$geom)[1], "")
  rows <- sprintf("<%d>", vapply(built, nrow, 0L))
  trimws(paste(geoms, vapply(fixed, function(own) paste(names(own), own, collapse = " "), ""),
               ifelse(startsWith(geoms, "GeomContour"), "", rows)))
}

expect_style <- function(fit, ...) {
  drawing <- record_drawing(plot(fit, ...))
  plot <- autoplot(fit, ...)
  expect_snapshot({
    writeLines(style_of(drawing))
    writeLines(style_of_layers(plot))
  })
}

test_that("densities look as they did", {
  one <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
  expect_style(one, histogram = TRUE, truth = function(x) dnorm(x, 3))
  two <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
  expect_style(two)
  three <- psd_density(iris[1:60, 1:3], sigma = 2, lambda = 0.1)
  expect_style(three)
})

test_that("intensities look as they did", {
  one <- psd_intensity(faithful$eruptions, 1, 6, sigma = 0.5, lambda = 0.01)
  expect_style(one)
  two <- psd_intensity(quakes[1:50, 1:2], c(-39, 165), c(-10, 189), sigma = 1, lambda = 0.1)
  expect_style(two)
})

slices_data <- function() {
  data <- wave(60)
  data$group <- factor(rep(c("a", "b", "c"), 20))
  data$day <- as.Date("2024-01-01") + 1:60
  data
}

test_that("quantiles look as they did", {
  fit <- psd_quantreg(y ~ x + group + day, slices_data(), tau = c(0.1, 0.5, 0.9), sigma = 1,
                      lambda = 0.01)
  expect_style(fit)
  expect_style(fit, which = "coverage")
})

test_that("mean and variance look as they did", {
  fit <- psd_hetero(y ~ x + group, slices_data(), sigma = 1, lambda = 0.01)
  expect_style(fit)
  expect_style(fit, which = "sd")
  expect_style(fit, which = "qq")
  expect_style(fit, which = "pit")
})

test_that("regressions look as they did", {
  fit <- psd_regression(cbind(y, count) ~ x + group, slices_data(), sigma = 1, lambda = 0.01)
  expect_style(fit)
  expect_style(psd_regression(y ~ x, wave(60), sigma = 1, lambda = 0.01))
})

test_that("losses of candidates and bands look as they did", {
  set.seed(1)
  fit <- psd_regression(y ~ x, wave(60), sigma = c(0.5, 1), lambda = c(0.01, 0.1))
  expect_style(fit, which = "tuning")
  several <- psd_regression(y ~ x, wave(60), sigma = c(0.5, 1), lambda = 0.01, ridge = c(1, 0.1))
  expect_style(several, which = "tuning")
  boot <- psd_boot(fit, R = 3, seed = 1)
  expect_snapshot(writeLines(style_of_layers(autoplot(fit, bands = boot))))
})

test_that("densities of groups look as they did", {
  one <- psd_density(~ mpg | am, mtcars, sigma = 1, lambda = 0.05)
  two <- psd_density(~ mpg + wt | am, mtcars, sigma = 1, lambda = 0.05)
  expect_snapshot({
    writeLines(style_of_layers(autoplot(one)))
    writeLines(style_of_layers(autoplot(two, n = 31)))
  })
  expect_identical(autoplot(two, n = 31)$labels$caption, "lines hold 50%, 95% of their group")
})
