#' Plots of a heteroscedastic regression
#'
#' Four views: the mean with bands that hold a new response with probability `level`, over the data;
#' the standard deviation; a normal quantile plot of the Pearson residuals; and a histogram of the
#' probability integral transform (PIT), the values of the predicted distribution functions at the
#' observations. If the model is right, the third follows the diagonal and the fourth is flat: a
#' hump means that the predicted standard deviations are too large, a bowl that they are too small.
#' With several predictors the first two have one panel per variable, the others held: see
#' [slices].
#'
#' @param x,object A fit of [psd_hetero()].
#' @param which One of `"mean"`, `"sd"`, `"qq"`, `"pit"` and `"tuning"` (the held-out loss of every
#'   candidate that was tried); `plot()` also takes several and draws them side by side.
#' @param level Probabilities of the bands.
#' @inheritParams slices
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()` of one view, arguments of [graphics::plot()] such as `main`.
#' @return `plot()`: the fit, invisibly. `autoplot()`: a ggplot.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' plot(fit)
#' autoplot(fit) + ggplot2::theme_bw()
plot.psd_hetero <- function(x, which = c("mean", "sd", "qq", "pit"), level = c(0.5, 0.95),
                            columns = NULL, at = NULL, n = 400, ...) {
  which <- check_views(which)
  level <- check_numbers(level, above = 0, below = 1)
  slices <- if (any(c("mean", "sd") %in% which)) make_slices(x, columns, at, n)
  panels <- sum(ifelse(which %in% c("mean", "sd"), length(slices), 1))
  if (panels > 1) {
    before <- graphics::par(mfrow = panel_layout(panels), mar = c(4, 4, 2, 1))
    on.exit(graphics::par(before))
  }
  for (view in which) {
    switch(view, mean = for (slice in slices) draw_mean(x, slice, level, ...),
           sd = for (slice in slices) draw_sd(x, slice, ...), qq = draw_qq(x, ...),
           pit = draw_pit(x, ...), tuning = draw_tuning(x, ...))
  }
  invisible(x)
}

check_views <- function(which, call = rlang::caller_env()) {
  views <- c("mean", "sd", "qq", "pit", "tuning")
  if (!is.character(which) || length(which) == 0 || !all(which %in% views)) {
    abort("{.arg which} must be among {.or {.val {views}}}, not {.val {setdiff(which, views)}}.",
          call = call)
  }
  which
}

# The bands of each level at points of a slice, widest first so that the narrow ones stay visible.
hetero_bands <- function(at, level) {
  bands <- lapply(sort(level, decreasing = TRUE), function(one) {
    reach <- stats::qnorm((1 + one) / 2) * at$sd
    data.frame(lower = at$mean - reach, upper = at$mean + reach, band = format_levels(one))
  })
  do.call(rbind, bands)
}

pit_values <- function(fit) stats::pnorm(residuals(fit, "pearson"))

pit_breaks <- function(n) seq(0, 1, length.out = 1 + max(5, min(20, floor(n / 10))))

draw_mean <- function(fit, slice, level, ...) {
  curve <- gaussian_at(fit, slice$x)
  at <- slice_position(slice, slice$values)
  bands <- hetero_bands(curve, level)
  slice_panel(slice, range(fit$y[slice$near], bands$lower, bands$upper, finite = TRUE),
              fit$recipe$response, ..., title = "Mean and bands")
  shade <- grDevices::adjustcolor(dark_blue, 0.2)
  for (band in split(bands, bands$band)) {
    if (slice$kind == "level") {
      graphics::rect(at - 0.2, band$lower, at + 0.2, band$upper, col = shade, border = NA)
    } else {
      graphics::polygon(c(at, rev(at)), c(band$lower, rev(band$upper)), col = shade, border = NA)
    }
  }
  slice_points(slice, fit$y, pch = 20, cex = 0.7, col = "grey30")
  slice_curve(slice, at, curve$mean, dark_blue)
}

draw_sd <- function(fit, slice, ...) {
  sd <- gaussian_at(fit, slice$x)$sd
  slice_panel(slice, range(0, sd, finite = TRUE), paste("sd of", fit$recipe$response), ...,
              title = "Standard deviation")
  slice_curve(slice, slice_position(slice, slice$values), sd, dark_blue)
}

draw_qq <- function(fit, ...) {
  quantiles <- stats::qqnorm(residuals(fit, "pearson"), plot.it = FALSE)
  plot_with(list(x = quantiles$x, y = quantiles$y, pch = 20, cex = 0.7, col = "grey30",
                 xlab = "Normal quantiles", ylab = "Pearson residuals", main = "Normal Q-Q"), ...)
  graphics::abline(0, 1, col = dark_blue, lwd = 2)
}

draw_pit <- function(fit, ...) {
  bars <- graphics::hist(pit_values(fit), breaks = pit_breaks(fit$n), plot = FALSE)
  plot_with(list(x = bars, freq = FALSE, col = "grey85", border = "white", xlab = "PIT",
                 main = "PIT histogram"), ...)
  graphics::abline(h = 1, col = dark_blue, lwd = 2)
}
