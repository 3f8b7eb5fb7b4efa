# Many rows as few: the rows of a small cell become two nodes a coordinate, those of the Gauss rule
# with the same first three moments, so that the sum over the rows of a function that is nearly a
# cubic polynomial in the cell stays what it is. Nodes lie between the rows of their cell, so in the
# support.

# The problem over nodes of cells of this size; rows that are alone in their cell, or nearly, stay
# as they are. If more than a share `least` of the rows would be left, the problem as it is. Rows of
# different `strata` are not in one cell; where these are NA rows are kept.
in_cells <- function(problem, size, least = bin_least, strata = 0) {
  strata <- rep_len(strata, nrow(problem$x))
  cell <- row_numbers(cbind(floor(problem$x / size), strata))
  cell[is.na(strata)] <- NA
  each <- 2^ncol(problem$x) * if (problem$binning == "moments") 2 else 1
  full <- which(tabulate(cell) > each)
  if (length(full) == 0) return(problem)
  nodes <- cell_nodes(problem, cell, full, size)
  kept <- which(!cell %in% nodes$cells)
  out <- problem
  out$x <- rbind(problem$x[kept, , drop = FALSE], nodes$x)
  out$y <- rbind(problem$y[kept, , drop = FALSE], nodes$y)
  out$weights <- c(problem$weights[kept], nodes$weights)
  out$highest <- c(problem$highest[kept], nodes$highest)
  out$share <- c(rep_len(problem$share, nrow(problem$x))[kept], nodes$share)
  out$cells <- list(rows = nrow(out$x), size = size)
  if (nrow(out$x) > least * nrow(problem$x)) problem else out
}

# The nodes of these cells, cell by cell for each of the corners; `share`: what part of a node's
# weight one of the rows has. Cells with moments of y that no values have are left out.
cell_nodes <- function(problem, cell, cells, size) {
  rows <- which(cell %in% cells)
  group <- match(cell[rows], cells)
  x <- problem$x[rows, , drop = FALSE]
  middle <- (floor(x / size) + 0.5) * size
  moments <- cell_moments((x - middle) / size, problem, rows, group)
  middle <- middle[match(seq_along(cells), group), , drop = FALSE]
  corners <- as.matrix(expand.grid(rep(list(1:2), ncol(x))))
  nodes <- lapply(seq_len(nrow(corners)), function(k) {
    node <- corner_node(moments, corners[k, ])
    list(x = (moments$center + node$off) * size + middle, weights = moments$weight * node$weight,
         share = pmin(1, 1 / (moments$rows * node$weight)), highest = moments$highest,
         y = values_of_y(problem$binning, moments, node$off))
  })
  finish_nodes(nodes, cells, problem)
}

# Moments of the rows of each cell, with t their places in it: center, then for each coordinate its
# Gauss rule, the `coupling` of two, and of y and its square mean and slopes in t.
cell_moments <- function(t, problem, rows, group) {
  weights <- problem$weights[rows]
  weight <- as.vector(rowsum(weights, group))
  mean_of <- function(values) as.vector(rowsum(weights * values, group)) / weight
  means <- function(values) {
    matrix(vapply(seq_len(ncol(values)), function(k) mean_of(values[, k]), weight), length(weight))
  }
  center <- means(t)
  off <- t - center[group, , drop = FALSE]
  out <- list(weight = weight, rows = tabulate(group), center = center,
              highest = mean_of(problem$highest[rows]),
              rules = lapply(seq_len(ncol(t)), function(k) {
                gauss_rule(mean_of(off[, k]^2), mean_of(off[, k]^3))
              }))
  if (ncol(t) == 2) out$coupling <- coupling(out$rules, mean_of(off[, 1] * off[, 2]))
  if (problem$binning != "points") {
    out$powers <- lapply(1:2, function(power) {
      y <- problem$y[rows, 1]^power
      list(mean = mean_of(y), slopes = slopes_of(out, means(off * y)))
    })
  }
  out
}

least_variance <- 1e-14  # of places in a cell of size one: below they are the same

