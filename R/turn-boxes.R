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

# The integral over one box in scaled units. Nodes of the first coordinate are taken in portions, so
# that all nodes of one fit into memory.
slanted_mass <- function(object, lower, upper, most = 2e5) {
  f <- object$functions[[1]]
  reach <- rbind(apply(f$anchors$at - 6 * f$anchors$width, 2, min),
                 apply(f$anchors$at + 6 * f$anchors$width, 2, max))
  cell <- 2 * min(f$anchors$width)
  turn <- object$units$x$turn
  nodes <- function(z, weight) slanted_nodes(z, weight, turn, lower, upper, reach, cell)
  first <- nodes(matrix(0, 1, 0), 1)
  portion <- ceiling(seq_along(first$weight) * length(first$weight)^(length(lower) - 1) / most)
  sum(vapply(split(seq_along(first$weight), portion), function(some) {
    grid <- list(z = first$z[some, , drop = FALSE], weight = first$weight[some])
    while (ncol(grid$z) < length(lower)) grid <- nodes(grid$z, grid$weight)
    values <- signed_log_values(f, grid$z)
    sum(grid$weight * values$sign * exp(values$log + object$log_scale))
  }, 0))
}

# The nodes so far (rows of z) with one more coordinate: Gauss-Legendre nodes in cells of the
# interval that the box leaves to each, where the density is not zero.
slanted_nodes <- function(z, weight, turn, lower, upper, reach, cell, rule = legendre_rule(12)) {
  k <- ncol(z) + 1
  moved <- drop(z %*% turn[seq_len(k - 1), k])
  low <- pmax((lower[k] - moved) / turn[k, k], reach[1, k])
  length <- pmax(pmin((upper[k] - moved) / turn[k, k], reach[2, k]) - low, 0)
  cells <- max(ceiling(max(length) / cell), 1)
  share <- as.vector(outer((rule$nodes + 1) / 2, seq_len(cells) - 1, "+")) / cells
  each <- rep(seq_along(low), each = length(share))
  list(z = cbind(z[each, , drop = FALSE], low[each] + length[each] * share),
       weight = weight[each] * length[each] * rep(rule$weights / 2 / cells, cells))
}
