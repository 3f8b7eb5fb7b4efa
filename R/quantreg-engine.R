# Quantiles as the engine sees them, in standardised units: the level nearest 0.5 is a linear block,
# the gap between two neighbouring levels a PSD block, so that no two quantiles can cross; or a
# block of another model.

quantreg_engine <- function(x, y, weights, levels, kernel, constant, control, model = "psd") {
  share <- if (constant && model == "psd") gap_floor else 0
  floors <- share * robust_scale(y, weights) * diff(stats::qnorm(levels))
  prepare <- function(rows, sigma, settings = control) {
    quantreg_problem(x[rows, , drop = FALSE], y[rows], weights[rows], levels, floors, sigma,
                     kernel, constant, settings, model)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    quantreg_solution(problem, lambda, ridge, control)
  }
  score <- function(solution, rows) {
    values <- cpp_evaluate_all(solution$functions, x[rows, , drop = FALSE])
    rowSums(pinball_losses(y[rows], mix(values, quantile_mixing(levels)), levels))
  }
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, control = control,
       parts = c("linear", "psd"), ridge = model == "psd", prepare = prepare, solve = solve,
       score = score)
}

# Kernel parts vanish far from the data; a constant feature can keep the gaps open there, and a
# floor under each gap does so for certain: with little to gain from it the optimum may leave the
# constant at zero. The floor is this share of the gap between the levels of a normal response.
gap_floor <- 0.01

# In the linear block the constant is 10, so that the intercept is penalised a hundred times less.
quantreg_problem <- function(x, y, weights, levels, floors, sigma, kernel, constant, control,
                             model = "psd") {
  features <- function(part, size) {
    psd_features(x, sigma[[part]], kernel, control, constant = if (constant) size else 0,
                 nodes = model == "psd" && part == "psd")
  }
  list(linear = features("linear", 10), psd = if (length(levels) > 1) features("psd", 1),
       y = y, weights = weights, levels = levels, floors = floors, model = model,
       control = control)
}

# Always from the start: the end of an interior point is no place to start another. The solver sees
# gaps without their floors, so responses with the floors taken off.
quantreg_solution <- function(problem, lambda, ridge, control) {
  gaps <- length(problem$floors)
  gap <- if (gaps > 0) nonnegative_block(problem$model, problem$psd, lambda[["psd"]], ridge)
  blocks <- c(list(linear_block(problem$linear, lambda[["linear"]])), rep(list(gap), gaps))
  losses <- lapply(problem$levels, function(tau) list(name = "pinball", tau = tau))
  mixing <- quantile_mixing(problem$levels)
  y <- outer(problem$y, drop(mixing %*% c(0, problem$floors)), "-")
  out <- fit_psd(blocks, losses, y, mixing = mixing, weights = problem$weights, control = control)
  out$functions[-1] <- Map(raised, out$functions[-1], problem$floors)
  out
}

# f = |R' v|^2 raised by a constant: one more column in R, on the constant among the anchors.
raised <- function(f, by) {
  if (by == 0) return(f)
  constant <- is.infinite(f$anchors$width[, 1])
  f$coefficients <- cbind(f$coefficients, sqrt(by) * constant, deparse.level = 0)
  f
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

# values %*% t(mixing), one block after the other. Rounding keeps order: as gaps are non-negative
# and mixing rises with the level, each partial sum does too, exactly. A BLAS product promises no
# such thing.
mix <- function(values, mixing) {
  out <- matrix(0, nrow(values), nrow(mixing))
  for (block in seq_len(ncol(values))) out <- out + outer(values[, block], mixing[, block])
  out
}
