# Probabilities of boxes under a density whose kernel is turned. Columns without bounds are
# integrated out, in closed form; of those that are left the box is slanted in z, its sides in each
# coordinate depend on the coordinates before: by quadrature, unless there is only one.

turned_box_mass <- function(object, lower, upper) {
  vapply(seq_len(nrow(lower)), function(i) {
    if (any(lower[i, ] >= upper[i, ])) return(0)
    columns <- which(lower[i, ] > -Inf | upper[i, ] < Inf)
    if (length(columns) == 0) return(1)
    if (length(columns) > most_slanted) abort_slanted(length(columns))
    marginal <- psd_marginal(object, columns)
    unit <- object$units$x$scale[columns] / marginal$units$x$scale
    low <- lower[i, columns] * unit
    high <- upper[i, columns] * unit
    if (is_turned(marginal)) slanted_mass(marginal, low, high)
    else box_mass(marginal, matrix(low, 1), matrix(high, 1))
  }, 0)
}

# The time of quadrature grows by a factor of a hundred with each column.
most_slanted <- 3

abort_slanted <- function(count) {
  abort(c("Probabilities of boxes with bounds in more than {most_slanted} columns ({count} here) are
           not known where the kernel is turned.",
          i = "Fit with {.code shape = \"axes\"}, or take the share of draws ({.fn simulate}) that
               fall into the box."), class = "psd_no_closed_form", call = NULL)
}

# The integral over one box in scaled units.
slanted_mass <- function(object, lower, upper) {
  f <- object$functions[[1]]
  # The factor goes to the coefficients, as values are quicker to come by than logs.
  f <- times(f, exp(object$log_scale / if (f$type == "psd") 2 else 1))
  box <- list(lower = lower, upper = upper, turn = object$units$x$turn,
              steep = steepness(object$units$x$turn))
  slanted_sum(f, box, matrix(0, 1, 0), 1)
}

# By how much quicker than the density its integral over the coordinates after the k-th changes with
# the k-th: as the sides of the box do, alone or where they meet.
steepness <- function(turn) {
  corner <- diag(turn) * backsolve(turn, diag(nrow(turn)))
  side <- sweep(turn, 2, diag(turn), "/")
  rate <- pmax(abs(corner), abs(side))
  sqrt(rowSums(rate^2))
}

# The sum of f over nodes whose first coordinates (rows of z) are known: Gauss-Legendre nodes in
# cells of the next, cell by cell, as only the anchors near a cell count there.
slanted_sum <- function(f, box, z, weight) {
  k <- ncol(z) + 1
  moved <- drop(z %*% box$turn[seq_len(k - 1), k])
  low <- (box$lower[k] - moved) / box$turn[k, k]
  high <- (box$upper[k] - moved) / box$turn[k, k]
  cells <- slanted_cells(f, k, min(low), max(high), box$steep[k])
  last <- k == length(box$lower)
  mass <- 0
  for (one in if (last) list(cells) else cells_apart(cells)) {
    near <- if (last) f else anchors_near(f, k, one$from, one$to)
    grid <- slanted_nodes(z, weight, low, high, one)
    if (length(grid$weight) == 0 || nrow(near$coefficients) == 0) next
    mass <- mass + if (last) sum(grid$weight * values_at(near, grid$z))
                   else slanted_sum(near, box, grid$z, grid$weight)
  }
  mass
}

# Cells (from, to) of coordinate k, between two ends, up to where all sections are so small that
# their squares are below 1e-13. The twelve nodes in each of them leave an error of about 1e-9.
slanted_cells <- function(f, k, low, high, steep) {
  at <- f$anchors$at[, k]
  width <- f$anchors$width[, k]
  low <- max(low, min(at - 5.5 * width))
  high <- min(high, max(at + 5.5 * width))
  if (low >= high) return(list(from = numeric(), to = numeric()))
  ends <- graded_ends(low, high, at, 3.5 * width / steep, far_widths * width)
  list(from = ends[-length(ends)], to = ends[-1])
}

# Beyond so many widths a section is below 1e-11.
far_widths <- 7

# From `low` to `high` in steps that are no longer than the `longest` of any anchor within `reach`:
# narrow kernels need short ones, but only where they are.
graded_ends <- function(low, high, at, longest, reach) {
  ends <- low
  while (low < high) {
    ahead <- at + reach > low
    step <- pmax(longest, at - reach - low)[ahead]
    low <- min(low + min(step, Inf), high)
    ends <- c(ends, low)
  }
  ends
}

cells_apart <- function(cells) {
  lapply(seq_along(cells$from), function(i) list(from = cells$from[i], to = cells$to[i]))
}

# The function without the anchors whose sections are below 1e-11 all over a cell.
anchors_near <- function(f, k, from, to) {
  at <- f$anchors$at[, k]
  reach <- far_widths * f$anchors$width[, k]
  near <- which(at + reach > from & at - reach < to)
  f$anchors <- lapply(f$anchors, function(a) a[near, , drop = FALSE])
  f$coefficients <- f$coefficients[near, , drop = FALSE]
  f
}

# The nodes so far (rows of z) with one more coordinate, between `low` and `high` in each of the
# cells.
slanted_nodes <- function(z, weight, low, high, cells, rule = legendre_rule(12)) {
  from <- outer(low, cells$from, pmax)
  length <- outer(high, cells$to, pmin) - from
  some <- which(length > 0)
  row <- (some - 1) %% nrow(z) + 1
  each <- rep(row, each = length(rule$nodes))
  at <- outer((rule$nodes + 1) / 2, length[some]) + rep(from[some], each = length(rule$nodes))
  list(z = cbind(z[each, , drop = FALSE], as.vector(at)),
       weight = weight[each] * as.vector(outer(rule$weights / 2, length[some])))
}
