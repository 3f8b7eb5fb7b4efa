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
    score = function(solution, x, y) {
      total_loss(losses, mix(all_values(solution$functions, x), mixing), y)
    }
  )
}

# The loss of each row, summed over outputs.
total_loss <- function(losses, u, y) {
  Reduce(`+`, lapply(seq_along(losses), function(j) loss_values(losses[[j]], u[, j], y[, j])))
}
