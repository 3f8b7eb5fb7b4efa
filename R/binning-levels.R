# Quantiles of many rows. The pinball loss has a kink at each quantile and is linear between them:
# rows that stay on their side may be binned. So cells are small in y beside a guess of the
# quantiles and grow with the distance to it, and in the end the rows next to it stay as they are.

guess_rows <- 3000

# Which rows are near a guess, in standardised units, and whether they are kept: the first guess is
# that of a small sample, the next ones that of all n.
bands <- function(n) {
  near <- 6 / sqrt(n)
  list(list(near = 0.05, keep = FALSE), list(near = near, keep = TRUE),
       list(near = near, keep = TRUE), list(near = 3 * near, keep = TRUE))
}

# As solve_rows(). The first guess is the fit of some rows, the next ones those of bins; if none of
# them will do, all rows.
solve_in_bands <- function(all, chosen, control, before) {
  solve <- function(problem) {
    prepared <- prepare(problem, rows_of(problem), chosen$sigma, control)
    before(prepared)
    list(problem = problem, prepared = prepared, solution = solve_chosen(prepared, chosen))
  }
  guess <- solve(tuning_sample(all, NULL, guess_rows))$solution$functions
  size <- cell_share[ncol(all$x)] * narrowest_width(all, finest_sigma(chosen))
  for (band in bands(all$n)) {
    problem <- in_bands(all, size, c(band, list(guess = guess)))
    if (is.null(problem$cells)) break
    found <- solve(problem)
    error <- mean_loss(all, found$solution) - mean_loss(problem, found$solution)
    found$problem$cells$error <- error
    if (isTRUE(band$keep && abs(error) <= bin_allowance(all$n))) return(found)
    guess <- found$solution$functions
    if (band$keep) size <- size / 2
  }
  solve(all)
}

# The problem over nodes of cells in x and of strata of y around the guess of a band.
in_bands <- function(problem, size, band) {
  quantiles <- mix(all_values(band$guess, problem$x), problem$mixing)
  out <- in_cells(problem, size, strata = distance_strata(problem$y[, 1], quantiles, band))
  if (!is.null(out$cells)) out$cells$band <- band
  out
}

# Which quantile is next to y, on which side it is, and how often the distance doubles that of a
# row which is near; NA for such rows if they are kept.
distance_strata <- function(y, quantiles, band) {
  distance <- y - quantiles
  level <- max.col(-abs(distance), ties.method = "first")
  distance <- distance[cbind(seq_along(y), level)]
  doubled <- pmin(pmax(ceiling(log2(abs(distance) / band$near)), 0), 50)
  strata <- level * 200 + (distance > 0) * 100 + doubled
  if (band$keep) strata[abs(distance) < band$near] <- NA
  strata
}
