# The walk of every fitting function: check and mold what the user gave, scale it, declare the
# problem; then, here, tune, solve and construct the fit.

# `grid` is list(sigma =, lambda =, ridge =, parametric =, tune =) as the user gave them;
# `before(prepared)` and `after(prepared, solution)` may stop where the constraints cannot be
# satisfied; `details(solution, chosen)` are fields of the fit that only this problem has.
estimate <- function(problem, molded, units, settings, grid, matched,
                     before = function(prepared) NULL, after = function(prepared, solution) NULL,
                     details = function(solution, chosen) list(), keep = TRUE,
                     call = rlang::caller_env()) {
  control <- settings$control
  wide <- with_widths(problem, grid$sigma, grid$parametric, call)
  problem <- wide$problem
  check_spread(problem, call)
  chosen <- with_progress(choose_parameters(problem, control, wide$sigma, grid$lambda, grid$ridge,
                                            grid$tune, call))
  check_resolved(problem, chosen$sigma, call)
  prepared <- chosen$prepared %||% prepare(problem, rows_of(problem), chosen$sigma, control)
  before(prepared)
  solution <- chosen$solution %||% solve_chosen(prepared, chosen)
  after(prepared, solution)
  check_solution(solution, call)
  warn_unless_converged(solution, control, call)
  solved <- solved_fields(prepared, solution)
  if (!keep) solved$dual <- NULL  # as long as the data
  new_psd_fit(problem, molded, units, settings, chosen, solution, matched,
              c(details(solution, chosen), list(solved = solved)), keep)
}

# Integrals need the kernel at points beside the data: nearer than the numbers of double precision
# there are none.
check_resolved <- function(problem, sigma, call) {
  if (is.null(problem$measure)) return(invisible())
  largest <- max(abs(problem$x))
  width <- min(sigma, sigma * several_widths(problem))
  if (width < 10 * .Machine$double.eps * largest) {
    abort(c("{.arg sigma} must be at least {.val {signif(10 * .Machine$double.eps * largest, 2)}},
             the distance between numbers at the largest value, not {.val {signif(width, 2)}}.",
            i = "Look for outliers, or standardise the columns."), call = call)
  }
}

# The normal density that a parametric part is made of has the variance of the data.
check_spread <- function(problem, call) {
  normal <- vapply(problem$parts, function(part) part$parametric && part$null == "normal", NA)
  constant <- apply(problem$x, 2, function(column) stats::var(column) %in% c(0, NA))
  if (any(normal) && any(constant)) {
    abort(c("{.arg sigma} must be a single width where a column of {.arg x} is constant.",
            i = "Several widths come with a normal density, which needs a variance; or leave that
                 out with {.code parametric = FALSE}."), call = call)
  }
}

# Where the loss of a row stays infinite there is nothing to return.
check_solution <- function(solution, call) {
  if (is.finite(solution$objective) && length(solution$functions) > 0) return(invisible())
  abort(c("No function of this model with a finite loss at every row was found, after
           {solution$iterations} iteration{?s}.",
          i = "{.arg sigma} may be too small for the distances in the data, {.arg lambda} too large
               or too small, {.arg max_iter} or {.arg max_rank} in {.fn psd_control} too small."),
        class = "psd_no_solution", call = call)
}
