# Uncertainty of a fit by the Bayesian bootstrap: the observations get random weights, and the same
# problem is solved again, with the features and penalties of the fit.

#' Bootstrap of a fit
#'
#' Refits under random weights, exponential and scaled to a mean of one (the Bayesian bootstrap of
#' Rubin, 1981), times the weights of the fit. Units, features, kernel widths and penalties are
#' those of the fit, so that a replicate costs one solution, started from that of the fit where the
#' solver can: the spread is that of the estimate with these parameters, and does not have that of
#' their choice, nor the bias that the penalty brings. The pilot of a [psd_hetero()] is fitted again
#' with its widths as they are.
#'
#' Replicates run in parallel where a plan of package 'future' is set, and report progress through
#' 'progressr'.
#'
#' @param fit A fit, not of model `"glm"`; a density or regression without `constraints`.
#' @param R Number of replicates.
#' @param seed A number to start the random numbers from, after which their state is restored.
#' @param data For a density, which does not keep its data: what was passed as `x`, or as `data` for
#'   a formula, if it is not found by evaluating the call again.
#' @return An object of class `psd_boot`, for [predict()][predict.psd_boot] and, as `bands`, for
#'   `autoplot()` of the fit. Replicates without a finite solution, as of fits that the data hardly
#'   determine, are left out with a warning (class `psd_not_converged`).
#' @seealso [predict.psd_boot()]
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' boot <- psd_boot(fit, R = 50, seed = 1)
#' predict(boot, data.frame(speed = c(5, 15, 25)))
#' autoplot(fit, bands = boot)
psd_boot <- function(fit, R = 200, seed = NULL, data = NULL) {
  check_bootable(fit)
  R <- check_count(R, min = 2)
  env <- parent.frame()
  problem <- problem_of_fit(fit, data, env)
  control <- call_argument(fit, "control", env) %||% psd_control()
  groups <- groups_of(fit)
  prepared <- prepare_groups(groups, problem, rows_of(problem), control)
  first <- Map(function(prepared, group) solve_path(prepared, group[1])[[1]], prepared, groups)
  with_seed(seed, {
    draws <- replicate(R, stats::rexp(nrow(problem$x)), simplify = FALSE)
    replicates <- with_progress(run_tasks(draws, function(draw) {
      replicated_solution(groups, prepared, draw / mean(draw), first)
    }), "Bootstrap")
    structure(list(fit = fit, replicates = sound_replicates(replicates)), class = "psd_boot")
  })
}

# Those that are numbers: the solver may end without where a fit is hardly determined, as one of two
# rows under weights of any size.
sound_replicates <- function(replicates, call = rlang::caller_env()) {
  sound <- vapply(replicates, function(replicate) {
    all(is_number(replicate), is.finite(replicate$log_scale))
  }, NA)
  if (sum(sound) < 2) {
    abort("{.arg fit} must be one that can be solved again under other weights: of {length(sound)}
           replicates {sum(sound)} had a finite solution.", class = "psd_undefined",
          call = call)
  }
  if (!all(sound)) {
    cli::cli_warn("{sum(!sound)} of {length(sound)} replicates have no finite solution: they are
                   left out.", class = "psd_not_converged", call = call)
  }
  replicates[sound]
}

# Under the weights of the fit times `draw`, from its dual solutions, which weights scale; or,
# should that lead nowhere, from scratch.
replicated_solution <- function(groups, prepared, draw, first) {
  problem <- prepared[[1]]$problem
  problem <- piloted_again(problem, rows_of(problem), problem$weights * draw)
  prepared <- lapply(prepared, function(p) {
    utils::modifyList(p, list(weights = p$weights * draw, y = problem$y))
  })
  out <- solve_groups(groups, prepared, lapply(first, reweighted_start, draw))
  if (!out$converged) out <- solve_groups(groups, prepared)
  c(out[c("functions", "log_scale", "converged")], list(pilot = problem$pilot$model))
}

reweighted_start <- function(solution, draw) {
  if (is.null(solution$dual)) return(solution)
  each <- length(solution$dual) %/% length(draw)
  of_rows <- seq_len(each * length(draw))
  solution$dual[of_rows] <- solution$dual[of_rows] * rep(draw, each = each)
  solution
}

check_bootable <- function(fit, call = rlang::caller_env()) {
  if (!inherits(fit, "psd_fit")) {
    abort("{.arg fit} must be a fitted model, not {.obj_type_friendly {fit}}.", call = call)
  }
  why <- if (!is.null(fit$origin)) "is derived from another"
         else if (!model_of(fit)$closed_form) "has several local solutions"
         else if (length(fit$constraints) > 0) "has constraints"
         else if (!is.null(fit$offset)) "has an offset"
         else if (identical(fit$cone$type, "halfspaces")) "has a cone by half-spaces"
  if (!is.null(why)) {
    abort("{.arg fit} must be one that can be solved again under other weights: this one {why}.",
          class = "psd_undefined", call = call)
  }
}

# The problem that a fit solved, in its own units.
problem_of_fit <- function(fit, data, env, call = rlang::caller_env()) {
  x <- if (is.null(fit$x)) training_points(fit, data, env, call) else fit$x
  recorded <- fit$recorded %||% 0
  if (recorded > 0) x <- placed_rows(x, recorded, support_of(fit))
  x <- standardized(x, fit$units$x)
  weights <- fit$weights %||% training_weights(fit, data, env, call)
  model <- model_of(fit)
  set <- fit$parameters
  y <- if (!is.null(fit$y)) (fit$y - fit$units$y$center) / fit$units$y$scale
  problem <- switch(fit$problem,
    density = density_problem(x, weights, fit$measure, model, set$kernel, set$penalty,
                              round = identical(set$shape, "full")),
    intensity = intensity_problem(x, weights, fit$measure, set$kernel, set$constant,
                                  if (fit$solved$total == "one") "observed" else "shrunk"),
    quantreg = quantreg_problem(x, y, weights, fit$levels, model, set$kernel, set$constant,
                                fit$base),
    hetero = hetero_problem(x, y, weights, model, set$kernel, set$constant, fit$pilot),
    regression = regression_problem(x, y, weights, fit$losses, fit$cone, model, set$kernel,
                                    set$constant)
  )
  if (recorded > 0) problem <- with_places(problem, x)
  several <- !is.null(set$widths)
  sigma <- if (several) call_argument(fit, "sigma", env, call) else set$sigma
  with_widths(problem, sigma, set$parametric, NULL)$problem
}

# What the fit was called with, NULL if it was left out.
call_argument <- function(fit, name, env, call = rlang::caller_env()) {
  tryCatch(eval(fit$call[[name]], env), error = function(e) {
    abort(c("The argument {.arg {name}} of the fit could not be evaluated again.",
            x = "{conditionMessage(e)}"), class = "psd_no_data", call = call)
  })
}

#' @export
print.psd_boot <- function(x, ...) {
  check_dots()
  failed <- sum(!vapply(x$replicates, `[[`, NA, "converged"))
  cat("<psd_boot> ", length(x$replicates), " replicates of a ", class(x$fit)[1], " (", x$fit$n,
      " observations)\n", sep = "")
  if (failed > 0) cat(failed, "of them did not converge\n")
  invisible(x)
}
