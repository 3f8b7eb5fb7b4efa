# The walk of every fitting function: check and mold what the user gave, scale it, declare the
# problem; then, here, tune, solve and construct the fit.

# `grid` is list(sigma =, lambda =, ridge =, parametric =, tune =) as the user gave them;
# `before(prepared)` and `after(prepared, solution)` may stop where the constraints cannot be
# satisfied; `details(solution, chosen, problem)` are fields of the fit that only this problem has.
estimate <- function(problem, molded, units, settings, grid, matched,
                     before = function(prepared) NULL, after = function(prepared, solution) NULL,
                     details = function(solution, chosen, problem) list(), keep = TRUE,
                     call = rlang::caller_env()) {
  control <- settings$control
  wide <- with_widths(problem, grid$sigma, grid$parametric, call, control)
  problem <- wide$problem
  if ("parametric" %in% names(grid)) settings$parametric <- parametric_of(problem)
  check_spread(problem, call)
  chosen <- with_progress(choose_parameters(problem, control, wide$sigma, grid$lambda, grid$ridge,
                                            grid$tune, call))
  check_resolved(problem, chosen$sigma, call)
  all <- problem
  solved <- solve_rows(all, chosen, control, before)
  problem <- solved$problem
  solution <- solved$solution
  tell_limited(solved$prepared)
  after(solved$prepared, solution)
  check_solution(solution, call)
  warn_unless_converged(solution, control$tol * problem$unit, control, call)
  fields <- list(solved = solved_fields(solved$prepared, solution), binning = problem$cells,
                 far = far_model(all, problem$x, solution$functions))
  if (!keep) fields$solved$dual <- NULL  # as long as the data
  new_psd_fit(problem, molded, units, settings, chosen, solution, matched,
              c(details(solution, chosen, problem), fields), keep)
}
