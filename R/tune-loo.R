# The penalty of a density by leaving out one row at a time, without fitting again: at an optimum the
# leverages tell what a fit without a row would say of it. No folds, so no random numbers.

# Only the penalty is searched for, the user did not ask for folds, and the solver gives leverages.
leaves_one_out <- function(problem, axes, tune, control) {
  asked <- !is.null(tune$folds) || !is.null(tune$train) || !is.null(tune$repeats) ||
    tune$rule != "average" || isTRUE(tune$always)
  fixed <- vapply(axes, is_fixed, NA)
  !asked && problem$likelihood && problem$total == "one" && problem$model$form == "psd" &&
    control$solver == "newton" && all(fixed[names(axes) != "lambda"]) && axes$lambda$kind == "auto"
}

loo_lambda <- 10^seq(1, -4, by = -0.5)

# As choose_parameters(), with the solution: the average over the path.
choose_by_leaving_one_out <- function(problem, control, axes) {
  rows <- rows_of(problem)
  chosen <- list(sigma = axes$sigma$values, ridge = axes$ridge$values)
  control$leverages <- TRUE
  chosen$prepared <- prepare(problem, rows, chosen$sigma, control)
  path <- solve_path(chosen$prepared, loo_lambda, chosen$ridge)
  losses <- vapply(path, function(solution) {
    pmin(left_out_losses(problem, solution), problem$highest)
  }, numeric(length(rows)))
  losses <- matrix(losses, length(rows))
  weights <- problem$weights / sum(problem$weights)
  score <- drop(crossprod(weights, losses))
  table <- data.frame(
    sigma = chosen$sigma, lambda = loo_lambda, ridge = chosen$ridge, score = score,
    se = sqrt(drop(crossprod(weights^2, sweep(losses, 2, score)^2))),
    weight = stacking_weights(-losses, weights * problem$n)
  )
  chosen$lambda <- loo_lambda[which.max(table$weight)]
  chosen$tuning <- structure(table, chosen = which.max(table$weight))
  used <- table$weight > 0
  chosen$solution <- average_solutions(path[used], table$weight[used])
  chosen
}

# The loss of each row under the fit without it.
left_out_losses <- function(problem, solution) {
  kept <- pmax(1 - solution$leverages, .Machine$double.eps)
  problem$score(solution, rows_of(problem)) - log(kept)
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
