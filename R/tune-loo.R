# The penalty of a density by leaving out one row at a time, without fitting again: at an optimum
# the leverages tell what a fit without a row would say of it. No folds, so no random numbers.

# Only the penalty is searched for, the user did not ask for folds, and the solver gives leverages.
leaves_one_out <- function(problem, axes, tune, control) {
  asked <- asks_for_splits(tune) || tune$rule != "average"
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
    score = vapply(path, `[[`, 0, "score"), weight = weights_of_path(path)
  )
  table$se <- sqrt(drop(crossprod(weights^2 * problem$share, sweep(losses, 2, table$score)^2)))
  best <- which.max(table$weight)
  if (length(best) == 0) abort_no_score(call)
  chosen$lambda <- table$lambda[best]
  chosen$tuning <- structure(table, chosen = best)
  used <- table$weight > 0
  # To compare scales a far point must count in full.
  unbounded <- vapply(path, `[[`, weights, "unbounded")
  chosen$left_out <- stats::weighted.mean(log_average(-unbounded, table$weight), weights)
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

# Solutions from a large penalty on down, each with the losses of rows left out, their mean and the
# log of its weight, until that is clearly below the largest.
left_out_path <- function(prepared, ridge) {
  problem <- prepared$problem
  path <- list()
  lambda <- loo_first
  expect_steps(loo_usual)
  prepared <- sharing_work(prepared, loo_usual)
  repeat {
    k <- length(path)
    solution <- solve_at(prepared, lambda, ridge, previous = if (k > 0) path[[k]])
    said <- row_losses(problem, solution)
    solution$left_out <- pmin(left_out_losses(problem, solution, 1, said), problem$highest)
    solution$unbounded <- left_out_losses(problem, solution, loo_caution, said)
    solution$score <- stats::weighted.mean(solution$left_out, problem$weights)
    solution$log_weight <- log_weight(problem, solution)
    path <- c(path, list(solution))
    progress_step()
    logs <- vapply(path, `[[`, 0, "log_weight")
    worse <- isTRUE(all(max(logs) - utils::tail(logs, 2) > loo_worse)) &&
      lambda < usual_lambda(problem$n)
    if (worse || lambda < loo_last) return(path)
    lambda <- lambda / if (ncol(problem$x) == 1) 10^0.5 else 10^0.75
  }
}

loo_usual <- 10  # penalties, for the bar of progress
loo_first <- 10
loo_last <- 1e-6  # below, too much good is said of a row whose landmark stands alone
loo_worse <- 6  # of no weight in the average

# The loss of each row under the fit without it, or without one of the observations that a binned
# row stands for. Leverages that are lost to rounding (weights of very uneven size) are taken for
# the highest.
left_out_losses <- function(problem, solution, count = 1, said = row_losses(problem, solution)) {
  kept <- pmax(1 - problem$share * solution$leverages, .Machine$double.eps)
  kept[is.na(kept)] <- .Machine$double.eps
  said - count * log(kept)
}

# The log of the average over columns, for each row of a matrix of logs.
log_average <- function(logs, weight) {
  top <- apply(logs, 1, max)
  top + log(drop(exp(logs - top) %*% weight))
}

# A member of the average counts by the likelihood of the rows left out times a prior density, as
# that likelihood is noisy. Against fits that are too rough, what leaving out costs counts somewhat
# more than once, as in ssden() of the package gss (there 1.4 times).
log_weight <- function(problem, solution) {
  losses <- pmin(solution$unbounded, problem$highest)
  -problem$n * stats::weighted.mean(losses, problem$weights) + log_prior(solution$lambda, problem$n)
}

loo_caution <- 1.2

# Of the logarithm of a penalty: half-Cauchy, as those that turn out to be best are near the same
# size for densities of all kinds, and a little anywhere else, for data that do follow the
# parametric part.
log_prior <- function(lambda, n) {
  ratio <- lambda / usual_lambda(n)
  log(1 / (ratio + 1 / ratio) + 0.05)
}

usual_lambda <- function(n) 0.2 / sqrt(n)

weights_of_path <- function(path) {
  logs <- vapply(path, `[[`, 0, "log_weight")
  weight <- exp(logs - max(logs))
  weight[weight < 0.01] <- 0
  weight / sum(weight)
}
