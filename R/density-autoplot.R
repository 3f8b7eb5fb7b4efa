#' @rdname plot.psd_density
#' @importFrom ggplot2 autoplot
#' @export
autoplot.psd_density <- function(object, probs = c(0.5, 0.8, 0.95), rug = TRUE, points = TRUE,
                                 histogram = FALSE, truth = NULL, columns = NULL, data = NULL,
                                 n = NULL, which = c("density", "tuning"), bands = NULL, ...) {
  check_dots()
  if (!is.null(bands)) return(autoplot_bands(object, bands))
  if (check_choice(which, c("density", "tuning")) == "tuning") return(gg_tuning(object))
  spec <- plot_spec(object, probs, columns, data, n, parent.frame())
  truth <- check_function(truth)
  d <- length(spec$columns)
  if (d == 1) {
    return(ggplot_curve(shown_density(object, spec$columns), within_data(spec, spec$columns), rug,
                        histogram, truth))
  }
  if (d == 2) return(ggplot_regions(shown_density(object, spec$columns), spec, points))
  ggplot_matrix(object, spec, points)
}

ggplot_curve <- function(x, spec, rug, histogram, truth) {
  curve <- density_curve(x, spec$n)
  points <- if (!is.null(spec$data)) data.frame(x = spec$data[, 1])
  out <- ggplot2::ggplot(curve, ggplot2::aes(.data$x, .data$density))
  if (histogram && !is.null(points)) {
    bars <- graphics::hist(points$x, breaks = "FD", plot = FALSE)
    out <- out + ggplot2::geom_histogram(
      ggplot2::aes(.data$x, ggplot2::after_stat(.data$density)), data = points,
      breaks = bars$breaks, inherit.aes = FALSE, fill = "grey90", colour = "grey70"
    )
  }
  if (!is.null(truth)) {
    curve$truth <- truth(curve$x)
    out <- out + ggplot2::geom_line(ggplot2::aes(y = .data$truth), data = curve,
                                    linetype = "dashed", colour = "darkorange")
  }
  if (rug && !is.null(points)) {
    out <- out + ggplot2::geom_rug(ggplot2::aes(.data$x), data = points, inherit.aes = FALSE,
                                   alpha = 0.4)
  }
  out + ggplot2::geom_line(colour = "steelblue", linewidth = 0.9) +
    date_scale(x$recipe, x$recipe$columns, ggplot2::scale_x_continuous) +
    ggplot2::labs(x = x$recipe$columns, y = "density")
}

# Filled regions, as a list of layers for a frame with columns x, y, region.
region_layers <- function(frame, probs) {
  list(
    ggplot2::geom_contour_filled(ggplot2::aes(.data$x, .data$y, z = .data$region), data = frame,
                                 breaks = seq_len(length(probs) + 1)),
    ggplot2::scale_fill_manual(values = region_colours(length(probs)), drop = FALSE,
                               labels = paste0(100 * rev(probs), "%"), name = "probability")
  )
}

# The density on the scale of the regions, which surfaces of different heights share: 1 at the
# border of the widest, 2 at that of the next, ...
surface_frame <- function(surface) {
  if (!surface$resolved) surface$grid <- surface$grid[0, ]
  marks <- c(0, rev(surface$levels), 1.01 * max(surface$z))
  region <- stats::approx(marks, seq_along(marks) - 1, surface$grid$density, ties = "ordered",
                          rule = 2)$y
  data.frame(x = surface$grid[[1]], y = surface$grid[[2]], region = region)
}

ggplot_regions <- function(x, spec, points) {
  surface <- drawn_surface(x, spec$probs, spec$n)
  out <- ggplot2::ggplot() +
    region_layers(surface_frame(surface), spec$probs)
  if (points && !is.null(spec$data)) {
    data <- data.frame(x = spec$data[, x$recipe$columns[1]], y = spec$data[, x$recipe$columns[2]])
    out <- out + ggplot2::geom_point(ggplot2::aes(.data$x, .data$y), data = data, size = 0.6,
                                     alpha = 0.5)
  }
  names <- x$recipe$columns
  out + date_scale(x$recipe, names[1], ggplot2::scale_x_continuous) +
    date_scale(x$recipe, names[2], ggplot2::scale_y_continuous) +
    ggplot2::labs(x = names[1], y = names[2])
}

# Marginals of one variable on the diagonal, scaled to their panel; of two below it. The axis at the
# left of the first row would be that of a density, but scaled: its panel stands far off, so that
# the scale knows it and draws no axis there.
ggplot_matrix <- function(x, spec, points) {
  names <- x$recipe$columns
  panel <- function(frame, i, j) {
    frame$row <- rep(factor(names[i], names[spec$columns]), nrow(frame))
    frame$column <- rep(factor(names[j], names[spec$columns]), nrow(frame))
    frame
  }
  far <- 1000 * (1 + max(abs(x$range)))
  out <- ggplot2::ggplot()
  spec <- with_marginals(spec, x)
  for (j in spec$columns) {
    curve <- density_curve(spec$marginals[[j]], 201, spec$ranges[[j]])
    share <- curve$density / max(curve$density)
    curve$density <- if (j == spec$columns[1]) far + share
                     else min(curve$x) + diff(range(curve$x)) * share
    out <- out + ggplot2::geom_line(ggplot2::aes(.data$x, .data$density), colour = "steelblue",
                                    data = panel(curve, j, j))
    for (i in spec$columns[spec$columns > j]) {
      surface <- drawn_surface(shown_marginal(x, c(j, i)), spec$probs, min(spec$n, 61),
                               spec$ranges[c(j, i)])
      frame <- panel(surface_frame(surface), i, j)
      out <- out + region_layers(frame, spec$probs)[1]
      if (points && !is.null(spec$data)) {
        data <- data.frame(x = spec$data[, names[j]], y = spec$data[, names[i]])
        out <- out + ggplot2::geom_point(ggplot2::aes(.data$x, .data$y), data = panel(data, i, j),
                                         size = 0.4, alpha = 0.4)
      }
    }
  }
  out + region_layers(frame, spec$probs)[2] +
    ggplot2::facet_grid(row ~ column, scales = "free", switch = "y") +
    matrix_scale(x, spec$columns, ggplot2::scale_x_continuous, far) +
    matrix_scale(x, spec$columns, ggplot2::scale_y_continuous, far) +
    ggplot2::labs(x = NULL, y = NULL)
}

# The axes of a matrix: all panels share one scale, which knows the column, and whether it has
# dates, by where it is.
matrix_scale <- function(x, columns, scale, far) {
  ranges <- x$range[, columns, drop = FALSE]
  shown <- function(at) {
    distance <- abs(colMeans(ranges) - mean(at, na.rm = TRUE)) / (ranges[2, ] - ranges[1, ])
    nearest <- columns[which.min(distance)] # none for the limits of an empty panel
    if (length(nearest) == 0) at else as_shown(at, x$recipe, x$recipe$columns[nearest])
  }
  scale(breaks = function(limits) if (limits[1] < far / 2) as.numeric(pretty(shown(limits), 4)),
        labels = function(at) if (all(is.na(at))) rep("", length(at)) else format(shown(at)),
        guide = ggplot2::guide_axis(check.overlap = TRUE))
}
