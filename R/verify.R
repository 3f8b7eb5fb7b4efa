# An independent check of a fit: everything its certificate says, computed once more in plain R from
# the fields of the fit and the data, by formulas of its own (R/verify-*.R) and without the core.

#' Check a fit independently
#'
#' Computes once more, in plain R and by formulas of its own, what a fit promises: the values of its
#' functions, its objective, the dual value and with it the duality gap, the integral and the
#' constraints, that nothing is negative, and the order of quantiles or outputs. Nothing of the
#' compiled solver is used: kernels are evaluated by their definition, integrals by quadrature, the
#' dual from eigenvalues.
#'
#' **What the gap certifies.** Any point of the dual gives a lower bound for the objective of every
#' function of the model with the same landmarks, so a small gap proves the fit optimal whoever
#' found the point. Fits that keep their data keep the solver's dual point, and its value is
#' computed again. A density does not: its dual point is recovered from the fitted values and
#' improved by a few quasi-Newton steps (`steps`), so that the gap found here may be larger than
#' the solver's, never too small; where these steps do not come to an end it is `NA`. An average
#' over penalties is checked part by part where the parts are positive semidefinite. Rows that were
#' binned ([psd_control()]) are binned here again, and the checks are those of the problem of the
#' bins.
#'
#' **What it cannot certify**, and says so by `NA`: the gap of `model = "glm"` (whose objective is a
#' mean over points that the fit does not keep), `"ncm"`, `"pnm"` with losses that are finite at
#' zero, cones given by half-spaces, averages over penalties but those of a single positive
#' semidefinite function under a likelihood, and integrals of kernels so far apart in width that
#' quadrature is out of reach. That landmarks represent all the data is a choice of model
#' (`max_rank`, `rank_tol` in [psd_control()]), not checked.
#'
#' @param fit A fitted model.
#' @param data The data it was fitted to: needed for densities, which do not keep them; a data
#'   frame, or what was given as `x`. Rows that `subset` left out must be left out here too.
#' @param weights The weights that a density was fitted with, if any.
#' @param tol What counts as zero, relative to `max(1, |objective|)` for the gap and to the size of
#'   the values for the rest.
#' @param steps Most quasi-Newton steps towards the dual optimum of a density.
#' @return A data frame of class `psd_verification` with one row per check: `check`, what is
#'   checked; `found`, computed here; `claimed`, by the fit (or what it must be); `error`, how far
#'   they are apart, relative to their size; `holds`, whether that is at most `tol`, `NA` where
#'   nothing can be said.
#' @export
#' @examples
#' fit <- psd_quantreg(dist ~ speed, cars, sigma = 1, lambda = 0.01)
#' psd_verify(fit)
#' psd_verify(psd_density(faithful$eruptions, sigma = 0.3, lambda = 0.01), faithful$eruptions)
psd_verify <- function(fit, data = NULL, weights = NULL, tol = 1e-5, steps = 200) {
  if (!inherits(fit, "psd_fit")) {
    abort("{.arg fit} must be a fitted model, not {.obj_type_friendly {fit}}.")
  }
  tol <- check_number(tol, above = 0)
  steps <- check_count(steps, min = 0)
  if (is.null(fit$solved)) {
    abort("{.arg fit} must be the result of a fitting function, not a marginal or a conditional.")
  }
  check_plain_kernel(fit)
  rows <- verified_rows(fit, data, weights)
  checks <- c(value_checks(fit, rows), optimum_checks(fit, rows, steps, tol),
              integral_checks(fit), sign_checks(fit, rows))
  checks <- do.call(rbind, checks)
  checks$error <- abs(checks$found - checks$claimed) / pmax(1, abs(checks$claimed))
  one_sided <- checks$side == "least"
  checks$error[one_sided] <- pmax(checks$claimed - checks$found, 0)[one_sided]
  checks$holds <- checks$error <= tol
  structure(checks[c("check", "found", "claimed", "error", "holds")],
            class = c("psd_verification", "data.frame"))
}

