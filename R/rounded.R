# Values of one variable that were rounded. What was recorded as v lay somewhere in the cell around
# v, so its copies are spread over the cell at even distances: narrow kernels at the recorded values
# then gain nothing, and all observations count.

finest_step <- 1 / 64  # of the scale of the values

most_places <- 8  # in a cell; where there are more observations they share them

# The distance of neighbouring values where all are multiples of one, as rounded values are, and
# there are few for the observations; else 0. Also where it is below a share of their scale that no
# automatic width resolves.
recorded_step <- function(x) {
  gaps <- diff(sort(unique(as.vector(x))))
  step <- if (length(gaps) > 0) min(gaps) else 0
  whole <- gaps / step
  rounded <- length(gaps) < length(x) / 2 && step > 0 && all(abs(whole - round(whole)) < 1e-3)
  if (rounded && step > finest_step * robust_scale(as.vector(x), rep(1, length(x)))) step else 0
}

# Only where the widths are chosen must they not take rounded values for spikes.
chooses_widths <- function(sigma, settings, x) {
  is.null(sigma) && settings$model$scales && ncol(x) == 1
}

# What was molded, with the distance `recorded` of its values (0 if they were not rounded) and the
# rows `placed` in their cells, which is what is fitted: a value at a bound stands for a cell
# beside it, so that it has a place on any scale.
with_recorded <- function(molded, sigma, settings, support) {
  x <- molded$x
  molded$recorded <- if (chooses_widths(sigma, settings, x)) recorded_step(x) else 0
  molded$placed <- placed_rows(x, molded$recorded, support)
  molded
}

# The rows of one column, each at its place in the cell of its value, of which the support may cut
# off a part. Copies take the places in the order of the rows.
placed_rows <- function(x, step, support) {
  if (step == 0) return(x)
  value <- x[, 1]
  cell <- match(value, unique(value))
  number <- stats::ave(cell, cell, FUN = seq_along)
  count <- tabulate(cell)[cell]
  from <- pmax(value - step / 2, support$lower)
  to <- pmin(value + step / 2, support$upper)
  # Beside a bound a logarithm tells all places apart.
  at_bound <- from == support$lower | to == support$upper
  places <- ifelse(at_bound, count, pmin(count, most_places))
  place <- (floor(places * (number - 0.5) / count) + 0.5) / places
  x[, 1] <- from + place * (to - from)
  x
}

# The problem of such rows in standardised units, of which it may have the distinct ones: where
# several observations share a place one of them is left out at a time, and no automatic width is
# below the distance of such places, so that there is nothing to be gained by it.
with_places <- function(problem, t) {
  place <- row_numbers(t)
  count <- tabulate(place)
  if (nrow(problem$x) == length(count)) problem$share <- 1 / count
  at <- t[!duplicated(place), 1]
  gaps <- c(Inf, diff(sort(at)), Inf)
  nearest <- pmin(gaps[-1], gaps[-length(gaps)])
  problem$precision <- max(0, nearest[count[order(at)] > 1])
  problem
}

# The log of the mean density over the cell of each value, by the places in it; `log_density(x)` is
# that at points.
cell_log_density <- function(x, step, support, log_density) {
  value <- unique(x[, 1])
  cells <- matrix(rep(value, each = most_places), dimnames = list(NULL, colnames(x)))
  logs <- log_density(placed_rows(cells, step, support))
  means <- log_average(matrix(logs, ncol = most_places, byrow = TRUE),
                       rep(1 / most_places, most_places))
  means[match(x[, 1], value)]
}

# The log-likelihood of the values as they were recorded, weights scaled to a mean of one.
cell_likelihood <- function(solution, molded, units, support) {
  measure <- standardized_measure(support, units$x)
  each <- cell_log_density(molded$x, molded$recorded, support, function(x) {
    t <- standardized(x, units$x)
    log_density(solution, measure, t) + log_jacobian(t, units$x)
  })
  nrow(molded$x) * stats::weighted.mean(each, molded$weights)
}