# Two nodes with mean zero, this variance and this third moment: `off` and `weight`, a column each.
gauss_rule <- function(variance, third) {
  variance[variance < least_variance] <- 0
  sd <- sqrt(variance)
  half_skew <- ifelse(sd > 0, third / (2 * sd^3), 0)
  root <- sqrt(1 + half_skew^2)
  list(off = sd * cbind(half_skew - root, half_skew + root), variance = variance,
       weight = cbind(1 + half_skew / root, 1 - half_skew / root) / 2)
}

# What corners on the diagonal weigh more, and the others less, than the product of the weights of
# two coordinates, so that these have this covariance; at most so much that weights stay positive.
coupling <- function(rules, covariance) {
  p <- rules[[1]]$weight
  q <- rules[[2]]$weight
  spread <- (rules[[1]]$off[, 2] - rules[[1]]$off[, 1]) *
    (rules[[2]]$off[, 2] - rules[[2]]$off[, 1])
  value <- ifelse(spread > 0, covariance / spread, 0)
  highest <- 0.95 * pmin(p[, 1] * q[, 2], p[, 2] * q[, 1])
  lowest <- -0.95 * pmin(p[, 1] * q[, 1], p[, 2] * q[, 2])
  value <- pmin(pmax(value, lowest), highest)
  list(weight = value, covariance = value * spread)
}

# The slopes of the line in t with these covariances with t, one column per coordinate.
slopes_of <- function(moments, with_t) {
  variance <- vapply(moments$rules, `[[`, moments$weight, "variance")
  variance <- pmax(matrix(variance, nrow(with_t)), least_variance)
  if (ncol(with_t) == 1) return(with_t / variance)
  covariance <- moments$coupling$covariance
  cbind(variance[, 2] * with_t[, 1] - covariance * with_t[, 2],
        variance[, 1] * with_t[, 2] - covariance * with_t[, 1]) /
    (variance[, 1] * variance[, 2] - covariance^2)
}

# The nodes at one corner of every cell: how far from the center, and their part of the weight.
corner_node <- function(moments, corner) {
  sides <- function(field) Map(function(rule, side) rule[[field]][, side], moments$rules, corner)
  weight <- Reduce(`*`, sides("weight"))
  if (!is.null(moments$coupling)) {
    weight <- weight + (if (corner[1] == corner[2]) 1 else -1) * moments$coupling$weight
  }
  list(off = do.call(cbind, unname(sides("off"))), weight = weight)
}

# At each node two values of y, with the mean and the mean square that are linear in the cell, NA
# where no values have these; or that mean; or nothing that matters. One column a value.
values_of_y <- function(binning, moments, off) {
  value <- function(power) power$mean + rowSums(power$slopes * off)
  if (binning == "points") return(matrix(0, nrow(off)))
  mean <- value(moments$powers[[1]])
  if (binning == "levels") return(matrix(mean))
  variance <- value(moments$powers[[2]]) - mean^2
  variance[variance < 0] <- NA
  cbind(mean - sqrt(variance), mean + sqrt(variance))
}

# One list of nodes from one per corner; inside the range of the data up to the last digit.
finish_nodes <- function(nodes, cells, problem) {
  values <- seq_len(ncol(nodes[[1]]$y))
  bad <- Reduce(`|`, lapply(nodes, function(node) is.na(node$y[, 1])))
  field <- function(name) {
    rep(unlist(lapply(nodes, function(node) node[[name]][!bad])), length(values))
  }
  x <- do.call(rbind, lapply(nodes, function(node) node$x[!bad, , drop = FALSE]))
  for (column in seq_len(ncol(x))) {
    range <- range(problem$x[, column])
    x[, column] <- pmin(pmax(x[, column], range[1]), range[2])
  }
  y <- unlist(lapply(values, function(k) lapply(nodes, function(node) node$y[!bad, k])))
  list(cells = cells[!bad], x = x[rep(seq_len(nrow(x)), length(values)), , drop = FALSE],
       y = matrix(y, length(y), ncol(problem$y)), weights = field("weights") / length(values),
       highest = field("highest"), share = field("share"))
}
