# A density: one non-negative function f with integral one, and the loss -log f. In standardised
# units; `constraints` are functional()s. `round`: must all sections be, as in turned coordinates?
# `effective`: how many observations of equal weight would tell as much.
density_problem <- function(x, weights, measure, model, kernel, penalty = "scaled",
                            constraints = list(), n = nrow(x), round = FALSE, effective = n) {
  out <- new_problem(
    "density", x, weights, model, kernel,
    parts = list(psd = part(null = if (round) "round" else "normal")),
    losses = list(list(name = "neg_log")), positive = TRUE, measure = measure,
    total = "one", penalty = penalty, constraints = constraints, start = predicted_dual,
    likelihood = TRUE, several = ncol(x) == 1, averaged = TRUE, n = n, binning = "points",
    score = function(solution, x, y) -log_density(solution, measure, x),
    highest = if (is_proper(model)) highest_losses(x, weights, n) else Inf
  )
  out$effective <- effective
  out
}

effective_rows <- function(weights) sum(weights)^2 / sum(weights^2)

# In cross-validation one far point must not decide for all the others, as it would: under Gaussian
# tails its loss grows with the square of its distance. A row counts at most as much as under n^-3
# times a Cauchy density with the centre and scale of the data: nearly all count as they are.
highest_losses <- function(x, weights, n) {
  at <- apply(x, 2, function(column) {
    scale <- robust_scale(column, weights)
    stats::dcauchy(column, stats::weighted.mean(column, weights), max(scale, 1e-300), log = TRUE)
  })
  3 * log(n) - rowSums(matrix(at, nrow(x)))
}

# The dual at another lambda, on the line through the last two. From one alone: at an optimum one
# minus nu is the size of the penalty, so nu moves in proportion. Where none was found there is
# nothing to start from, nor from that of another width, whose integral is another.
predicted_dual <- function(previous, lambda, n) {
  if (isTRUE(previous$foreign)) return(NULL)
  known <- previous$dual
  if (!all(is.finite(c(known, previous$before$dual)))) return(NULL)
  before <- previous$before
  if (!is.null(before$dual)) {
    share <- (previous$lambda - lambda) / (before$lambda - previous$lambda)
    guess <- known + share * (known - before$dual)
    # not where both are of the same lambda
    if (all(is.finite(guess)) && all(guess[seq_len(n)] < 0)) return(guess)
  }
  if (!is.null(known)) known[n + 1] <- 1 - (1 - known[n + 1]) * lambda / previous$lambda
  known
}

# log p at rows of x, all in standardised units, of anything with a function and its log_scale.
log_density <- function(solution, measure, x) {
  log_values(solution$functions[[1]], x) + solution$log_scale + log_base(measure, x)
}

# The log density of the base measure, -Inf outside the box.
log_base <- function(measure, x) {
  out <- numeric(nrow(x))
  for (column in seq_len(ncol(x))) {
    at <- x[, column]
    if (is.finite(measure$sd[column])) {
      out <- out + stats::dnorm(at, measure$mean[column], measure$sd[column], log = TRUE)
    }
    out[at < measure$lower[column] | at > measure$upper[column]] <- -Inf
  }
  out
}
