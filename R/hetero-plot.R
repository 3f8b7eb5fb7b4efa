#' Plots of a heteroscedastic regression
#'
#' Four views: the mean with bands that hold a new response with probability `level`, over the data;
#' the standard deviation; a normal quantile plot of the Pearson residuals; and a histogram of the
#' probability integral transform (PIT), the values of the predicted distribution functions at the
#' observations. If the model is right, the third follows the diagonal and the fourth is flat: a
#' hump means that the predicted standard deviations are too large, a bowl that they are too small.
#' With several predictors the first two are drawn against the fitted mean.
#'
#' @param x,object A fit of [psd_hetero()].
#' @param which One of `"mean"`, `"sd"`, `"qq"`, `"pit"` and `"tuning"` (the held-out loss of every
#'   candidate that was tried); `plot()` also takes several and draws them side by side.
#' @param level Probabilities of the bands.
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()` of one view, arguments of [graphics::plot()] such as `main`.
#' @return `plot()`: the fit, invisibly. `autoplot()`: a ggplot.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' plot(fit)
#' autoplot(fit) + ggplot2::theme_bw()
plot.psd_hetero <- function(x, which = c("mean", "sd", "qq", "pit"), level = c(0.5, 0.95), ...) {
  which <- check_views(which)
  level <- check_numbers(level, above = 0, below = 1)
  if (length(which) > 1) {
    before <- graphics::par(mfrow = c(1 + (length(which) > 2), 2), mar = c(4, 4, 2, 1))
    on.exit(graphics::par(before))
  }
  draw <- list(mean = draw_mean, sd = draw_sd, qq = draw_qq, pit = draw_pit,
               tuning = function(x, level, ...) draw_tuning(x, ...))
  for (view in which) draw[[view]](x, level, ...)
  invisible(x)
}

#' @rdname plot.psd_hetero
#' @export
autoplot.psd_hetero <- function(object, which = c("mean", "sd", "qq", "pit", "tuning"),
                                level = c(0.5, 0.95), bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  which <- check_choice(which, c("mean", "sd", "qq", "pit", "tuning"))
  level <- check_numbers(level, above = 0, below = 1)
  switch(which, tuning = gg_tuning(object), mean = gg_mean(object, level), sd = gg_sd(object),
         qq = gg_qq(object), pit = gg_pit(object))
}

check_views <- function(which, call = rlang::caller_env()) {
  views <- c("mean", "sd", "qq", "pit", "tuning")
  if (!is.character(which) || length(which) == 0 || !all(which %in% views)) {
    abort("{.arg which} must be among {.or {.val {views}}}, not {.val {setdiff(which, views)}}.",
          call = call)
  }
  which
}

# What is drawn ----------------------------------------------------------------------------------

# list(curve = data frame(at, mean, sd), data = data frame(at, y), label =): along the predictor if
# there is one, otherwise along the fitted mean.
hetero_curve <- function(fit, points = 400) {
  if (ncol(fit$x) == 1) {
    at <- seq(min(fit$x), max(fit$x), length.out = points)
    curve <- gaussian_at(fit, matrix(at))
    data <- data.frame(at = fit$x[, 1], y = fit$y)
    label <- fit$recipe$columns
  } else {
    fitted <- gaussian_at(fit, fit$x)
    order <- order(fitted$mean)
    at <- fitted$mean[order]
    curve <- lapply(fitted, `[`, order)
    data <- data.frame(at = fitted$mean, y = fit$y)
    label <- "fitted mean"
  }
  list(curve = data.frame(at = at, mean = curve$mean, sd = curve$sd), data = data, label = label,
       smooth = ncol(fit$x) == 1)
}

# The band of each level, widest first so that the narrow ones stay visible.
hetero_bands <- function(curve, level) {
  bands <- lapply(sort(level, decreasing = TRUE), function(one) {
    reach <- stats::qnorm((1 + one) / 2) * curve$sd
    data.frame(at = curve$at, lower = curve$mean - reach, upper = curve$mean + reach,
               level = format_levels(one))
  })
  do.call(rbind, bands)
}

pit_values <- function(fit) stats::pnorm(residuals(fit, "pearson"))

pit_breaks <- function(n) seq(0, 1, length.out = 1 + max(5, min(20, floor(n / 10))))

# Base graphics ----------------------------------------------------------------------------------

draw_mean <- function(fit, level, ...) {
  shown <- hetero_curve(fit)
  bands <- hetero_bands(shown$curve, level)
  plot_with(list(x = shown$data$at, y = shown$data$y, type = "n", xlab = shown$label,
                 ylab = fit$recipe$response, main = "Mean and bands",
                 ylim = range(shown$data$y, bands$lower, bands$upper, finite = TRUE)), ...)
  shade <- grDevices::adjustcolor(dark_blue, 0.2)
  for (band in split(bands, bands$level)) {
    if (shown$smooth) {
      graphics::polygon(c(band$at, rev(band$at)), c(band$lower, rev(band$upper)), col = shade,
                        border = NA)
    } else {
      graphics::segments(band$at, band$lower, y1 = band$upper, col = shade, lwd = 2)
    }
  }
  graphics::points(shown$data, pch = 20, cex = 0.7, col = "grey30")
  graphics::lines(shown$curve$at, shown$curve$mean, col = dark_blue, lwd = 2)
}

draw_sd <- function(fit, level, ...) {
  shown <- hetero_curve(fit)
  plot_with(list(x = shown$curve$at, y = shown$curve$sd, type = if (shown$smooth) "l" else "p",
                 col = dark_blue, lwd = 2, pch = 20, xlab = shown$label,
                 ylab = paste("sd of", fit$recipe$response), main = "Standard deviation",
                 ylim = range(0, shown$curve$sd, finite = TRUE)), ...)
}

draw_qq <- function(fit, level, ...) {
  quantiles <- stats::qqnorm(residuals(fit, "pearson"), plot.it = FALSE)
  plot_with(list(x = quantiles$x, y = quantiles$y, pch = 20, cex = 0.7, col = "grey30",
                 xlab = "Normal quantiles", ylab = "Pearson residuals", main = "Normal Q-Q"), ...)
  graphics::abline(0, 1, col = dark_blue, lwd = 2)
}

draw_pit <- function(fit, level, ...) {
  bars <- graphics::hist(pit_values(fit), breaks = pit_breaks(fit$n), plot = FALSE)
  plot_with(list(x = bars, freq = FALSE, col = "grey85", border = "white", xlab = "PIT",
                 main = "PIT histogram"), ...)
  graphics::abline(h = 1, col = dark_blue, lwd = 2)
}

# ggplot2 ----------------------------------------------------------------------------------------

gg_mean <- function(fit, level) {
  shown <- hetero_curve(fit)
  bands <- hetero_bands(shown$curve, level)
  bands$level <- factor(bands$level, unique(bands$level))
  span <- ggplot2::aes(.data$at, ymin = .data$lower, ymax = .data$upper, group = .data$level)
  ribbon <- if (shown$smooth) {
    ggplot2::geom_ribbon(span, bands, fill = dark_blue, alpha = 0.2)
  } else {
    ggplot2::geom_linerange(span, bands, colour = dark_blue, alpha = 0.2)
  }
  ggplot2::ggplot() +
    ribbon +
    ggplot2::geom_point(ggplot2::aes(.data$at, .data$y), shown$data, size = 0.8,
                        colour = "grey30") +
    ggplot2::geom_line(ggplot2::aes(.data$at, .data$mean), shown$curve, colour = dark_blue) +
    ggplot2::labs(x = shown$label, y = fit$recipe$response)
}

gg_sd <- function(fit) {
  shown <- hetero_curve(fit)
  layer <- if (shown$smooth) ggplot2::geom_line else ggplot2::geom_point
  ggplot2::ggplot(shown$curve, ggplot2::aes(.data$at, .data$sd)) +
    layer(colour = dark_blue) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = shown$label, y = paste("sd of", fit$recipe$response))
}

gg_qq <- function(fit) {
  frame <- data.frame(residual = residuals(fit, "pearson"))
  ggplot2::ggplot(frame, ggplot2::aes(sample = .data$residual)) +
    ggplot2::geom_abline(colour = dark_blue) +
    ggplot2::geom_qq(size = 0.8, colour = "grey30") +
    ggplot2::labs(x = "Normal quantiles", y = "Pearson residuals")
}

gg_pit <- function(fit) {
  frame <- data.frame(pit = pit_values(fit))
  ggplot2::ggplot(frame, ggplot2::aes(.data$pit, ggplot2::after_stat(.data$density))) +
    ggplot2::geom_histogram(breaks = pit_breaks(fit$n), fill = "grey85", colour = "white") +
    ggplot2::geom_hline(yintercept = 1, colour = dark_blue) +
    ggplot2::labs(x = "PIT", y = "density")
}
