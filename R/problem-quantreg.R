# Quantiles: one level, that nearest 0.5, is a linear function, the gap between two neighbouring
# levels a non-negative one, so that no two quantiles can cross. Under a bound the level next to it
# is the bound (zero, in standardised units) plus or minus a non-negative function.
quantreg_problem <- function(x, y, weights, levels, model, kernel, constant,
                             base = quantile_base(levels)) {
  mixing <- quantile_mixing(levels, base = base)
  gaps <- length(levels) - 1
  new_problem(
    "quantreg", x, weights, model, kernel, y = rep(y, length(levels)),
    parts = list(linear = if (base$bounded) part(constant = model$constant * constant)
                          else part(free = TRUE, constant = free_constant * constant,
                                    null = "linear"),
                 psd = part(constant = model$constant * constant, smoother = smoother_gaps)),
    blocks = c("linear", rep("psd", gaps)), mixing = mixing,
    floors = c(0, if (constant && model$form == "psd") gap_floors(y, weights, levels)
                  else rep(0, gaps)),
    losses = lapply(levels, function(tau) list(name = "pinball", tau = tau)),
    steepest = 1, binning = "levels", unit = spread_unit(y, weights),
    far = if (constant) function(x, y, weights) parallel_quantiles(x, y, weights, levels, base),
    start = no_start,  # the end of an interior point is no place to start another
    score = function(solution, x, y) {
      rowSums(pinball_losses(y[, 1], mix(all_values(solution$functions, x), mixing), levels))
    },
    left_out = function(solution, x, y) {
      curves <- mix(all_values(solution$functions, x), mixing) + t(solution$changes)
      rowSums(pinball_losses(y[, 1], curves, levels))
    }
  )
}

# The spread of a response changes less abruptly than its middle, and less is known of it.
smoother_gaps <- 1.6

# Of a constant response its size.
spread_unit <- function(y, weights) {
  spread <- c(robust_scale(y, weights), max(abs(y)), 1)
  min(1, spread[spread > 0][1])
}

# Kernel parts vanish far from the data; a constant feature can keep the gaps open there, and a
# floor under each gap does so for certain: with little to gain from it the optimum may leave the
# constant at zero. The floor is this share of the gap between the levels of a normal response.
gap_floor <- 0.01

gap_floors <- function(y, weights, levels) {
  gap_floor * robust_scale(y, weights) * diff(stats::qnorm(levels))
}

# Parallel lines, or constants, at the quantiles of the residuals of a median regression: the base,
# then the gaps. Beside a bound they are constant, as lines would cross it.
parallel_quantiles <- function(x, y, weights, levels, base) {
  line <- line_or_constant(if (base$bounded) 0 * x else x, y, weights, power = 1)
  at <- weighted_quantile(line$residuals, levels, weights)
  gaps <- pmax(diff(at), gap_floors(y, weights, levels))
  list(intercept = c(base$sign * (line$intercept + at[base$level]), gaps),
       slopes = cbind(line$slopes, matrix(0, ncol(x), length(gaps))))
}

middle_level <- function(levels) which.min(round(abs(levels - 0.5), 12))

# Where quantiles begin: `level`, the number of that which has a function of its own, its `sign`,
# and whether it is `bounded`, by "lower" or "upper".
quantile_base <- function(levels, bound = "none") {
  level <- switch(bound, none = middle_level(levels), lower = 1, upper = length(levels))
  list(level = level, sign = if (bound == "upper") -1 else 1, bounded = bound != "none")
}

# The quantiles at `tau` as combinations of the blocks (the base, then the gaps from below): one row
# per level, one column per block. At a fitted level each gap between it and the base counts once,
# with a minus below; between two levels a share of their gap, linear in the normal quantile of tau.
# No entry falls as tau rises.
quantile_mixing <- function(levels, tau = levels, base = quantile_base(levels)) {
  middle <- base$level
  position <- stats::qnorm(levels)
  at <- stats::qnorm(tau)
  share <- function(j) {
    passed <- (at - position[j]) / (position[j + 1] - position[j])
    pmin(pmax(passed, 0), 1) - (j < middle)
  }
  shares <- vapply(seq_len(length(levels) - 1), share, at)
  cbind(rep(base$sign, length(tau)), matrix(shares, length(tau)), deparse.level = 0)
}
