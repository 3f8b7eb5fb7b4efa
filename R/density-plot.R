# Pictures of a density. density_curve() and density_surface() compute; plot() draws them with base
# graphics, autoplot() (R/density-autoplot.R) with ggplot2.

#' Plot a density
#'
#' One variable: the curve, with the data as a rug. Two: regions of highest density (each the
#' smallest region of its probability) with the data. More: a matrix of plots of the marginals.
#'
#' @param x,object A [psd_density()].
#' @param probs Probabilities of the regions of highest density.
#' @param rug,points Show the data?
#' @param histogram Draw a histogram of the data under the curve?
#' @param truth A function to compare with: drawn dashed, for one variable.
#' @param columns With more than two variables: names or numbers of those to show. By default the
#'   first five.
#' @param data The data to show; by default the rows that the fit keeps, at most a thousand. A
#'   conditional density has none.
#' @param n Number of points of the grid along each axis.
#' @param which `"density"`, or `"tuning"`: the held-out loss of every candidate that was tried.
#' @param bands A [psd_boot()] of the fit: `autoplot()` draws its bands instead.
#' @param ... For `plot()`: arguments for [graphics::plot.default()] such as `main`. Not used by
#'   `autoplot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @export
#' @examples
#' plot(psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3))
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' plot(fit)
#' autoplot(fit)
plot.psd_density <- function(x, probs = c(0.5, 0.8, 0.95), rug = TRUE, points = TRUE,
                             histogram = FALSE, truth = NULL, columns = NULL, data = NULL, n = NULL,
                             which = c("density", "tuning"), ...) {
  if (check_choice(which, c("density", "tuning")) == "tuning") {
    draw_tuning(x, ...)
    return(invisible(x))
  }
  truth <- check_function(truth)
  spec <- plot_spec(x, probs, columns, data, n, parent.frame())
  d <- length(spec$columns)
  if (d == 1) {
    plot_curve(shown_density(x, spec$columns), within_data(spec, spec$columns), rug, histogram,
               truth, ...)
  } else if (d == 2) {
    plot_regions(shown_density(x, spec$columns), spec, points, ...)
  } else {
    before <- graphics::par(mfrow = c(d, d), mar = c(3.5, 3.5, 1.5, 0.5), mgp = c(2, 0.7, 0))
    on.exit(graphics::par(before))
    spec <- with_marginals(spec, x)
    for (i in spec$columns) for (j in spec$columns) plot_cell(x, i, j, spec, rug, points)
  }
  invisible(x)
}

# What all pictures need: columns to show, probabilities, the data if they can be found, grid size.
plot_spec <- function(x, probs, columns, data, n, env, call = rlang::caller_env()) {
  probs <- sort(check_numbers(probs, above = 0, below = 1, call = call))
  known <- x$recipe$columns
  columns <- if (is.null(columns)) seq_len(min(length(known), 5))
             else check_columns(columns, known, call = call)
  n <- n %||% (if (length(columns) == 1) 512 else 101)
  n <- check_count(n, min = 2, call = call)
  points <- if (is.null(data)) x$sample else training_points(x, data, env, call)
  list(columns = columns, probs = probs, data = points, n = n)
}

# The range of the data and of all but a thousandth of the probability at each end, with a margin,
# inside the support. Of a function that cannot be inverted, as it has negative parts or no root,
# two kernel widths show the ends.
plot_range <- function(marginal) {
  ends <- if (model_of(marginal)$signed || !can_invert(marginal$functions[[1]])) {
    widths <- marginal$functions[[1]]$anchors$width
    reach <- c(-2, 2) * max(widths[is.finite(widths)], 0)
    unstandardized(standardized(matrix(range(marginal$range)), marginal$units$x) + reach,
                   marginal$units$x)
  } else {
    quantile(marginal, c(0.001, 0.999), names = FALSE)
  }
  conditional <- identical(marginal$origin$type, "conditional")
  widened(if (conditional) ends else range(ends, marginal$range), support_of(marginal))
}

widened <- function(range, support, column = 1) {
  range <- range + c(-0.1, 0.1) * diff(range)
  c(max(range[1], support$lower[column]), min(range[2], support$upper[column]))
}

shown_density <- function(x, columns) {
  all <- identical(as.integer(columns), seq_along(x$recipe$columns))
  if (all) x else psd_marginal(x, columns)
}

density_curve <- function(x, n, range = plot_range(x)) {
  at <- seq(range[1], range[2], length.out = n)
  data.frame(x = at, density = density_at(x, matrix(at)))
}

