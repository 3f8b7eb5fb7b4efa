# The density as the engine sees it, in standardised units. An engine is what tuning and fitting
# share: `prepare(rows, sigma)` does what does not depend on the penalty, `solve()` the fit,
# `score()` the held-out loss of given rows.

density_engine <- function(x, weights, measure, kernel, penalty, control, constraints) {
  prepare <- function(rows, sigma, settings = control) {
    density_problem(x[rows, , drop = FALSE], weights[rows], sigma, measure, kernel, settings,
                    constraints)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    density_solution(problem, lambda, ridge, penalty, control, previous)
  }
  score <- function(solution, rows) {
    -log_density(solution, measure, x[rows, , drop = FALSE])
  }
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, measure = measure,
       control = control, prepare = prepare, solve = solve, score = score)
}

# The integral is kept as exp(log_norm) W with |W|_F = 1, and the problem is solved for
# exp(log_norm) A: in ten dimensions W itself is of size 1e-10.
density_problem <- function(x, weights, sigma, measure, kernel, control, constraints) {
  features <- psd_features(x, sigma, kernel, control, nodes = TRUE)
  block <- psd_block(features, NA, NA)
  total <- block_integral(block, measure, rep(0, ncol(x)))
  size <- norm(total$value, "F")
  log_norm <- total$log_scale + log(size)
  one <- list(integrals = list(total$value / size), bound = 1, equality = TRUE)
  others <- lapply(constraints, function(make) make(block, measure, log_norm))
  list(features = features, weights = weights, log_norm = log_norm, control = control,
       constraints = c(list(one), others))
}

# `previous` is a solution at another lambda to start from.
density_solution <- function(problem, lambda, ridge, penalty, control, previous) {
  norm <- if (penalty == "raw") exp(problem$log_norm) else 1
  block <- psd_block(problem$features, lambda / norm, lambda * ridge / norm^2)
  out <- fit_psd(list(block), list(list(name = "neg_log")), 0, weights = problem$weights,
                 constraints = problem$constraints, control = control,
                 start = predicted_dual(previous, lambda, length(problem$weights)))
  out$objective <- out$primal_value + problem$log_norm
  out$log_scale <- -problem$log_norm
  out$lambda <- lambda
  out$before <- previous[c("dual", "lambda")]
  out
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
