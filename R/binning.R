# Large samples: binned to the nodes of small cells (R/binning-nodes.R) for the fit, some of their
# rows for cross-validation.

bin_dimensions <- 2            # in more there are too many cells
cell_share <- c(1 / 3, 1 / 2)  # of the narrowest width, to begin with, by dimension
bin_least <- 0.5               # of the rows: with more left nothing is gained

# The problem over binned rows, if it has many; its field `cells` tells how.
binned <- function(problem, sigma, control) {
  if (!is_large(problem, control)) return(problem)
  in_cells(problem, cell_share[ncol(problem$x)] * narrowest_width(problem, sigma))
}

is_large <- function(problem, control) {
  problem$binning != "none" && !problem$model$signed && nrow(problem$x) >= control$bin_from &&
    ncol(problem$x) <= bin_dimensions
}

narrowest_width <- function(problem, sigma) {
  min(vapply(names(problem$parts), function(name) {
    min(of_part(sigma, name) * problem$parts[[name]]$widths$width)
  }, 0))
}

# The solution at the chosen parameters over all rows or, of many, over bins that are made smaller
# until they hardly matter. What the fit tells of them is in `cells`: how many `rows` were left, the
# `size` of a cell and the `error`.
solve_rows <- function(all, chosen, control, before) {
  if (all$binning == "levels" && is_large(all, control)) {
    return(solve_in_bands(all, chosen, control, before))
  }
  problem <- chosen$prepared$problem %||% binned(all, finest_sigma(chosen), control)
  repeat {
    prepared <- chosen$prepared %||% prepare(problem, rows_of(problem), chosen$sigma, control)
    before(prepared)
    solution <- chosen$solution %||% solve_chosen(prepared, chosen)
    if (is.null(problem$cells)) break
    problem$cells$error <- binning_error(all, problem, solution)
    excess <- abs(problem$cells$error) / bin_allowance(all$n)
    if (!isTRUE(excess > 1)) break
    # The error goes with the fourth power of the size of a cell.
    problem <- in_cells(all, problem$cells$size * max(1 / 4, 0.8 * excess^(-1 / 4)))
    chosen$prepared <- chosen$solution <- NULL
  }
  list(problem = problem, prepared = prepared, solution = solution)
}

# What bins may change in the mean loss: less than one more parameter does, which changes that of n
# observations by 1 / (2 n) even if it is of no use.
bin_allowance <- function(n) max(0.3 / n, 1e-6)

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
  problem$pilot <- pilot_of_observations(problem$pilot, rows)
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
