# Quantiles as the engine sees them, in standardised units: the level nearest 0.5 is a linear block,
# the gap between two neighbouring levels a PSD block, so that no two quantiles can cross; or a block
# of another model.

quantreg_engine <- function(x, y, weights, levels, kernel, constant, control, model = "psd") {
  prepare <- function(rows, sigma, settings = control) {
    quantreg_problem(x[rows, , drop = FALSE], y[rows], weights[rows], levels, sigma,
                     kernel, constant, settings, model)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    quantreg_solution(problem, lambda, ridge, control)
  }
  score <- function(solution, rows) {
    values <- block_values(solution$functions, x[rows, , drop = FALSE])
    rowSums(pinball_losses(y[rows], mix(values, quantile_mixing(levels)), levels))
  }
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, control = control,
       parts = c("linear", "psd"), ridge = model == "psd", prepare = prepare, solve = solve,
       score = score)
}

# Kernel parts vanish far from the data; a constant feature keeps the gaps open there. In the linear
# block it is 10, so that the intercept is penalised a hundred times less.
quantreg_problem <- function(x, y, weights, levels, sigma, kernel, constant, control,
                             model = "psd") {
  features <- function(part, size) {
    psd_features(x, sigma[[part]], kernel, control, constant = if (constant) size else 0,
                 nodes = model == "psd" && part == "psd")
  }
  list(linear = features("linear", 10), psd = if (length(levels) > 1) features("psd", 1),
       y = y, weights = weights, levels = levels, model = model, control = control)
}

# Always from the start: the end of an interior point is no place to start another.
quantreg_solution <- function(problem, lambda, ridge, control) {
  gaps <- length(problem$levels) - 1
  gap <- if (gaps > 0) nonnegative_block(problem$model, problem$psd, lambda[["psd"]], ridge)
  blocks <- c(list(linear_block(problem$linear, lambda[["linear"]])), rep(list(gap), gaps))
  losses <- lapply(problem$levels, function(tau) list(name = "pinball", tau = tau))
  fit_psd(blocks, losses, rep(problem$y, length(losses)),
          mixing = quantile_mixing(problem$levels), weights = problem$weights, control = control)
}

middle_level <- function(levels) which.min(round(abs(levels - 0.5), 12))

# The quantiles at `tau` as combinations of the blocks (middle, then the gaps from below): one row a
# level, one column a block. At a fitted level each gap between it and the middle counts once, with
# a minus below; between two levels a share of their gap, linear in the normal quantile of tau. No
# entry falls as tau rises.
quantile_mixing <- function(levels, tau = levels) {
  middle <- middle_level(levels)
  position <- stats::qnorm(levels)
  at <- stats::qnorm(tau)
  share <- function(j) {
    passed <- (at - position[j]) / (position[j + 1] - position[j])
    pmin(pmax(passed, 0), 1) - (j < middle)
  }
  shares <- vapply(seq_len(length(levels) - 1), share, at)
  cbind(rep(1, length(tau)), matrix(shares, length(tau)), deparse.level = 0)
}

block_values <- function(functions, x) {
  matrix(vapply(functions, cpp_evaluate, numeric(nrow(x)), x = x), nrow(x))
}

# values %*% t(mixing), one block after the other. Rounding keeps order: as gaps are non-negative
# and mixing rises with the level, each partial sum does too, exactly. A BLAS product promises no
# such thing.
mix <- function(values, mixing) {
  out <- matrix(0, nrow(values), nrow(mixing))
  for (block in seq_len(ncol(values))) out <- out + outer(values[, block], mixing[, block])
  out
}
