# Densities p = exp(g) b / integral, g(x) = w' phi(x), b the density of the base measure. The
# integral is a mean over points drawn from the base measure, the same for all candidates and folds:
#   -sum_i omega_i g(x_i) + log mean_m exp(g(s_m)) + (lambda / 2) |w|^2
# is minimised, which is convex in w. An exponential has no scale to fix, so `penalty` means
# nothing.

glm_points <- 10000  # as in the paper

check_glm_density <- function(measure, constraints, call) {
  if (length(constraints) > 0) {
    abort(c("{.arg constraints} must be empty for {.code model = \"glm\"}.",
            i = "Those on the integrals of an exponential have no closed form; {.code model =
                 \"psd\"} takes them."),
          call = call)
  }
  if (any(is.infinite(measure$sd) & is.infinite(measure$upper - measure$lower))) {
    abort(c("{.arg base} must be a measure one can draw from for {.code model = \"glm\"}, not
             {.fn psd_lebesgue} on an unbounded support.",
            i = "Give {.code base = psd_gaussian()}, or finite {.arg lower} and {.arg upper}."),
          call = call)
  }
  if (!is.finite(log_base_mass(measure))) {
    abort("{.arg base} must have mass between {.arg lower} and {.arg upper} for
           {.code model = \"glm\"}; it has none that can be drawn.", call = call)
  }
}

# A density that is so much higher at the data than its base would have an integral of one only if
# hardly any of the base were there: the points drawn, of which none was, do not tell.
check_glm_integral <- function(solution, x, measure, call) {
  if (length(solution$functions) == 0) return(invisible())
  above <- max(log_values(solution$functions[[1]], x)) + solution$log_scale + log_base_mass(measure)
  if (isTRUE(above > 100)) {
    abort(c("{.arg lower} and {.arg upper}, or {.arg base}, must be nearer to the data for
             {.code model = \"glm\"}: of {glm_points} points drawn there none is near them.",
            i = "{.code model = \"psd\"} has an integral in closed form."), call = call)
  }
}

# Rows drawn from the base measure inside its box, by inverting its distribution function.
draw_base <- function(measure, count) {
  u <- matrix(stats::runif(count * length(measure$sd)), count)
  for (column in seq_len(ncol(u))) {
    ends <- c(measure$lower[column], measure$upper[column])
    u[, column] <- if (is.infinite(measure$sd[column])) {
      ends[1] + diff(ends) * u[, column]
    } else {
      level <- stats::pnorm(ends, measure$mean[column], measure$sd[column])
      stats::qnorm(level[1] + diff(level) * u[, column], measure$mean[column], measure$sd[column])
    }
  }
  u
}

# log of the mass of the base measure on its box.
log_base_mass <- function(measure) {
  inside <- stats::pnorm(measure$upper, measure$mean, measure$sd) -
    stats::pnorm(measure$lower, measure$mean, measure$sd)
  sum(log(ifelse(is.infinite(measure$sd), measure$upper - measure$lower, inside)))
}

solve_glm_density <- function(prepared, lambda, control, w) {
  points <- prepared$points
  out <- glm_density_newton(points, lambda, w %||% rep(0, length(points$mean)), control)
  log_mass <- log_base_mass(prepared$problem$measure)
  out$objective <- out$primal_value + log_mass
  out$log_scale <- -log_mass - out$log_mean
  out$blocks <- list(block_of("psd", prepared, lambda, NA))
  out
}

# What the objective is made of: the mean of the features, and `sections`, the kernels of the
# landmarks (rows) at the drawn points (columns). They stay as they are: whitening them would cost
# more than all the steps.
glm_density_points <- function(prepared) {
  features <- prepared$features$psd
  weights <- prepared$weights / sum(prepared$weights)
  list(features = features, mean = as.vector(features$values %*% weights),
       sections = mixed_sections(features, prepared$problem$draws()))
}

# A landmark's kernel is the sum of its sections, one per width; the last anchors stand alone.
mixed_sections <- function(features, x) {
  at_anchors <- exp(cpp_log_sections(features$kernel, features$anchors, x))
  kernels <- length(features$landmarks)
  rows <- seq_len(kernels * length(features$weight))
  of_width <- split(rows, rep(seq_along(features$weight), each = kernels))
  summed <- Reduce(`+`, Map(function(rows, weight) weight * at_anchors[rows, , drop = FALSE],
                            of_width, features$weight))
  rbind(summed, at_anchors[-rows, , drop = FALSE])
}

# Newton's method, its systems solved by conjugate gradients: a product with the Hessian costs as
# much as a gradient, whatever the rank. The problem is lambda-strongly convex, so the gradient
# bounds the distance to the optimum: that is the gap.
glm_density_newton <- function(problem, lambda, w, control) {
  at <- glm_density_point(problem, lambda, w)
  iterations <- 0
  most <- cpp_work() + control$max_work
  status <- "max_iter"
  repeat {
    gap <- gradient_bound(at$gradient, lambda)
    if (gap <= control$tol * max(1, abs(at$value))) status <- "converged"
    else if (cpp_work() >= most) status <- "max_work"
    if (status != "max_iter" || iterations >= control$max_iter) break
    iterations <- iterations + 1
    size <- sqrt(sum(at$gradient^2))
    step <- conjugate_gradients(at$hessian, -at$gradient, min(0.1, sqrt(size)) * size)
    new <- shorten_step(function(t) glm_density_point(problem, lambda, at$w + t * step), at,
                        sum(at$gradient * step))
    if (is.null(new)) status <- "stalled" else at <- new
  }
  list(w = at$w, log_mean = at$log_mean, primal_value = at$value, gap = gap,
       iterations = iterations, status = status, solver = "newton")
}

# The objective at w: value, gradient, and the product of the Hessian with a direction.
glm_density_point <- function(problem, lambda, w) {
  factor <- problem$features$factor
  work <- 6 * length(problem$sections)  # of a product with them
  spread <- function(w) {
    cpp_work(2 * work)  # and of the way back
    as.vector(crossprod(problem$sections, forwardsolve(factor, w, transpose = TRUE)))
  }
  gather <- function(p) as.vector(forwardsolve(factor, problem$sections %*% p))
  g <- spread(w)
  top <- max(g)
  relative <- exp(g - top)
  p <- relative / sum(relative)
  log_mean <- top + log(mean(relative))
  list(w = w, log_mean = log_mean,
       value = log_mean - sum(problem$mean * w) + lambda * sum(w^2) / 2,
       gradient = gather(p) - problem$mean + lambda * w,
       hessian = function(d) {
         change <- spread(d)
         gather(p * (change - sum(p * change))) + lambda * d
       })
}

# product(x) = b for a positive definite product, until the residual is at most `tol`.
conjugate_gradients <- function(product, b, tol) {
  x <- numeric(length(b))
  residual <- direction <- b
  square <- sum(residual^2)
  for (step in seq_len(2 * length(b))) {
    moved <- product(direction)
    along <- square / sum(direction * moved)
    x <- x + along * direction
    residual <- residual - along * moved
    before <- square
    square <- sum(residual^2)
    if (sqrt(square) <= tol) break
    direction <- residual + square / before * direction
  }
  x
}

# The first of steps 1, 1/2, 1/4, ... that decreases the value enough; near the optimum, where
# rounding hides a decrease, one that makes the gradient smaller. NULL if there is none.
shorten_step <- function(point, at, slope) {
  rounding <- 1e-13 * max(1, abs(at$value))
  for (t in 2^-(0:40)) {
    new <- point(t)
    enough <- new$value <= at$value + 1e-4 * t * slope
    smaller <- new$value <= at$value + rounding && sum(new$gradient^2) < sum(at$gradient^2)
    if (isTRUE(enough || smaller)) return(new)
  }
  NULL
}
