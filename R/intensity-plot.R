#' Plot an intensity
#'
#' On the line, the curve over the window with the points as a rug; in the plane, a map with the
#' points.
#'
#' @param x,object A [psd_intensity()] of one or two coordinates.
#' @param points Show the points?
#' @param n Number of points of the grid along each axis.
#' @param which `"intensity"`, or `"tuning"`: the held-out loss of every candidate that was tried.
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()`: arguments for [graphics::plot.default()] such as `main`. Not used by
#'   `autoplot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @export
#' @examples
#' fit <- psd_intensity(faithful, lower = c(1, 40), upper = c(6, 100), sigma = 0.7, lambda = 1e-2)
#' plot(fit)
#' autoplot(fit)
plot.psd_intensity <- function(x, points = TRUE, n = NULL, which = c("intensity", "tuning"), ...) {
  if (check_choice(which, c("intensity", "tuning")) == "tuning") {
    draw_tuning(x, ...)
    return(invisible(x))
  }
  grid <- intensity_grid(x, n)
  names <- x$recipe$columns
  if (length(names) == 1) {
    args <- list(x = as_shown(grid$points[, 1], x$recipe, names), y = grid$intensity, type = "l",
                 lwd = 2, col = "steelblue", xlab = names, ylab = "intensity",
                 ylim = c(0, max(grid$intensity)))
    plot_with(args, ...)
    if (points) graphics::rug(x$x[, 1], col = "grey30")
  } else {
    args <- list(x = grid$axes[[1]], y = grid$axes[[2]], xlab = names[1], ylab = names[2],
                 z = matrix(grid$intensity, length(grid$axes[[1]])),
                 col = grDevices::hcl.colors(64, "Blues 3", rev = TRUE))
    do.call(graphics::image, utils::modifyList(args, list(...)))
    if (points) graphics::points(x$x, pch = 20, cex = 0.4, col = "grey20")
  }
  invisible(x)
}

#' @rdname plot.psd_intensity
#' @importFrom ggplot2 autoplot
#' @export
autoplot.psd_intensity <- function(object, points = TRUE, n = NULL,
                                   which = c("intensity", "tuning"), bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  if (check_choice(which, c("intensity", "tuning")) == "tuning") return(gg_tuning(object))
  grid <- intensity_grid(object, n)
  names <- object$recipe$columns
  frame <- data.frame(grid$points, grid$intensity)
  at <- as.data.frame(object$x)
  if (length(names) == 1) {
    names(frame) <- c("x", "intensity")
    names(at) <- "x"
    out <- ggplot2::ggplot(frame, ggplot2::aes(.data$x, .data$intensity)) +
      ggplot2::geom_line(colour = "steelblue", linewidth = 0.9) +
      ggplot2::expand_limits(y = 0) + ggplot2::labs(x = names) +
      date_scale(object$recipe, names, ggplot2::scale_x_continuous)
    if (!points) return(out)
    return(out + ggplot2::geom_rug(ggplot2::aes(.data$x), data = at, inherit.aes = FALSE,
                                   alpha = 0.4))
  }
  names(frame) <- c("x", "y", "intensity")
  names(at) <- c("x", "y")
  out <- ggplot2::ggplot(frame, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$intensity)) +
    ggplot2::scale_fill_gradientn(colours = grDevices::hcl.colors(16, "Blues 3", rev = TRUE)) +
    ggplot2::labs(x = names[1], y = names[2])
  if (points) out <- out + ggplot2::geom_point(data = at, size = 0.6, alpha = 0.6)
  out
}

intensity_grid <- function(x, n, call = rlang::caller_env()) {
  d <- length(x$recipe$columns)
  if (d > 2) {
    abort(c("Plots are for intensities of one or two coordinates; this one has {d}.",
            i = "Use {.fn predict} on a grid of your own."), call = call)
  }
  n <- check_count(n %||% c(401, 101)[d], min = 2, arg = "n", call = call)
  axes <- Map(function(from, to) seq(from, to, length.out = n), x$window$lower, x$window$upper)
  points <- as.matrix(expand.grid(axes))
  list(axes = unname(axes), points = points, intensity = density_at(x, points))
}
