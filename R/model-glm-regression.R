# Heteroscedastic and quantile regression with exponentials for the positive functions.

# eta = mean / variance is linear, theta = 1 / variance is exp(h), in the natural parametrisation of
# the paper. The loss is convex in eta and in h, not in both.
glm_hetero_engine <- function(x, y, weights, kernel, constant, control) {
  # h is a linear model: its intercept is penalised as little as that of linear blocks.
  size <- c(linear = 0, psd = 10) * constant
  glm_engine(hetero_engine(x, y, weights, kernel, constant, control), blocks = 2,
             function(rows, sigma, settings) {
               features <- glm_features(x[rows, , drop = FALSE], sigma, kernel, settings, size)
               list(features = features, y = y[rows])
             }, glm_hetero_solution)
}

# The engine of the PSD model with another prepare() and solve(), and random starts that all
# candidates of a search share.
glm_engine <- function(engine, blocks, prepare, solve) {
  draws <- NULL
  draw <- function() draws <<- draws %||% draw_starts(length(engine$rows), blocks)
  weights <- engine$weights
  engine$ridge <- FALSE
  engine$draw <- draw
  engine$prepare <- function(rows, sigma, settings = engine$control) {
    c(prepare(rows, sigma, settings),
      list(weights = weights[rows] / sum(weights[rows]), draws = draw(), control = settings))
  }
  engine$solve <- solve
  engine
}

glm_hetero_solution <- function(problem, lambda, ridge, control = problem$control,
                                previous = NULL) {
  begin <- proc.time()[["elapsed"]]
  values <- lapply(problem$features, `[[`, "values")
  objective <- glm_objective(values, lambda[c("linear", "psd")], problem$weights,
                             function(u) exp_hetero_loss(u, problem$y))
  found <- lapply(glm_starts(previous$w, problem$draws, values), descend, objective, control)
  glm_solution(lowest(found), total_iterations(found), problem$features, control, begin)
}

# u = (eta, h): -h / 2 + (e^(h/2) y - e^(-h/2) eta)^2 / 2, the hetero loss at theta = e^h.
exp_hetero_loss <- function(u, y) {
  root <- exp(u[, 2] / 2)
  error <- root * y - u[, 1] / root
  list(value = (error^2 - u[, 2]) / 2,
       slopes = cbind(-error / root, (error * (root * y + u[, 1] / root) - 1) / 2))
}

total_iterations <- function(found) as.integer(sum(vapply(found, `[[`, 0, "iterations")))

# Smoothing of the pinball losses from coarse to fine, relative to the spread of the response.
glm_smoothing <- c(0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# The middle quantile is linear, the gaps are exponentials: neither convex nor smooth. The pinball
# losses are smoothed, and the smoothing shrunk.
glm_quantreg_engine <- function(x, y, weights, levels, kernel, constant, control) {
  size <- c(linear = 10, psd = 10) * constant
  glm_engine(quantreg_engine(x, y, weights, levels, kernel, constant, control),
             blocks = length(levels), function(rows, sigma, settings) {
               features <- glm_features(x[rows, , drop = FALSE], sigma, kernel, settings, size)
               list(features = c(features["linear"], rep(features["psd"], length(levels) - 1)),
                    y = y[rows], levels = levels)
             }, glm_quantreg_solution)
}

glm_quantreg_solution <- function(problem, lambda, ridge, control = problem$control,
                                  previous = NULL) {
  begin <- proc.time()[["elapsed"]]
  values <- lapply(problem$features, `[[`, "values")
  lambda <- lambda[c("linear", rep("psd", length(values) - 1))]
  objective <- function(width) {
    glm_objective(values, lambda, problem$weights,
                  function(u) exp_pinball_loss(u, problem$y, problem$levels, width))
  }
  steps <- lapply(glm_smoothing * robust_scale(problem$y, problem$weights), objective)
  rough <- control
  rough$tol <- max(control$tol, 1e-3)
  found <- lapply(glm_starts(previous$w, problem$draws, values), descend, steps[[1]], rough)
  # At the coarsest smoothing most starts end in the same place; it is followed once.
  followed <- unique(list(found[[1]], lowest(found)))
  if (length(followed) == 2 && followed[[1]]$value - followed[[2]]$value < rough$tol) {
    followed <- followed[1]
  }
  ends <- lapply(followed, sharpen, steps[-1], objective(0), rough, control)
  glm_solution(lowest(ends), total_iterations(c(found, ends)), problem$features, control, begin)
}

# Follows a minimum as the smoothing shrinks; the value is that of the loss itself.
sharpen <- function(found, steps, exact, rough, control) {
  path <- Reduce(function(from, step) {
    last <- identical(step, steps[[length(steps)]])
    descend(from$w, step, if (last) control else rough)
  }, steps, found, accumulate = TRUE)[-1]
  end <- path[[length(path)]]
  end$value <- exact$value(end$w)
  end$iterations <- total_iterations(path)
  end
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
