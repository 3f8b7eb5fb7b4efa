# Pictures of a regression: plot() draws slices with base graphics, autoplot() with ggplot2.

#' Plot a regression
#'
#' The outputs along each variable, with the data; with several predictors the others are held: see
#' [slices].
#'
#' @param x,object A [psd_regression()].
#' @inheritParams slices
#' @param points Show the data near the slice?
#' @param which `"outputs"`, or `"tuning"`: the held-out loss of every candidate that was tried.
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()`: arguments for [graphics::plot.default()] such as `main`. Not used by
#'   `autoplot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @export
#' @examples
#' fit <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' plot(fit)
#' autoplot(fit)
plot.psd_regression <- function(x, columns = NULL, at = NULL, points = TRUE, n = 201,
                                which = c("outputs", "tuning"), ...) {
  if (check_choice(which, c("outputs", "tuning")) == "tuning") {
    draw_tuning(x, ...)
    return(invisible(x))
  }
  slices <- make_slices(x, columns, at, n)
  outputs <- lapply(slices, function(slice) outputs_at(x, slice$x))
  near <- unique(unlist(lapply(slices, `[[`, "near")))
  range <- range(unlist(outputs), if (points) x$y[near, ])
  colours <- output_colours(length(x$outputs))
  several <- length(x$outputs) > 1
  draw_slices(slices, function(slice, at) {
    slice_panel(slice, range, paste(x$outputs, collapse = ", "), ...)
    values <- outputs_at(x, slice$x)
    for (j in seq_along(x$outputs)) {
      if (points) slice_points(slice, x$y[, j], pch = 20, cex = 0.6, col = faint(colours[j]))
      slice_curve(slice, at, values[, j], colours[j])
    }
  }, if (several) x$outputs, colours)
  invisible(x)
}

#' @rdname plot.psd_regression
#' @importFrom ggplot2 autoplot
#' @export
autoplot.psd_regression <- function(object, columns = NULL, at = NULL, points = TRUE, n = 201,
                                    which = c("outputs", "tuning"), bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  if (check_choice(which, c("outputs", "tuning")) == "tuning") return(gg_tuning(object))
  slices <- make_slices(object, columns, at, n)
  outputs <- object$outputs
  frame <- slice_frame(slices, function(slice) {
    u <- outputs_at(object, slice$x)
    data.frame(output = factor(rep(outputs, each = nrow(u)), outputs), value = as.vector(u))
  })
  shown <- ggplot2::aes(.data$at, .data$value, colour = .data$output)
  data <- do.call(rbind, lapply(seq_along(outputs), function(j) {
    own <- data.frame(output = factor(outputs[j], outputs), value = object$y[, j])
    near_frame(slices, own)
  }))
  single <- length(outputs) == 1
  ggplot2::ggplot() +
    (if (points) ggplot2::geom_point(shown, data, size = 0.8, alpha = 0.5)) +
    slice_layers(frame, shown) +
    ggplot2::scale_colour_manual(values = output_colours(length(outputs)), name = NULL,
                                 guide = if (single) "none" else "legend") +
    slice_facets(slices) +
    ggplot2::labs(y = if (single) outputs)
}

output_colours <- function(count) {
  if (count == 1) "steelblue" else grDevices::hcl.colors(count, "Dark 3")
}

faint <- function(colours) grDevices::adjustcolor(colours, 0.5)
