# Many rows as few. Cells are small against the narrowest kernel; the rows of a cell become two nodes
# a coordinate, those of the Gauss rule with the same first three moments, so that the sum over the
# rows of any function that a cubic approximates in a cell stays what it is. Nodes lie between the
# rows of their cell, so in the support.

bin_dimensions <- 2   # in more there are too many cells
cell_share <- 1 / 3   # of the narrowest width, to begin with
bin_tol <- 2e-6       # of the mean loss
bin_least <- 0.5      # of the rows: with more left nothing is gained

# The problem over binned rows, if it has many; its field `cells` tells how.
binned <- function(problem, sigma, control) {
  bins <- problem$binning != "none" && !problem$model$signed &&
    nrow(problem$x) >= control$bin_from && ncol(problem$x) <= bin_dimensions
  if (!bins) return(problem)
  in_cells(problem, cell_share * narrowest_width(problem, sigma))
}

narrowest_width <- function(problem, sigma) {
  min(vapply(names(problem$parts), function(name) {
    min(of_part(sigma, name) * problem$parts[[name]]$widths$width)
  }, 0))
}

# The problem over nodes of cells of this size; rows that are alone in their cell, or nearly, stay
# as they are. If more than a share `least` of the rows would be left, the problem as it is.
in_cells <- function(problem, size, least = bin_least) {
  cell <- row_numbers(floor(problem$x / size))
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
# weight one of the rows has. Cells whose moments of y are those of no noise are left out.
cell_nodes <- function(problem, cell, cells, size) {
  rows <- which(cell %in% cells)
  group <- match(cell[rows], cells)
  cut <- (floor(problem$x[rows, , drop = FALSE] / size) + 0.5) * size
  moments <- cell_moments((problem$x[rows, , drop = FALSE] - cut) / size, problem, rows, group)
  rules <- lapply(moments$t, gauss_rule)
  corners <- as.matrix(expand.grid(rep(list(1:2), length(rules))))
  first <- match(seq_along(cells), group)
  nodes <- lapply(seq_len(nrow(corners)), function(k) {
    at <- mapply(function(rule, side) rule$at[, side], rules, corners[k, ])
    share <- Reduce(`*`, Map(function(rule, side) rule$weight[, side], rules, corners[k, ]))
    at <- matrix(at, length(cells))
    list(x = at * size + cut[first, , drop = FALSE], weights = moments$weight * share,
         share = pmin(1, 1 / (moments$rows * share)), highest = moments$highest,
         y = if (problem$binning == "moments") moments_at(moments, at) else 0 * at)
  })
  finish_nodes(nodes, cells, problem)
}

# Moments of the rows of each cell (sums over groups, divided by the weight): for each coordinate
# mean, variance and third central moment of t, the place in the cell; of y and its square mean and
# slopes in t.
cell_moments <- function(t, problem, rows, group) {
  weights <- problem$weights[rows]
  mean_of <- function(values) {
    as.vector(rowsum(weights * values, group)) / as.vector(rowsum(weights, group))
  }
  center <- vapply(seq_len(ncol(t)), function(k) mean_of(t[, k]), numeric(max(group)))
  center <- matrix(center, max(group))
  off <- t - center[group, , drop = FALSE]
  out <- list(weight = as.vector(rowsum(weights, group)), rows = tabulate(group),
              highest = mean_of(problem$highest[rows]))
  out$t <- lapply(seq_len(ncol(t)), function(k) {
    list(mean = center[, k], variance = mean_of(off[, k]^2), third = mean_of(off[, k]^3))
  })
  if (problem$binning == "moments") {
    y <- problem$y[rows, 1]
    out$powers <- lapply(1:2, function(power) {
      slopes <- vapply(seq_along(out$t), function(k) {
        mean_of(off[, k] * y^power) / pmax(out$t[[k]]$variance, least_variance)
      }, numeric(max(group)))
      list(mean = mean_of(y^power), slopes = matrix(slopes, max(group)))
    })
  }
  out
}

least_variance <- 1e-14  # of places in a cell of size one: below they are the same

# Two nodes with the mean, variance and third central moment of the rows of a cell: matrices `at`
# and `weight` with two columns.
gauss_rule <- function(moments) {
  sd <- sqrt(moments$variance)
  sd[moments$variance < least_variance] <- 0
  half_skew <- ifelse(sd > 0, moments$third / (2 * sd^3), 0)
  root <- sqrt(1 + half_skew^2)
  list(at = moments$mean + sd * cbind(half_skew - root, half_skew + root),
       weight = cbind(1 + half_skew / root, 1 - half_skew / root) / 2)
}

# Two values of y at each node, with the mean and the mean square that are linear in the cell; NA
# where no values have these.
moments_at <- function(moments, at) {
  center <- vapply(moments$t, `[[`, at[, 1], "mean")
  value <- function(power) power$mean + rowSums(power$slopes * (at - matrix(center, nrow(at))))
  mean <- value(moments$powers[[1]])
  variance <- value(moments$powers[[2]]) - mean^2
  variance[variance < 0] <- NA
  cbind(mean - sqrt(variance), mean + sqrt(variance))
}

# One list of nodes from one a corner; inside the range of the data up to the last digit.
finish_nodes <- function(nodes, cells, problem) {
  pairs <- if (problem$binning == "moments") 1:2 else 1
  bad <- Reduce(`|`, lapply(nodes, function(node) is.na(node$y[, 1])))
  field <- function(name) {
    rep(unlist(lapply(nodes, function(node) node[[name]][!bad])), length(pairs))
  }
  x <- do.call(rbind, lapply(nodes, function(node) node$x[!bad, , drop = FALSE]))
  for (column in seq_len(ncol(x))) {
    range <- range(problem$x[, column])
    x[, column] <- pmin(pmax(x[, column], range[1]), range[2])
  }
  y <- unlist(lapply(pairs, function(k) lapply(nodes, function(node) node$y[!bad, k])))
  list(cells = cells[!bad], x = x[rep(seq_len(nrow(x)), length(pairs)), , drop = FALSE],
       y = matrix(y), weights = field("weights") / length(pairs), highest = field("highest"),
       share = field("share"))
}

# The solution at the chosen parameters over all rows or, of many, over bins that are made smaller
# until they hardly matter. What the fit tells of them is in `cells`: how many `rows` were left, the
# `size` of a cell and the `error`.
solve_rows <- function(all, chosen, control, before) {
  problem <- chosen$prepared$problem %||% binned(all, chosen$sigma, control)
  repeat {
    prepared <- chosen$prepared %||% prepare(problem, rows_of(problem), chosen$sigma, control)
    before(prepared)
    solution <- chosen$solution %||% solve_chosen(prepared, chosen)
    if (is.null(problem$cells)) break
    problem$cells$error <- binning_error(all, problem, solution)
    if (!isTRUE(abs(problem$cells$error) > bin_tol)) break
    problem <- in_cells(all, problem$cells$size * finer_cells(abs(problem$cells$error)))
    chosen$prepared <- chosen$solution <- NULL
  }
  list(problem = problem, prepared = prepared, solution = solution)
}

# The error goes with the fourth power of the size of a cell.
finer_cells <- function(error) max(1 / 4, 0.8 * (bin_tol / error)^(1 / 4))

# The mean loss of the observations under a solution, of many such at even distances, minus that of
# their bins.
binning_error <- function(all, problem, solution, most = 1e5) {
  some <- all
  if (nrow(all$x) > most) {
    some <- take_observations(all, round(seq(1, nrow(all$x), length.out = most)))
    problem <- in_cells(some, problem$cells$size, least = Inf)
  }
  mean_loss(some, solution) - mean_loss(problem, solution)
}

# The problem with some of its rows.
take_observations <- function(problem, rows) {
  problem$share <- rep_len(problem$share, nrow(problem$x))[rows]
  problem$x <- problem$x[rows, , drop = FALSE]
  problem$y <- problem$y[rows, , drop = FALSE]
  problem$weights <- problem$weights[rows]
  problem$highest <- problem$highest[rows]
  problem$n <- length(rows)
  problem
}

# Rows to tune on.
tuning_rows <- 5000

# The rows that are cross-validated: all, or such at even distances in the order of the first
# column, unless folds are given row by row.
tuning_sample <- function(problem, tune, most = tuning_rows) {
  n <- nrow(problem$x)
  if (n <= most || length(tune$folds) > 1 || isTRUE(tune$always)) return(problem)
  rows <- order(problem$x[, 1])[round(seq(1, n, length.out = most))]
  take_observations(problem, sort(rows))
}