#' @export
print.psd_verification <- function(x, digits = 3, ...) {
  check_dots()
  word <- ifelse(is.na(x$holds), "not checked", ifelse(x$holds, "holds", "FAILS"))
  cat("<psd_verification> ", sum(x$holds, na.rm = TRUE), " of ", nrow(x), " hold, ",
      sum(!x$holds, na.rm = TRUE), " fail\n", sep = "")
  cat(sprintf("%-11s %s: %s, claimed %s (error %s)\n", word, x$check, signif(x$found, 7),
              signif(x$claimed, 7), signif(x$error, digits)), sep = "")
  invisible(x)
}

# A kernel that was added to the core needs its formula in plain R as well.
check_plain_kernel <- function(fit, call = rlang::caller_env()) {
  kernel <- fit$functions[[1]]$kernel
  if (!kernel %in% names(plain_log_kernels)) {
    abort("{.arg fit} must have a kernel that is known in plain R, one of
           {.val {names(plain_log_kernels)}}, not {.val {kernel}}.", call = call)
  }
}

# One check; `side` "least": `claimed` is a lower bound.
verified <- function(check, found, claimed, side = "equal") {
  list(data.frame(check = check, found = found, claimed = claimed, side = side))
}

# What is needed besides the coefficients: kept in the fit as `solved`. `features` tell for each
# part the weights of the scales, the sizes of the extra sections and that of the slopes.
solved_fields <- function(prepared, solution) {
  shape <- lapply(prepared$features, function(features) {
    kernels <- length(features$landmarks)
    sizes <- diag(features$factor)
    list(weight = features$weight, size = 1 / sizes[-seq_len(kernels)], slope = features$slope)
  })
  problem <- prepared$problem
  list(features = shape, blocks = problem$blocks, floors = problem$floors,
       losses = problem$losses, functionals = problem$constraints, total = problem$total,
       halfspaces = !is.null(problem$halfspaces), positive = problem$positive,
       members = solution$members, dual = if (is.null(solution$average)) solution$dual)
}

# list(t =, y =, weights =): the data in standardised units, one row an observation.
verified_rows <- function(fit, data, weights, call = rlang::caller_env()) {
  x <- fit$x
  y <- fit$y
  if (is.null(x) && is.null(data)) {
    abort("{.arg data} must be given for a density, which does not keep its data.", call = call)
  }
  if (is.null(x)) {
    x <- forge(fit$recipe, data, "data", call)
    complete <- rowSums(is.na(x)) == 0
    weights <- check_weights(weights, nrow(x), call)[complete]
    x <- x[complete, , drop = FALSE][counted(weights), , drop = FALSE]
    weights <- weights[counted(weights)]
    if (nrow(x) != fit$n) {
      abort("{.arg data} must have the {fit$n} row{?s} that were fitted to, not {nrow(x)}.",
            call = call)
    }
    x <- placed_rows(x, fit$recorded %||% 0, support_of(fit))
  }
  weights <- fit$weights %||% weights
  units <- fit$units$y
  out <- list(t = standardized(x, fit$units$x), weights = weights / sum(weights),
              y = if (!is.null(y)) (as.matrix(y) - units$center) / units$scale)
  if (!is.null(fit$pilot)) out$y[] <- over_pilot(out$y[, 1], pilot_at(fit$pilot, out$t))
  if (is.null(fit$binning)) out else verified_bins(fit, out)
}

# The problem that was solved is that of the bins.
verified_bins <- function(fit, rows) {
  if (fit$problem == "density") rows[c("t", "weights")] <- distinct_rows(rows$t, rows$weights, NULL)
  n <- nrow(rows$t)
  kind <- if (is.null(rows$y)) "points" else if (is.null(fit$binning$band)) "moments" else "levels"
  problem <- list(x = rows$t, y = rows$y %||% matrix(0, n), weights = rows$weights,
                  highest = rep(0, n), share = 1, mixing = fit$mixing, binning = kind)
  binned <- if (kind == "levels") in_bands(problem, fit$binning$size, fit$binning$band)
            else in_cells(problem, fit$binning$size)
  list(t = binned$x, weights = binned$weights, y = if (!is.null(rows$y)) binned$y)
}
