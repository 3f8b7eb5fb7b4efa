# Exponentials in problems that are not convex: quasi-Newton from several starts. Nothing is known
# of the distance to the global optimum.

# Each problem is a few smooth ones, from coarse to fine, the last of which counts.
solve_by_descent <- function(prepared, lambda, control, w) {
  problem <- prepared$problem
  blocks <- lapply(problem$blocks, block_of, prepared, lambda, NA)
  values <- lapply(blocks, function(block) block$features$values)
  penalty <- vapply(blocks, `[[`, 0, "l2")
  weights <- prepared$weights / sum(prepared$weights)
  steps <- lapply(glm_losses(problem, prepared), function(loss) {
    glm_objective(values, penalty, weights, loss)
  })
  found <- descend_path(steps, glm_starts(w, problem$draws(), values), control)
  list(w = found$w, primal_value = found$value, gap = NA_real_,
       iterations = found$iterations, status = found$status,
       solver = "quasi-Newton", blocks = blocks)
}

# From every start to the first objective; of those ends the first and the lowest are followed
# through the others. With a single objective the lowest end is the answer.
descend_path <- function(steps, starts, control) {
  if (length(steps) == 1) {
    control$max_work <- control$max_work / length(starts)
    found <- lapply(starts, descend, steps[[1]], control)
    best <- lowest(found)
    best$iterations <- total_iterations(found)
    return(best)
  }
  exact <- steps[[length(steps)]]
  rough <- control
  rough$tol <- max(control$tol, 1e-3)
  # Half of the work for the way, and half for its ends, of which there may be two.
  rough$max_work <- control$max_work / 2 / (length(starts) + 2 * (length(steps) - 2))
  control$max_work <- control$max_work / 4
  found <- lapply(starts, descend, steps[[1]], rough)
  # At the coarsest smoothing most starts end in the same place; it is followed once.
  followed <- unique(list(found[[1]], lowest(found)))
  if (length(followed) == 2 && followed[[1]]$value - followed[[2]]$value < rough$tol) {
    followed <- followed[1]
  }
  ends <- lapply(followed, sharpen, steps[-c(1, length(steps))], exact, rough, control)
  best <- lowest(ends)
  best$iterations <- total_iterations(c(found, ends))
  best
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

total_iterations <- function(found) as.integer(sum(vapply(found, `[[`, 0, "iterations")))

# Random starts besides the one at zero (or at the solution for another penalty).
glm_restarts <- 4

# Each block has linear predictors u_k = V_k' w_k. `loss(u)` gives the loss of each observation and
# its slopes in u, a matrix with one column per block. The objective is
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
    work = 20 * length(part) * (length(part) + length(weights)) + 2e6,  # of a step
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
  affordable <- ceiling(control$max_work / objective$work)
  most <- min(10 * control$max_iter, affordable)
  for (attempt in 1:5) {
    out <- stats::optim(w, objective$value, objective$gradient, method = "BFGS",
                        control = list(maxit = most - iterations,
                                       reltol = control$tol * 10^-(2 + attempt)))
    w <- out$par
    iterations <- iterations + out$counts[["gradient"]]
    bound <- gradient_bound(objective$gradient(w), objective$penalty)
    small <- bound <= control$tol * max(1, abs(out$value))
    if (small || iterations >= most) break
  }
  cpp_work(iterations * objective$work)
  status <- if (small) "converged"
            else if (iterations < most) "stalled"
            else if (most < affordable) "max_iter" else "max_work"
  list(w = w, value = out$value, iterations = iterations, status = status)
}

# Standard normal numbers, one column per restart, enough for the features of `blocks` blocks.
draw_starts <- function(n, blocks) {
  matrix(stats::rnorm((n + 1) * blocks * glm_restarts), ncol = glm_restarts)
}

# Where the descents go from: `first` (or zero), then the random starts, in which every predictor is
# about one in size, the constant feature's share too.
glm_starts <- function(first, draws, values) {
  size <- unlist(lapply(values, function(v) pmax(1, apply(abs(v), 1, max))))
  # The coordinates, where they are features, take the first draws once more.
  random <- draws[rep_len(seq_len(nrow(draws)), length(size)), , drop = FALSE] / size
  c(list(first %||% rep(0, length(size))), lapply(seq_len(ncol(random)), function(j) random[, j]))
}

lowest <- function(found) found[[which.min(vapply(found, `[[`, 0, "value"))]]
