# A density of one variable with everything left to be chosen: on which scale it is fitted, and with
# how many normals in its parametric part.

# A single variable on the scale, or with the mixture of normals as its parametric part, under which
# rows left out are most likely.
fit_best <- function(fit, molded, measure, mixtures) {
  x <- molded$placed
  names <- suitable_transforms(x[, 1], molded$weights, measure$lower, measure$upper)
  plain <- with_warnings(fit, "none")
  # Folds that were asked for: rows are not left out one by one.
  if (is.null(plain$fit$left_out)) return(with_its_warnings(plain))
  tried <- c(list(plain), lapply(names[-1], with_warnings, fit = fit))
  price <- vapply(transform_table[names], `[[`, 0, "price")
  count <- if (mixtures && !has_bounds(measure)) likely_count(x, molded$weights) else 1
  if (count > 1) {
    tried <- c(tried, list(with_warnings(fit, "none", count)))
    price <- c(price, price_of_fitting * free_numbers(1, FALSE) * (count - 1))
  }
  gain <- nrow(x) * vapply(tried, function(one) one$fit$left_out, 0) - price
  unsolved <- vapply(tried, function(one) isFALSE(one$fit$converged), NA)
  if (!all(unsolved)) gain[unsolved] <- -Inf
  with_its_warnings(tried[[which.max(gain)]])
}

# A candidate that is not taken has nothing to warn of.
with_warnings <- function(fit, ...) {
  warnings <- list()
  out <- withCallingHandlers(fit(...), psd_not_converged = function(w) {
    warnings <<- c(warnings, list(w))
    invokeRestart("muffleWarning")
  })
  list(fit = out, warnings = warnings)
}

with_its_warnings <- function(candidate) {
  for (warning in candidate$warnings) rlang::cnd_signal(warning)
  candidate$fit
}

# How many normals: one if heavy tails or a skewed distribution tell the same in fewer numbers.
likely_count <- function(x, weights) {
  if (is_flat(x)) return(1)
  n <- effective_rows(weights)
  normals <- find_normals(x, weights, n)
  if (length(normals$share) == 1) return(1)
  johnson <- johnson_gain(x[, 1], weights) * n / nrow(x) - 2 * price_of_number(1, n)
  if (johnson > normals$gain) 1 else length(normals$share)
}
