# The comparison model GLM: positive functions are exponentials, f(x) = exp(w' phi(x)) with penalty
# (lambda / 2) |w|^2. An exponential is never zero and no integral of it has a closed form; only for
# densities is the problem convex (R/model-glm-density.R). Heteroscedastic and quantile regression
# are not: quasi-Newton from several starts, and no certificate (R/model-glm-descent.R).

model_glm <- function() {
  new_model(
    "glm", label = "exponential of a linear function (glm)", form = "linear",
    problems = c("density", "quantreg", "hetero"), solver = solve_exponentials,
    closed_form = FALSE, certified = FALSE,
    constant = free_constant,  # its exponent is a linear model
    prepare = function(prepared) {
      if (!is.null(prepared$problem$measure)) prepared$points <- glm_density_points(prepared)
      prepared
    },
    block = function(features, lambda, ridge, norm, positive) {
      list(type = "exp", features = features, l2 = lambda)
    },
    draw = function(problem) {
      if (is.null(problem$measure)) draw_starts(nrow(problem$x), length(problem$blocks))
      else draw_base(problem$measure, glm_points)
    }
  )
}

solve_exponentials <- function(prepared, lambda, ridge, control, previous) {
  begin <- proc.time()[["elapsed"]]
  solve <- if (is.null(prepared$problem$measure)) solve_by_descent else solve_glm_density
  found <- solve(prepared, lambda, control, previous$w)
  size <- vapply(found$blocks, function(block) nrow(block$features$values), 0L)
  w <- split(found$w, rep(seq_along(size), size))
  functions <- Map(function(block, w) fitted_function(block, matrix(w)), found$blocks, w)
  found$blocks <- NULL
  finish_solution(found, unname(functions), control, begin)
}
