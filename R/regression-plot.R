# Pictures of a regression: regression_slices() computes; plot() draws with base graphics,
# autoplot() with ggplot2.

#' Plot a regression
#'
#' The outputs along each predictor, the others held at their medians (or at `at`). With a single
#' predictor the data are shown too.
#'
#' @param x,object A [psd_regression()].
#' @param columns Names or numbers of predictors to vary; by default the first four.
#' @param at Values at which the other predictors are held: one a column, named or in order.
#' @param points Show the data, if there is a single predictor?
#' @param n Number of points of the grid.
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
  slices <- regression_slices(x, columns, at, n)
  points <- points && ncol(x$x) == 1
  colours <- output_colours(length(x$outputs))
  panels <- split(slices, slices$column)
  if (length(panels) > 1) {
    before <- graphics::par(mfrow = grDevices::n2mfrow(length(panels)))
    on.exit(graphics::par(before))
  }
  range <- range(slices$value, if (points) x$y)
  for (panel in panels) {
    args <- list(x = range(panel$x), y = range, type = "n", xlab = as.character(panel$column[1]),
                 ylab = paste(x$outputs, collapse = ", "))
    plot_with(args, ...)
    if (points) graphics::matpoints(x$x[, 1], x$y, pch = 20, cex = 0.6, col = faint(colours))
    for (j in seq_along(x$outputs)) {
      curve <- panel[panel$output == x$outputs[j], ]
      graphics::lines(curve$x, curve$value, lwd = 2, col = colours[j])
    }
    if (length(x$outputs) > 1) {
      graphics::legend("topleft", x$outputs, col = colours, lwd = 2, bty = "n")
    }
  }
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
  slices <- regression_slices(object, columns, at, n)
  out <- ggplot2::ggplot(slices, ggplot2::aes(.data$x, .data$value, colour = .data$output))
  if (points && ncol(object$x) == 1) {
    data <- data.frame(x = rep(object$x[, 1], length(object$outputs)), value = as.vector(object$y),
                       output = factor(rep(object$outputs, each = object$n), object$outputs))
    out <- out + ggplot2::geom_point(data = data, size = 0.8, alpha = 0.5)
  }
  single <- length(object$outputs) == 1
  out <- out + ggplot2::geom_line(linewidth = 0.9) +
    ggplot2::scale_colour_manual(values = output_colours(length(object$outputs)), name = NULL,
                                 guide = if (single) "none" else "legend") +
    ggplot2::labs(x = NULL, y = if (single) object$outputs)
  if (nlevels(slices$column) > 1) {
    out + ggplot2::facet_wrap(ggplot2::vars(.data$column), scales = "free_x")
  } else {
    out + ggplot2::labs(x = levels(slices$column))
  }
}

# A long data frame: column varied, x, output, value.
regression_slices <- function(object, columns, at, n, call = rlang::caller_env()) {
  known <- object$recipe$columns
  columns <- if (is.null(columns)) seq_len(min(length(known), 4))
             else check_columns(columns, known, call = call)
  n <- check_count(n, min = 2, call = call)
  held <- slice_point(object, at, call)
  slices <- lapply(columns, function(column) {
    range <- range(object$x[, column])
    grid <- matrix(held, n, length(known), byrow = TRUE)
    grid[, column] <- seq(range[1], range[2], length.out = n)
    data.frame(column = factor(known[column], known[columns]),
               x = rep(grid[, column], length(object$outputs)),
               output = factor(rep(object$outputs, each = n), object$outputs),
               value = as.vector(outputs_at(object, grid)))
  })
  do.call(rbind, slices)
}

slice_point <- function(object, at, call) {
  held <- apply(object$x, 2, stats::median)
  if (is.null(at)) return(held)
  if (is.null(names(at))) {
    return(check_numbers(unlist(at), size = length(held), arg = "at", call = call))
  }
  held[check_columns(names(at), names(held), arg = "at", call = call)] <-
    check_numbers(unlist(at), arg = "at", call = call)
  held
}

output_colours <- function(count) {
  if (count == 1) "steelblue" else grDevices::hcl.colors(count, "Dark 3")
}

faint <- function(colours) grDevices::adjustcolor(colours, 0.5)
