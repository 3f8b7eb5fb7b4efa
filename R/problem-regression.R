# Regression with outputs in a cone: one linear function a direction of the cone's lineality space,
# one non-negative function a generator; the outputs mix them. `constraints` are functional()s.
regression_problem <- function(x, y, weights, losses, cone, model, kernel, constant,
                               constraints = list()) {
  in_halfspaces <- cone$type == "halfspaces"
  lines <- ncol(cone$lineality) %||% 0
  mixing <- if (in_halfspaces) signed_mixing(ncol(y)) else cbind(cone$lineality, cone$generators)
  new_problem(
    "regression", x, weights, model, kernel, y = y,
    parts = c(if (lines > 0) list(linear = part(free = TRUE, constant = free_constant * constant)),
              list(psd = part(constant = model$constant * constant))),
    blocks = c(rep("linear", lines), rep("psd", ncol(mixing) - lines)), mixing = mixing,
    losses = lapply(losses, loss_spec), constraints = constraints,
    halfspaces = if (in_halfspaces) cone,
    solver = if (in_halfspaces) solve_in_halfspaces else model$solver,
    start = if (in_halfspaces) last_dual_of_width else last_dual,
    unit = loss_unit(losses, response_size(y, weights)),
    score = function(solution, x, y) {
      total_loss(losses, mix(all_values(solution$functions, x), mixing), y)
    }
  )
}

# The loss of each row, summed over outputs.
total_loss <- function(losses, u, y) {
  Reduce(`+`, lapply(seq_along(losses), function(j) loss_values(losses[[j]], u[, j], y[, j])))
}

# The size of the response: its root mean square, or what the median of |y| says if that is less.
response_size <- function(y, weights) {
  weights <- rep(weights, ncol(y))
  y <- abs(as.vector(y))
  size <- binary_size(y)
  mean_square <- size * sqrt(stats::weighted.mean((y / size)^2, weights))
  median <- 1.4826 * weighted_quantile(y, 0.5, weights)
  if (median > 0) min(mean_square, median) else if (mean_square > 0) mean_square else 1
}

# What it costs to be twice as large as a response of that size, relative to one of size one.
loss_unit <- function(losses, size) {
  excess <- function(loss, y) loss_values(loss, 2 * y, y) - loss_values(loss, y, y)
  ratio <- vapply(losses, function(loss) excess(loss, size) / excess(loss, 1), 0)
  min(1, ratio[is.finite(ratio) & ratio > 0])
}
