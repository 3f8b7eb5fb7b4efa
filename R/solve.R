# From a prepared problem and its penalties to a solution: the one door to all solvers.

# A solution is a list: `functions` (one psd_function a block), `dual`, `primal_value`,
# `dual_value`, `gap` (NA without a certificate), `iterations`, `status` ("converged", "max_iter",
# "max_work", "stalled"), `converged`, `rank` (one per function), `objective` (in the user's units
# of the integral), `log_scale` (the fitted function is exp(log_scale) times the solver's), `mass`
# (the integral of the solver's function, where one is paid for), `seconds`, the parameters `sigma`,
# `lambda` and `ridge`, and `trace` if asked for.
# `previous` is a solution at another penalty to start from.
solve_at <- function(prepared, lambda, ridge, control = prepared$control, previous = NULL) {
  control$tol <- control$tol * prepared$problem$unit
  control$max_work <- control$max_work %||% work_of_fit(prepared)
  out <- prepared$problem$solver(prepared, lambda, ridge, control, previous)
  out$objective <- out$objective %||% (out$primal_value + prepared$log_norm)
  out$log_scale <- out$log_scale %||% -prepared$log_norm
  out[c("sigma", "lambda", "ridge")] <- list(prepared$sigma, lambda, ridge)
  if (!isTRUE(previous$foreign)) out$before <- previous[c("dual", "lambda")]
  out
}

# The solver of most problems: convex, with blocks of the core.
solve_blocks <- function(prepared, lambda, ridge, control, previous) {
  problem <- prepared$problem
  n <- length(prepared$weights)
  blocks <- lapply(problem$blocks, block_of, prepared, lambda, ridge)
  # The solver sees functions without their floors, so responses with the floors taken off.
  y <- prepared$y
  if (any(problem$floors > 0)) y <- sweep(y, 2, drop(problem$mixing %*% problem$floors))
  out <- fit_psd(blocks, problem$losses, y, problem$mixing, prepared$weights, prepared$rows,
                 control, problem$start(previous, of_part(lambda, "psd"), n),
                 isTRUE(control$leverages), control$blur %||% 0, previous$coefficients[[1]])
  if (identical(problem$total, "paid")) {
    root <- out$coefficients[[1]]
    out$mass <- sum(root * (prepared$total %*% root))
  }
  out$functions <- Map(raised, out$functions, problem$floors)
  # From the sections of a linear function themselves its integral is one to rounding.
  if (identical(problem$total, "one") && problem$model$form == "linear") {
    out$log_scale <- -log_integral(out$functions[[1]], problem$measure)
  }
  out
}

# The function of a part, with its penalty, as the core takes it.
block_of <- function(name, prepared, lambda, ridge) {
  problem <- prepared$problem
  penalty <- of_part(lambda, name)
  features <- seen_features(prepared$features[[name]], penalty, problem$steepest,
                            problem$parts[[name]]$free)
  if (problem$parts[[name]]$free) return(linear_block(features, penalty))
  norm <- if (problem$penalty == "raw") exp(prepared$log_norm) else 1
  block <- problem$model$block(features, penalty, ridge, norm, problem$positive)
  if (identical(problem$total, "paid")) block$offset <- prepared$total
  block
}

# Is it a function at all?
is_number <- function(solution) {
  coefficients <- unlist(lapply(solution$functions, `[[`, "coefficients"))
  length(solution$functions) > 0 && all(is.finite(coefficients))
}

# Where the loss of a row stays infinite there is nothing to return.
check_solution <- function(solution, call) {
  if (is.finite(solution$objective) && is_number(solution)) {
    return(check_log_scale(solution, call))
  }
  abort(c("No function of this model with a finite loss at every row was found, after
           {solution$iterations} iteration{?s}.",
          i = "{.arg sigma} may be too small for the distances in the data, {.arg lambda} too large
               or too small, {.arg max_iter} or {.arg max_rank} in {.fn psd_control} too small."),
        class = "psd_no_solution", call = call)
}

# A linear function that is divided by its integral is none where that is lost, and below zero.
check_log_scale <- function(solution, call) {
  if (is.finite(solution$log_scale)) return(invisible())
  abort(c("The integral of the fitted function is lost to rounding: it comes out as zero or less.",
          i = "{.arg sigma} is much larger than what is to be resolved: make it smaller, or
               {.arg lambda} larger."), class = "psd_no_solution", call = call)
}

# One classed warning with what was reached and what to do.
warn_unless_converged <- function(solution, tol, control, call = rlang::caller_env()) {
  if (solution$converged) return(invisible(solution))
  reached <- if (is.na(solution$gap)) "before its gradient was small" else
    "with gap {signif(solution$gap, 2)}, above the tolerance {signif(tol, 3)}"
  solver <- solution$solver %||% control$solver
  remedy <- if (solution$status == "stalled") {
    "It makes no further progress, as a rule because of rounding; a larger {.arg lambda},
     {.arg ridge} or {.arg tol} in {.fn psd_control} is the remedy."
  } else if (solution$status == "max_work") {
    "Its iterations take much computing. Raise {.arg max_work} or {.arg tol} in {.fn psd_control},
     or give a {.arg max_rank}."
  } else {
    "Raise {.arg max_iter} or {.arg tol} in {.fn psd_control}."
  }
  cli::cli_warn(
    c(paste0("The {solver} solver stopped ({.val {solution$status}}) after {solution$iterations}
              iterations ", reached, "."),
      i = remedy),
    class = "psd_not_converged", call = call
  )
}

# What is said of the integral of a density or an intensity holds to this; the estimate of what is
# lost is a high one.
integral_tolerance <- 5e-6

warn_of_rounding <- function(solution, measure, what, call) {
  lost <- integral_rounding(solution$functions[[1]], measure)
  if (!is.finite(lost) || lost <= integral_tolerance) return(invisible())
  cli::cli_warn(
    c("Integrals of this {what} are known to about {signif(lost, 1)} only, for rounding.",
      i = "{.arg sigma} is much larger than what is to be resolved: make it smaller, or
           {.arg lambda} or {.arg ridge} larger."),
    class = "psd_rounding", lost = lost, call = call
  )
}
