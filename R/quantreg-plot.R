#' Plots of a quantile regression
#'
#' `which = "curves"`: the fitted quantiles over the data. With several predictors one panel a
#' predictor, the others at their medians; the points are then all data, not only those near the
#' slice.
#' `which = "coverage"`: the share of training observations at or below each quantile against its
#' level, with two standard errors of a share either side.
#'
#' @param x,object A fit by [psd_quantreg()].
#' @param which `"curves"`, `"coverage"`, or `"tuning"`: the held-out loss of every candidate that
#'   was tried.
#' @param column For curves: names of the columns to show. By default all that take more than two
#'   values (all, if none does).
#' @param n Number of points a curve.
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
plot.psd_quantreg <- function(x, which = c("curves", "coverage", "tuning"), column = NULL, n = 200,
                              ...) {
  which <- check_choice(which, c("curves", "coverage", "tuning"))
  if (which == "tuning") {
    draw_tuning(x, ...)
  } else if (which == "coverage") {
    plot_coverage(x, ...)
  } else {
    column <- slice_columns(column, x)
    if (length(column) > 1) {
      old <- graphics::par(mfrow = grDevices::n2mfrow(length(column)))
      on.exit(graphics::par(old))
    }
    for (name in column) plot_slice(x, name, n, ...)
  }
  invisible(x)
}

plot_slice <- function(x, column, n, ...) {
  slice <- slice_data(x, column, n)
  colors <- level_colors(x$levels)
  args <- list(x = x$x[, column], y = x$y, xlab = column, ylab = x$recipe$response, pch = 16,
               cex = 0.6, col = "grey60", ylim = range(x$y, slice$quantile))
  plot_with(args, ...)
  for (tau in x$levels) {
    curve <- slice[slice$tau == tau, ]
    graphics::lines(curve$at, curve$quantile, col = colors[[as.character(tau)]], lwd = 2)
  }
  graphics::legend("topright", legend = rev(x$levels), col = rev(colors), lwd = 2, bty = "n",
                   cex = 0.8)
}

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
autoplot.psd_quantreg <- function(object, which = c("curves", "coverage", "tuning"), column = NULL,
                                  n = 200, bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  which <- check_choice(which, c("curves", "coverage", "tuning"))
  if (which == "tuning") return(gg_tuning(object))
  if (which == "coverage") return(autoplot_coverage(object))
  column <- slice_columns(column, object)
  slices <- do.call(rbind, lapply(column, slice_data, x = object, n = n))
  slices$tau <- factor(slices$tau, rev(object$levels))
  points <- data.frame(column = rep(column, each = object$n), at = as.vector(object$x[, column]),
                       y = rep(object$y, length(column)))
  one <- length(column) == 1
  plot <- ggplot2::ggplot(slices, ggplot2::aes(x = .data$at)) +
    ggplot2::geom_point(ggplot2::aes(y = .data$y), points, color = "grey60", size = 0.8) +
    ggplot2::geom_line(ggplot2::aes(y = .data$quantile, color = .data$tau)) +
    ggplot2::scale_color_manual(values = level_colors(object$levels)) +
    ggplot2::labs(x = if (one) column, y = object$recipe$response, color = "level")
  if (one) plot else plot + ggplot2::facet_wrap("column", scales = "free_x")
}

autoplot_coverage <- function(object) {
  ggplot2::ggplot(coverage_data(object), ggplot2::aes(x = .data$tau, y = .data$coverage)) +
    ggplot2::geom_abline(color = "grey60") +
    ggplot2::geom_pointrange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
                             color = dark_blue) +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = "level", y = "share of observations at or below")
}

# The quantiles along one column, the others at their medians: column, at, tau, quantile.
slice_data <- function(x, column, n) {
  at <- seq(min(x$x[, column]), max(x$x[, column]), length.out = n)
  points <- matrix(apply(x$x, 2, stats::median), n, ncol(x$x), byrow = TRUE,
                   dimnames = list(NULL, colnames(x$x)))
  points[, column] <- at
  q <- predict_quantiles(x, function_values(x, points), x$levels)
  data.frame(column = column, at = at, tau = rep(x$levels, each = n), quantile = as.vector(q))
}

coverage_data <- function(x) {
  table <- summary(x)$levels
  error <- 2 * sqrt(table$tau * (1 - table$tau) * sum(x$weights^2)) / sum(x$weights)
  table$lower <- pmax(table$coverage - error, 0)
  table$upper <- pmin(table$coverage + error, 1)
  table
}

slice_columns <- function(column, x, call = rlang::caller_env()) {
  columns <- colnames(x$x)
  if (is.null(column)) {
    varied <- apply(x$x, 2, function(values) length(unique(values)) > 2)
    return(if (any(varied)) columns[varied] else columns)
  }
  if (!is.character(column) || !all(column %in% columns)) {
    abort("{.arg column} must be among {.or {.val {columns}}}, not
           {.val {setdiff(column, columns)}}.", call = call)
  }
  column
}

# Blues, darkest at the middle, as the paper draws them; named by level.
level_colors <- function(levels) {
  distance <- abs(seq_along(levels) - middle_level(levels))
  shades <- grDevices::colorRampPalette(c("#08306B", "#6BAED6"))(max(distance) + 1)
  stats::setNames(shades[distance + 1], levels)
}
