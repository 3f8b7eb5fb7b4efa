# The density as the engine sees it, in standardised units. An engine is what tuning and fitting
# share: `prepare(rows, sigma)` does what does not depend on the penalty, `solve()` the fit,
# `score()` the held-out loss of given rows.

density_engine <- function(x, weights, measure, kernel, penalty, control, constraints,
                           model = "psd") {
  prepare <- function(rows, sigma, settings = control) {
    density_problem(x[rows, , drop = FALSE], weights[rows], sigma, measure, kernel, settings,
                    constraints, model)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    density_solution(problem, lambda, ridge, penalty, control, previous)
  }
  score <- function(solution, rows) {
    -log_density(solution, measure, x[rows, , drop = FALSE])
  }
  highest <- if (model == "pnm") Inf else highest_losses(x, weights)
  held_out <- function(solution, rows) pmin(score(solution, rows), rep_len(highest, nrow(x))[rows])
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, measure = measure,
       control = control, ridge = model == "psd", prepare = prepare, solve = solve, score = score,
       held_out = held_out, likelihood = TRUE)
}

# In cross-validation one far point must not decide for all the others, as it would: under Gaussian
# tails its loss grows with the square of its distance. A row counts at most as much as under n^-3
# times a Cauchy density with the centre and scale of the data: nearly all count as they are.
highest_losses <- function(x, weights) {
  at <- apply(x, 2, function(column) {
    scale <- robust_scale(column, weights)
    stats::dcauchy(column, stats::weighted.mean(column, weights), max(scale, 1e-300), log = TRUE)
  })
  3 * log(nrow(x)) - rowSums(matrix(at, nrow(x)))
}

# The integral is kept as exp(log_norm) W with |W|_F = 1, and the problem is solved for
# exp(log_norm) A: in ten dimensions W itself is of size 1e-10. Likewise for the vectors of a linear
# model.
density_problem <- function(x, weights, sigma, measure, kernel, control, constraints, model) {
  # Features that represent a section up to rank_tol at the data do so up to its root in an
  # integral.
  if (model == "ncm") control$rank_tol <- max(control$rank_tol^1.5, 1e-13)
  features <- psd_features(x, sigma, kernel, control, nodes = model == "psd")
  block <- nonnegative_block(model, features, NA, NA, positive = TRUE)
  total <- block_integral(block, measure, rep(0, ncol(x)))
  size <- norm(total$value, "F")
  log_norm <- total$log_scale + log(size)
  one <- list(integrals = list(total$value / size), bound = 1, equality = TRUE)
  others <- lapply(constraints, function(make) make(block, measure, log_norm))
  list(features = features, weights = weights, log_norm = log_norm, control = control,
       model = model, measure = measure, constraints = c(list(one), others))
}

# `previous` is a solution at another lambda to start from.
density_solution <- function(problem, lambda, ridge, penalty, control, previous) {
  norm <- if (penalty == "raw") exp(problem$log_norm) else 1
  block <- nonnegative_block(problem$model, problem$features, lambda, ridge, norm, positive = TRUE)
  out <- fit_psd(list(block), list(list(name = "neg_log")), 0, weights = problem$weights,
                 constraints = problem$constraints, control = control,
                 start = predicted_dual(previous, lambda, length(problem$weights)))
  out$objective <- out$primal_value + problem$log_norm
  out$log_scale <- if (problem$model == "psd") -problem$log_norm
                   else -log_integral(out$functions[[1]], problem$measure)
  out$lambda <- lambda
  out$before <- previous[c("dual", "lambda")]
  out
}

# log int f dmeasure, from the sections of a linear function themselves: then its integral is one to
# rounding.
log_integral <- function(f, measure) {
  integral <- section_integrals(f, measure)
  log(sum(form_of(f) * integral$value)) + integral$log_scale
}

# The dual at another lambda, on the line through the last two. From one alone: at an optimum one
# minus nu is the size of the penalty, so nu moves in proportion.
predicted_dual <- function(previous, lambda, n) {
  known <- previous$dual
  before <- previous$before
  if (!is.null(before$dual)) {
    share <- (previous$lambda - lambda) / (before$lambda - previous$lambda)
    guess <- known + share * (known - before$dual)
    if (all(guess[seq_len(n)] < 0)) return(guess)
  }
  if (!is.null(known)) known[n + 1] <- 1 - (1 - known[n + 1]) * lambda / previous$lambda
  known
}

# log p at rows of x, all in standardised units.
log_density <- function(solution, measure, x) {
  out <- cpp_log_evaluate(solution$functions[[1]], x) + solution$log_scale
  for (column in seq_len(ncol(x))) {
    at <- x[, column]
    if (is.finite(measure$sd[column])) {
      out <- out + stats::dnorm(at, measure$mean[column], measure$sd[column], log = TRUE)
    }
    out[at < measure$lower[column] | at > measure$upper[column]] <- -Inf
  }
  out
}