# A grid of a density of two variables, with the thresholds of the regions of highest density. The
# marginals of an exponential are not known; it is shown where the data are.
density_surface <- function(x, probs, n, ranges = surface_ranges(x)) {
  axes <- lapply(ranges, function(range) seq(range[1], range[2], length.out = n))
  grid <- expand.grid(axes)
  z <- density_at(x, as.matrix(grid))
  falling <- sort(pmax(z, 0), decreasing = TRUE)
  mass <- cumsum(falling) / sum(falling)
  levels <- vapply(probs, function(p) falling[which(mass >= p)[1]], 0)
  resolved <- isTRUE(all(diff(c(0, rev(levels), falling[1])) > 0))
  list(resolved = resolved, x = axes[[1]], y = axes[[2]], grid = cbind(grid, density = z),
       z = matrix(z, n, n), levels = levels)
}

surface_ranges <- function(x) {
  lapply(1:2, function(column) {
    if (model_of(x)$closed_form) plot_range(psd_marginal(x, column))
    else widened(x$range[, column], support_of(x), column)
  })
}

# The same for a picture, which goes on without regions.
drawn_surface <- function(x, probs, n, ranges = surface_ranges(x)) {
  surface <- density_surface(x, probs, n, ranges)
  if (!surface$resolved) {
    cli::cli_warn(c("The density of {.field {x$recipe$columns}} is too narrow for a grid of {n} by
                     {n} points: no regions are drawn.",
                    i = "Raise {.arg n}, or look for outliers."), class = "psd_unresolved")
  }
  surface
}

# From the widest region to the narrowest, none so dark as to hide the data.
region_colours <- function(count) {
  grDevices::hcl.colors(count + 2, "Blues 3", rev = TRUE)[seq_len(count) + 1]
}

plot_curve <- function(x, spec, rug, histogram, truth, ...) {
  curve <- density_curve(x, spec$n, spec$shown %||% plot_range(x))
  bars <- if (histogram && !is.null(spec$data)) {
    graphics::hist(spec$data[, 1], breaks = "FD", plot = FALSE)
  }
  expected <- if (!is.null(truth)) truth(curve$x)
  shown <- range(0, curve$density, bars$density, expected)
  args <- list(x = as_shown(curve$x, x$recipe, x$recipe$columns), y = curve$density, type = "n",
               xlab = x$recipe$columns,
               ylab = "density", ylim = shown)
  plot_with(args, ...)
  if (!is.null(bars)) {
    graphics::plot(bars, freq = FALSE, add = TRUE, col = "grey90", border = "grey70")
  }
  if (!is.null(expected)) graphics::lines(curve$x, expected, lty = 2, col = "darkorange")
  graphics::lines(curve$x, curve$density, lwd = 2, col = "steelblue")
  if (rug && !is.null(spec$data)) graphics::rug(spec$data[, 1], col = "grey30")
}

plot_regions <- function(x, spec, points, ...) {
  surface <- drawn_surface(x, spec$probs, spec$n, spec$shown %||% surface_ranges(x))
  names <- x$recipe$columns
  args <- list(x = as_shown(range(surface$x), x$recipe, names[1]),
               y = as_shown(range(surface$y), x$recipe, names[2]), type = "n", xlab = names[1],
               ylab = names[2], xaxs = "i", yaxs = "i")
  plot_with(args, ...)
  if (surface$resolved) {
    levels <- c(rev(surface$levels), 1.01 * max(surface$z))
    graphics::.filled.contour(surface$x, surface$y, surface$z, levels,
                              region_colours(length(spec$probs)))
  }
  if (points && !is.null(spec$data)) {
    graphics::points(spec$data[, names, drop = FALSE], pch = 20, cex = 0.4, col = "grey20")
  }
  if (surface$resolved) {
    graphics::contour(surface$x, surface$y, surface$z, levels = surface$levels,
                      labels = paste0(100 * spec$probs, "%"), add = TRUE, col = "grey40")
  }
}

plot_cell <- function(x, i, j, spec, rug, points) {
  spec$n <- min(spec$n, 61)
  if (i == j) {
    spec$shown <- spec$ranges[[i]]
    plot_curve(spec$marginals[[i]], within_data(spec, i), rug, FALSE, NULL,
               main = x$recipe$columns[i])
  } else if (i > j) {
    spec$shown <- spec$ranges[c(j, i)]
    plot_regions(shown_marginal(x, c(j, i)), spec, points)
  } else {
    graphics::plot.new()
  }
}

within_data <- function(spec, column) {
  if (!is.null(spec$data)) spec$data <- spec$data[, column, drop = FALSE]
  spec
}
