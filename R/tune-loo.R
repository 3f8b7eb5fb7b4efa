# The penalty of a density by leaving out one row at a time, without fitting again: at an optimum
# the leverages tell what a fit without a row would say of it. No folds, so no random numbers.

# Only the penalty is searched for, the user did not ask for folds, and the solver gives leverages.
leaves_one_out <- function(problem, axes, tune, control) {
  asked <- !is.null(tune$folds) || !is.null(tune$train) || !is.null(tune$repeats) ||
    tune$rule != "average" || isTRUE(tune$always)
  fixed <- vapply(axes, is_fixed, NA)
  !asked && nrow(problem$x) > 1 && problem$likelihood && problem$total == "one" &&
    problem$model$form == "psd" && control$solver == "newton" &&
    all(fixed[names(axes) != "lambda"]) && is_searched(axes$lambda)
}

# As choose_parameters(), with the solution: the average over the path.
choose_by_leaving_one_out <- function(problem, control, axes, call) {
  chosen <- list(sigma = axes$sigma$values, ridge = axes$ridge$values)
  problem <- binned(problem, chosen$sigma, control)
  control$leverages <- TRUE
  chosen$prepared <- prepare(problem, rows_of(problem), chosen$sigma, control)
  path <- left_out_path(chosen$prepared, chosen$ridge)
  weights <- problem$weights / sum(problem$weights)
  losses <- vapply(path, `[[`, weights, "left_out")
  table <- data.frame(
    sigma = chosen$sigma, lambda = vapply(path, `[[`, 0, "lambda"), ridge = chosen$ridge,
    score = vapply(path, `[[`, 0, "score"), weight = stacking_weights(-losses, weights * problem$n)
  )
  table$se <- sqrt(drop(crossprod(weights^2 * problem$share, sweep(losses, 2, table$score)^2)))
  best <- which.max(table$weight)
  if (length(best) == 0) abort_no_score(call)
  chosen$lambda <- table$lambda[best]
  chosen$tuning <- structure(table, chosen = best)
  used <- table$weight > 0
  # To compare scales a far point must count in full.
  unbounded <- vapply(path, `[[`, weights, "unbounded")
  chosen$left_out <- stats::weighted.mean(left_out_density(unbounded, table$weight), weights)
  chosen$solution <- average_solutions(path[used], table$weight[used])
  chosen
}

# Numbers of such a size that distances have no squares, or kernels no integrals.
abort_no_score <- function(call) {
  abort(c("The density must be a number at rows that are left out; it is none for any
           {.arg lambda}.",
          i = "{.arg sigma} must suit the scale of the data; {.code standardize = TRUE} takes it in
               their units."), class = "psd_no_solution", call = call)
}

# Solutions from a large penalty on down, each with the losses of rows left out and their mean,
# until those are clearly worse than the lowest.
left_out_path <- function(prepared, ridge) {
  problem <- prepared$problem
  path <- list()
  lambda <- loo_first
  expect_steps(loo_usual)
  repeat {
    k <- length(path)
    solution <- solve_at(prepared, lambda, ridge, previous = if (k > 0) path[[k]])
    solution$unbounded <- left_out_losses(problem, solution)
    solution$left_out <- pmin(solution$unbounded, problem$highest)
    solution$score <- stats::weighted.mean(solution$left_out, problem$weights)
    path <- c(path, list(solution))
    progress_step()
    scores <- vapply(path, `[[`, 0, "score")
    worse <- problem$n * (utils::tail(scores, 2) - min(scores)) > loo_worse
    if (k > 0 && isTRUE(all(worse)) || lambda < loo_last) return(path)
    lambda <- lambda / if (ncol(problem$x) == 1) 10^0.5 else 10^0.75
  }
}

loo_usual <- 10  # penalties, for the bar of progress
loo_first <- 10
loo_last <- 1e-6  # below, too much good is said of a row whose landmark stands alone
loo_worse <- 10  # in the sum over all rows: of no weight in the average

# The loss of each row under the fit without it, or without one of the observations that a binned
# row stands for. Leverages that are lost to rounding (weights of very uneven size) are taken for
# the highest.
left_out_losses <- function(problem, solution) {
  kept <- pmax(1 - problem$share * solution$leverages, .Machine$double.eps)
  kept[is.na(kept)] <- .Machine$double.eps
  row_losses(problem, solution) - log(kept)
}

# The log density of each row under the average without it.
left_out_density <- function(losses, weight) {
  top <- apply(-losses, 1, max)
  top + log(drop(exp(-losses - top) %*% weight))
}

# The mixture of candidates that has the highest likelihood of the rows left out (log_density, one
# column a candidate), by EM; with a prior worth `prior` rows on weights that fall with the mean
# loss, which steadies small samples.
stacking_weights <- function(log_density, weights, prior = 3, rate = 0.25, steps = 100) {
  n <- sum(weights)
  mean <- drop(crossprod(weights, log_density)) / n
  first <- exp(rate * n * (mean - max(mean)))
  first <- share <- first / sum(first)
  relative <- exp(log_density - apply(log_density, 1, max))
  for (step in seq_len(steps)) {
    joint <- sweep(relative, 2, share, "*")
    share <- (drop(crossprod(weights, joint / rowSums(joint))) + prior * first) / (n + prior)
  }
  share[share < 0.01] <- 0
  share / sum(share)
}
