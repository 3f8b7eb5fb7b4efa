# Where a density is highest.

#' Modes of a density
#'
#' The local maxima of a density, in the units of the data. Those of one variable are all found, up
#' to ripples narrower than a tenth of the narrowest kernel; with several variables the search
#' climbs from many points, the landmarks where the density is high among them, and finds those it
#' leads to.
#'
#' @param object A [psd_density()].
#' @param least Modes lower than this share of the highest are left out, as ripples in the tails
#'   are.
#' @return A data frame with one row per mode, the highest first: its coordinates and the `density`
#'   there. A maximum at a bound of the support counts. A density that was fitted on another scale
#'   may rise towards a bound without end: such a mode is as near to the bound as numbers can be
#'   told apart from it.
#' @export
#' @examples
#' psd_mode(psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3))
psd_mode <- function(object, least = 0.01) {
  check_density(object)
  least <- check_number(least, min = 0, max = 1)
  found <- if (length(object$recipe$columns) == 1) line_modes(object) else climbed_modes(object)
  density <- pmin(density_at(object, found), .Machine$double.xmax)
  out <- data.frame(found, density = density, check.names = FALSE)
  names(out) <- c(object$recipe$columns, "density")
  out <- out[order(-out$density), , drop = FALSE]
  out <- out[out$density >= least * out$density[1], , drop = FALSE]
  rownames(out) <- NULL
  out
}

# Peaks of a fine grid, each refined between its neighbours.
line_modes <- function(object) {
  t <- line_grid(object)
  value <- log_density_of(object, matrix(t))
  last <- length(t)
  peak <- which(value >= c(-Inf, value[-last]) & value > c(value[-1], -Inf) & value > -Inf)
  at <- vapply(peak, function(i) {
    ends <- t[c(max(i - 1, 1), min(i + 1, last))]
    inner <- stats::optimize(function(s) log_density_of(object, matrix(s)), ends, maximum = TRUE,
                             tol = 1e-10)
    if (inner$objective > value[i]) inner$maximum else t[i]
  }, 0)
  unstandardized(matrix(at), object$units$x)
}

# Points of one variable in standardised units, over the support where there is any density to speak
# of, much closer than the kernel is wide.
line_grid <- function(object) {
  anchors <- object$functions[[1]]$anchors
  ends <- if (model_of(object)$signed) range(anchors$at) + c(-6, 6) * max(anchors$width) else
    range(inverse_of(object$functions[[1]], object$measure, matrix(c(1e-12, 1 - 1e-12))))
  box <- box_off_bounds(object)
  low <- max(ends[1], box$lower)
  high <- min(ends[2], box$upper)
  resolved_grid(low, high, anchors, step = 0.1, reach = 6, least = 1000, most = 20000)
}

# The support in standardised units. Where there is another scale its bounds are infinitely far, and
# what is too near to them to be told apart, transformed back, has no density of its own: there the
# box ends.
box_off_bounds <- function(object) {
  units <- object$units$x
  if (is.null(units$transforms)) return(object$measure[c("lower", "upper")])
  gap <- function(bound) {
    ifelse(is.finite(bound), pmax(8 * .Machine$double.eps * abs(bound), 1e-300), 0)
  }
  support <- support_of(object)
  low <- support$lower + gap(support$lower)
  ends <- standardized(rbind(low, support$upper - gap(support$upper)), units)
  list(lower = ends[1, ], upper = ends[2, ])
}

# By ascent of the log density in standardised units, from the highest landmarks.
climbed_modes <- function(object, starts = 30) {
  box <- box_off_bounds(object)
  d <- length(box$lower)
  at <- unique(object$functions[[1]]$anchors$at)
  at <- t(pmin(pmax(t(at), box$lower), box$upper))
  height <- log_density_of(object, at)
  at <- at[utils::head(order(-height), starts), , drop = FALSE]
  climbed <- apply(at, 1, function(start) climb(object, start, box)$par)
  climbed <- matrix(climbed, ncol = d, byrow = TRUE)
  height <- log_density_of(object, climbed)
  distinct_peaks(unstandardized(climbed, object$units$x)[order(-height), , drop = FALSE],
                 climbed[order(-height), , drop = FALSE], object)
}

climb <- function(object, start, box) {
  value <- function(t) max(log_density_of(object, matrix(t, 1)), -1e10)
  slope <- function(t) {
    x <- matrix(t, 1)
    out <- log_gradient(object$functions[[1]], x) - (x - object$measure$mean) / object$measure$sd^2
    for (column in seq_along(t)) {
      bend <- slope_at(t[column], object$units$x, column)$bend
      out[column] <- out[column] + bend * object$units$x$scale[column]
    }
    out
  }
  # A step from where the slope is lost in rounding would be no number.
  flat <- 1e-10 / min(object$functions[[1]]$anchors$width)
  stats::optim(start, value, slope, method = "L-BFGS-B", lower = box$lower, upper = box$upper,
               control = list(fnscale = -1, factr = 10, pgtol = flat))
}

# Of climbs that ended at the same place the highest.
distinct_peaks <- function(x, t, object) {
  width <- apply(object$functions[[1]]$anchors$width, 2, min)
  kept <- integer()
  for (i in seq_len(nrow(t))) {
    near <- vapply(kept, function(k) all(abs(t[i, ] - t[k, ]) < 0.05 * width), NA)
    if (!any(near)) kept <- c(kept, i)
  }
  x[kept, , drop = FALSE]
}
