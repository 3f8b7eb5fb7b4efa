# Regions of highest density.

#' Regions of highest density
#'
#' The smallest region that has a probability: where the density is at least a level. A point `x` is
#' in it if `predict(object, x)` is at least that `level`.
#'
#' @param object A [psd_density()], not of model `"pnm"`.
#' @param probs Probabilities of the regions.
#' @param n With two variables, the number of points of the grid along each axis; with more, the
#'   number of draws from which the levels are estimated.
#' @return A data frame. For one variable one row an interval: `prob`, the `level` of the density at
#'   its ends, `lower` and `upper`, exact to rounding; an end may be a bound of the support. For two
#'   the boundary of each region: `prob`, `level`, the number of its closed `piece` and the
#'   coordinates along it, in order; its level is that of a grid. For more one row per probability:
#'   `prob`, `level` and `error`, the standard error of the probability of the region.
#' @export
#' @examples
#' psd_hdr(psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3))
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' region <- psd_hdr(fit, 0.9)
#' plot(faithful)
#' for (piece in split(region, region$piece)) polygon(piece$eruptions, piece$waiting)
psd_hdr <- function(object, probs = c(0.5, 0.8, 0.95), n = NULL) {
  check_density(object)
  check_not_signed(object, rlang::current_env())
  probs <- sort(check_numbers(probs, above = 0, below = 1))
  d <- length(object$recipe$columns)
  n <- check_count(n %||% (if (d == 2) 201 else 20000), min = 10)
  regions <- switch(min(d, 3), line_regions, plane_regions, drawn_regions)
  regions(object, probs, n)
}

# On the line the probability of {p >= level} is the sum over intervals, whose ends are roots, of
# differences of the distribution function.
line_regions <- function(object, probs, n) {
  grid <- with_highest(object, line_grid(object))
  value <- log_density_of(object, matrix(grid))
  whole <- diff(cdf_of(object, matrix(range(grid))))
  mass <- function(level) {
    ends <- level_crossings(object, grid, value, level)
    sum(cdf_of(object, matrix(ends[, 2])) - cdf_of(object, matrix(ends[, 1]))) / whole
  }
  do.call(rbind, lapply(probs, function(prob) {
    level <- level_of(function(level) mass(level) - prob, max(value) - c(60, 1e-9))
    ends <- level_crossings(object, grid, value, level)
    x <- matrix(unstandardized(matrix(ends), object$units$x), ncol = 2)
    data.frame(prob = prob, level = exp(level), lower = x[, 1], upper = x[, 2])
  }))
}

# The grid and, between its points, that of the highest density.
with_highest <- function(object, grid) {
  value <- log_density_of(object, matrix(grid))
  beside <- range(pmin(pmax(which.max(value) + c(-1, 1), 1), length(grid)))
  found <- stats::optimize(function(t) log_density_of(object, matrix(t)), grid[beside],
                           maximum = TRUE, tol = 1e-10)
  if (isTRUE(found$objective > max(value))) sort(c(grid, found$maximum)) else grid
}

# The root of a function that falls; one of the `ends`, if it lies beyond them.
level_of <- function(f, ends) {
  at <- c(f(ends[1]), f(ends[2]))
  if (at[1] <= 0) return(ends[1])
  if (at[2] >= 0) return(ends[2])
  stats::uniroot(f, ends, f.lower = at[1], f.upper = at[2], tol = 1e-12)$root
}

# The intervals on which the log density is above a level, one row each.
level_crossings <- function(object, grid, value, level) {
  above <- value >= level
  last <- length(grid)
  # At the ends by the values of the grid: one point alone may be rounded to the other side.
  over <- function(value) pmax(value, level - 1e3) - level
  edge <- function(i, j) {
    stats::uniroot(function(t) over(log_density_of(object, matrix(t))), grid[c(i, j)],
                   f.lower = over(value[i]), f.upper = over(value[j]), tol = 1e-13)$root
  }
  starts <- which(above & !c(FALSE, above[-last]))
  stops <- which(above & !c(above[-1], FALSE))
  lower <- vapply(starts, function(i) if (i == 1) object$measure$lower else edge(i - 1, i), 0)
  upper <- vapply(stops, function(i) if (i == last) object$measure$upper else edge(i, i + 1), 0)
  cbind(lower, upper)
}

# A frame of zeros around the grid closes the pieces at the bounds of the support.
plane_regions <- function(object, probs, n, call = rlang::caller_env(2)) {
  surface <- density_surface(object, probs, n)
  if (!surface$resolved) {
    abort(c("{.arg n} must be larger: the density of {.field {object$recipe$columns}} is too narrow
             for a grid of {n} by {n} points.", i = "Or look for outliers."),
          class = "psd_unresolved", call = call)
  }
  framed <- function(axis) {
    # at least to the next number
    margin <- max(1e-6 * diff(range(axis)), 2 * .Machine$double.eps * max(abs(axis)), 5e-324)
    c(axis[1] - margin, axis, axis[n] + margin)
  }
  z <- matrix(0, n + 2, n + 2)
  z[seq_len(n) + 1, seq_len(n) + 1] <- pmax(surface$z, 0)
  lines <- grDevices::contourLines(framed(surface$x), framed(surface$y), z,
                                   levels = surface$levels)
  names <- object$recipe$columns
  do.call(rbind, lapply(seq_along(lines), function(piece) {
    line <- lines[[piece]]
    out <- data.frame(prob = probs[which.min(abs(surface$levels - line$level))],
                      level = line$level, piece = piece, line$x, line$y)
    stats::setNames(out, c("prob", "level", "piece", names))
  }))
}

# The density at draws from it has the levels as its quantiles.
drawn_regions <- function(object, probs, n, call = rlang::caller_env(2)) {
  draws <- density_draws(object, n, call)
  heights <- density_at(object, as.matrix(draws))
  data.frame(prob = probs, level = stats::quantile(heights, 1 - probs, names = FALSE),
             error = sqrt(probs * (1 - probs) / n))
}
