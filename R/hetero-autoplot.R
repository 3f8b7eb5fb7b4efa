#' @rdname plot.psd_hetero
#' @export
autoplot.psd_hetero <- function(object, which = c("mean", "sd", "qq", "pit", "tuning"),
                                level = c(0.5, 0.95), columns = NULL, at = NULL, n = 400,
                                bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  which <- check_choice(which, c("mean", "sd", "qq", "pit", "tuning"))
  level <- check_numbers(level, above = 0, below = 1)
  slices <- if (which %in% c("mean", "sd")) make_slices(object, columns, at, n)
  switch(which, tuning = gg_tuning(object), mean = gg_mean(object, slices, level),
         sd = gg_sd(object, slices), qq = gg_qq(object), pit = gg_pit(object))
}

gg_mean <- function(fit, slices, level) {
  bands <- slice_frame(slices, function(slice) hetero_bands(gaussian_at(fit, slice$x), level))
  bands$band <- factor(bands$band, unique(bands$band))
  curve <- slice_frame(slices, function(slice) as.data.frame(gaussian_at(fit, slice$x)))
  span <- ggplot2::aes(.data$at, ymin = .data$lower, ymax = .data$upper, group = .data$band)
  bars <- ggplot2::aes(xmin = .data$at - 0.2 * .data$step, xmax = .data$at + 0.2 * .data$step,
                       ymin = .data$lower, ymax = .data$upper)
  ggplot2::ggplot() +
    (if (any(!bands$level)) {
      ggplot2::geom_ribbon(span, bands[!bands$level, ], fill = dark_blue, alpha = 0.2)
    }) +
    (if (any(bands$level)) {
      ggplot2::geom_rect(bars, bands[bands$level, ], fill = dark_blue, alpha = 0.2)
    }) +
    ggplot2::geom_point(ggplot2::aes(.data$at, .data$y), size = 0.8, colour = "grey30",
                        near_frame(slices, data.frame(y = fit$y))) +
    slice_layers(curve, ggplot2::aes(.data$at, .data$mean), dark_blue) +
    slice_facets(slices) +
    ggplot2::labs(y = fit$recipe$response)
}

gg_sd <- function(fit, slices) {
  curve <- slice_frame(slices, function(slice) as.data.frame(gaussian_at(fit, slice$x)))
  ggplot2::ggplot() +
    slice_layers(curve, ggplot2::aes(.data$at, .data$sd), dark_blue) +
    ggplot2::expand_limits(y = 0) +
    slice_facets(slices) +
    ggplot2::labs(y = paste("sd of", fit$recipe$response))
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
