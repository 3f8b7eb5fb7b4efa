# The parametric part of a problem: has it one, and of a density is it a mixture of normals?

# With one, none, or with so many normals in it.
with_parametric <- function(problem, parametric, call) {
  parametric <- check_parametric(parametric, problem, call)
  normals <- if (parametric > 1) normals_of(problem, parametric)
  if (length(normals$share) < 2) normals <- NULL
  problem$parts <- lapply(problem$parts, function(part) {
    part$parametric <- parametric > 0
    part$normals <- normals
    part
  })
  problem
}

check_parametric <- function(parametric, problem, call) {
  if (!is.numeric(parametric)) return(check_flag(parametric, call = call))
  count <- check_count(parametric, arg = "parametric", call = call)
  if (count > 1 && !takes_normals(problem)) {
    abort(c("{.arg parametric} must be {.code TRUE} or {.code FALSE} here, not {.val {count}}.",
            i = "Several normal densities are for densities of the model {.val psd} without
                 {.arg lower}, {.arg upper} and {.arg base}."), call = call)
  }
  count
}

is_parametric <- function(problem) any(vapply(problem$parts, `[[`, NA, "parametric"))

has_mixture <- function(problem) !is.null(problem$parts[[1]]$normals)

# As a user would ask for it: `TRUE`, `FALSE`, or how many normals.
parametric_of <- function(problem) {
  normals <- problem$parts[[1]]$normals
  if (is.null(normals)) is_parametric(problem) else length(normals$share)
}

# Has a part a normal density to tend to?
has_normal <- function(problem) {
  vapply(problem$parts, function(part) part$null %in% c("normal", "round"), NA)
}

# It has the variance of the data.
check_spread <- function(problem, call) {
  parametric <- vapply(problem$parts, `[[`, NA, "parametric")
  if (any(parametric & has_normal(problem)) && any(is_flat(problem$x))) {
    abort(c("{.arg sigma} must be a single width where a column of {.arg x} is constant.",
            i = "Otherwise a normal density is part of the fit, which needs a variance; or leave
                 that out with {.code parametric = FALSE}."), call = call)
  }
}

# The parametric part of a density of several variables: as many normals as pay, or a single one
# where kernels say more than these, as along curves. In high dimension the cross products with a
# normal density that is far off blur the fit.
likely_parametric <- function(problem, control) {
  normals <- normals_of(problem)
  count <- length(normals$share)
  crowded <- is_crowded(problem, default_sigma(problem), control)
  if (count == 1 && !crowded || !is_far_from(normals, problem)) count else !crowded
}

# A mixture of normals for a problem that may have one; a single one where it may not.
normals_of <- function(problem, count = NULL) {
  if (!takes_normals(problem) || any(is_flat(problem$x))) count <- 1
  find_normals(problem$x, problem$weights, problem$effective, is_round(problem), count)
}

# Bounds and base measures have parametric parts of their own.
takes_normals <- function(problem) {
  any(has_normal(problem)) && problem$model$form == "psd" && !has_bounds(problem$measure) &&
    all(is.infinite(problem$measure$sd))
}

is_round <- function(problem) any(vapply(problem$parts, `[[`, "", "null") == "round")
