#' Plots of a quantile regression
#'
#' `which = "curves"`: the fitted quantiles over the data. With several predictors one panel per
#' variable, the others held: see [slices].
#' `which = "coverage"`: the share of training observations at or below each quantile against its
#' level, with two standard errors of a share either side.
#'
#' @param x,object A fit by [psd_quantreg()].
#' @param which `"curves"`, `"coverage"`, or `"tuning"`: the held-out loss of every candidate that
#'   was tried.
#' @inheritParams slices
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()`: graphical parameters for [graphics::plot()]. Not used by `autoplot()`.
#' @return `plot()` returns its argument invisibly, `autoplot()` a ggplot.
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.5, 0.9),
#'                     sigma = 0.4, lambda = 1e-3)
#' plot(fit)
#' plot(fit, which = "coverage")
#' ggplot2::autoplot(fit)
plot.psd_quantreg <- function(x, which = c("curves", "coverage", "tuning"), columns = NULL,
                              at = NULL, n = 200, ...) {
  switch(check_choice(which, c("curves", "coverage", "tuning")),
         tuning = draw_tuning(x, ...), coverage = plot_coverage(x, ...),
         curves = plot_quantiles(x, make_slices(x, columns, at, n), ...))
  invisible(x)
}

plot_quantiles <- function(x, slices, ...) {
  colors <- level_colors(x$levels)
  draw_slices(slices, function(slice, at) {
    q <- quantiles_at(x, slice$x)
    slice_panel(slice, range(x$y[slice$near], q), x$recipe$response, ...)
    slice_points(slice, x$y, pch = 16, cex = 0.6, col = "grey60")
    for (k in seq_along(x$levels)) slice_curve(slice, at, q[, k], colors[[k]])
  }, rev(level_labels(x$levels)), rev(colors))
}

# The fitted quantiles at predictors as the fit takes them, from the lowest level up.
quantiles_at <- function(x, points) predict_quantiles(x, function_values(x, points), x$levels)

plot_coverage <- function(x, ...) {
  table <- coverage_data(x)
  args <- list(x = table$tau, y = table$coverage, xlim = c(0, 1), ylim = c(0, 1), xlab = "level",
               ylab = "share of observations at or below", pch = 16, col = dark_blue)
  plot_with(args, ...)
  graphics::abline(0, 1, col = "grey60")
  graphics::segments(table$tau, table$lower, table$tau, table$upper, col = dark_blue)
}

#' @rdname plot.psd_quantreg
#' @importFrom rlang .data
#' @export
autoplot.psd_quantreg <- function(object, which = c("curves", "coverage", "tuning"),
                                  columns = NULL, at = NULL, n = 200, bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  which <- check_choice(which, c("curves", "coverage", "tuning"))
  if (which == "tuning") return(gg_tuning(object))
  if (which == "coverage") return(autoplot_coverage(object))
  slices <- make_slices(object, columns, at, n)
  levels <- object$levels
  frame <- slice_frame(slices, function(slice) {
    q <- quantiles_at(object, slice$x)
    data.frame(tau = factor(rep(levels, each = nrow(q)), rev(levels)), quantile = as.vector(q))
  })
  ggplot2::ggplot() +
    ggplot2::geom_point(ggplot2::aes(.data$at, .data$y), color = "grey60", size = 0.8,
                        near_frame(slices, data.frame(y = object$y))) +
    slice_layers(frame, ggplot2::aes(.data$at, .data$quantile, color = .data$tau)) +
    ggplot2::scale_color_manual(values = level_colors(levels),
                                labels = rev(level_labels(levels))) +
    slice_facets(slices) +
    ggplot2::labs(y = object$recipe$response, color = "level")
}

autoplot_coverage <- function(object) {
  ggplot2::ggplot(coverage_data(object), ggplot2::aes(x = .data$tau, y = .data$coverage)) +
    ggplot2::geom_abline(color = "grey60") +
    ggplot2::geom_pointrange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
                             color = dark_blue) +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = "level", y = "share of observations at or below")
}

coverage_data <- function(x) {
  table <- summary(x)$levels
  error <- 2 * sqrt(table$tau * (1 - table$tau) * sum(x$weights^2)) / sum(x$weights)
  table$lower <- pmax(table$coverage - error, 0)
  table$upper <- pmin(table$coverage + error, 1)
  table
}

# Blues, darkest at the middle, as the paper draws them; named by level.
level_colors <- function(levels) {
  distance <- abs(seq_along(levels) - middle_level(levels))
  shades <- grDevices::colorRampPalette(c("#08306B", "#6BAED6"))(max(distance) + 1)
  stats::setNames(shades[distance + 1], levels)
}

# In three digits, or as many as tell the levels apart.
level_labels <- function(levels) {
  for (digits in 3:15) {
    labels <- as.character(signif(levels, digits))
    if (!anyDuplicated(labels)) break
  }
  labels
}
