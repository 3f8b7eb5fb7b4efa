# The comparison model GLM: positive functions are exponentials, f(x) = exp(w' phi(x)) with penalty
# (lambda / 2) |w|^2. An exponential is never zero and no integral of it has a closed form; only for
# densities is the problem convex (R/model-glm-density.R). Heteroscedastic and quantile regression
# are not: quasi-Newton from several starts, and no certificate.

# Random starts besides the one at zero (or at the solution for another penalty).
glm_restarts <- 4

# Each block has linear predictors u_k = V_k' w_k. `loss(u)` gives the loss of each observation and
# its slopes in u, a matrix with one column a block. The objective is
# sum_i omega_i loss_i + sum_k lambda_k / 2 |w_k|^2, a function of all w in one vector.
glm_objective <- function(values, lambda, weights, loss) {
  size <- vapply(values, nrow, 0L)
  part <- rep(seq_along(values), size)
  penalty <- rep(lambda, size)
  last <- NULL
  # A descent asks for the gradient where it has just asked for the value.
  loss_at <- function(w) {
    if (!identical(last$w, w)) {
      u <- lapply(seq_along(values), function(k) crossprod(values[[k]], w[part == k]))
      u <- do.call(cbind, u)
      last <<- list(w = w, loss = loss(u))
    }
    last$loss
  }
  list(
    part = part, penalty = penalty,
    value = function(w) sum(weights * loss_at(w)$value) + sum(penalty * w^2) / 2,
    gradient = function(w) {
      slopes <- weights * loss_at(w)$slopes
      unlist(lapply(seq_along(values), function(k) values[[k]] %*% slopes[, k])) + penalty * w
    }
  )
}

# How far a gradient is from zero, in units of the objective: on a convex problem it bounds the
# distance to the optimum, as the objective is lambda-strongly convex.
gradient_bound <- function(gradient, penalty) sum(gradient^2 / penalty) / 2

# Quasi-Newton from `w` until the gradient is small: optim() itself looks at values only.
descend <- function(w, objective, control) {
  iterations <- 0
  for (attempt in 1:5) {
    out <- stats::optim(w, objective$value, objective$gradient, method = "BFGS",
                        control = list(maxit = 10 * control$max_iter,
                                       reltol = control$tol * 10^-(2 + attempt)))
    w <- out$par
    iterations <- iterations + out$counts[["gradient"]]
    bound <- gradient_bound(objective$gradient(w), objective$penalty)
    small <- bound <= control$tol * max(1, abs(out$value))
    if (small) break
  }
  list(w = w, value = out$value, iterations = iterations, converged = small)
}

# Standard normal numbers, one column a restart, enough for the features of `blocks` blocks.
draw_starts <- function(n, blocks) {
  matrix(stats::rnorm((n + 1) * blocks * glm_restarts), ncol = glm_restarts)
}

# Where the descents go from: `first` (or zero), then the random starts, in which every predictor is
# about one in size, the constant feature's share too.
glm_starts <- function(first, draws, values) {
  size <- unlist(lapply(values, function(v) pmax(1, apply(abs(v), 1, max))))
  random <- draws[seq_along(size), , drop = FALSE] / size
  c(list(first %||% rep(0, length(size))), lapply(seq_len(ncol(random)), function(j) random[, j]))
}

lowest <- function(found) found[[which.min(vapply(found, `[[`, 0, "value"))]]

# As fit_psd() returns it. Nothing is known of the distance to the global optimum.
glm_solution <- function(best, iterations, features, control, begin) {
  size <- vapply(features, function(block) nrow(block$values), 0L)
  w <- split(best$w, rep(seq_along(size), size))
  functions <- Map(function(block, w, type) {
    fitted_function(list(type = type, features = block), matrix(w))
  }, features, w, c("linear", rep("exp", length(features) - 1)))
  status <- if (best$converged) "converged" else "iteration_limit"
  finish_solution(list(w = best$w, primal_value = best$value, gap = NA_real_,
                       iterations = iterations, status = status, solver = "quasi-Newton"),
                  unname(functions), control, begin)
}

glm_features <- function(x, sigma, kernel, control, constant) {
  lapply(c(linear = "linear", psd = "psd"), function(part) {
    psd_features(x, sigma[[part]], kernel, control, constant[[part]])
  })
}
