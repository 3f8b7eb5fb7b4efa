# Losses of exponentials as functions of the linear predictors, with their slopes.

# The losses to descend one after the other: those of the problem, smoothed less and less; the last
# is the loss itself. `u` has one column per function, the exponent of the non-negative ones.
glm_losses <- function(problem, prepared) {
  y <- prepared$y[, 1]
  if (problem$losses[[1]]$name == "hetero") return(list(function(u) exp_hetero_loss(u, y)))
  levels <- vapply(problem$losses, `[[`, 0, "tau")
  widths <- c(glm_smoothing * robust_scale(y, prepared$weights), 0)
  lapply(widths, function(width) function(u) exp_pinball_loss(u, y, levels, width))
}

# Smoothing of the pinball losses from coarse to fine, relative to the spread of the response.
glm_smoothing <- c(0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# u = (eta, h): -h / 2 + (e^(h/2) y - e^(-h/2) eta)^2 / 2, the hetero loss at theta = e^h.
exp_hetero_loss <- function(u, y) {
  root <- exp(u[, 2] / 2)
  error <- root * y - u[, 1] / root
  list(value = (error^2 - u[, 2]) / 2,
       slopes = cbind(-error / root, (error * (root * y + u[, 1] / root) - 1) / 2))
}

# u = (middle, logs of the gaps). The pinball loss at level tau is tau r + max(-r, 0), r = y - q;
# the maximum becomes width log(1 + e^(-r / width)), at most width log 2 more.
exp_pinball_loss <- function(u, y, levels, width) {
  mixing <- quantile_mixing(levels)
  parts <- cbind(u[, 1], exp(u[, -1, drop = FALSE]))
  residual <- y - parts %*% t(mixing)
  tau <- rep(levels, each = length(y))
  soft <- if (width > 0) width * log1p(exp(-abs(residual) / width)) else 0
  below <- if (width > 0) stats::plogis(-residual / width) else residual < 0
  chain <- cbind(1, parts[, -1, drop = FALSE])
  list(value = rowSums(tau * residual + pmax(-residual, 0) + soft),
       slopes = ((below - tau) %*% mixing) * chain)
}
