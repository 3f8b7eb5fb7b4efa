# Distributions of package 'distributional': elements of its vectors, with methods of its generics,
# all by the exact ways of the fits.

#' Densities as distributions
#'
#' A vector of package 'distributional' with one element a density, for `ggdist` and everything else
#' that takes such vectors. `predict(fit, type = "distribution")` is `dist_psd(fit)`; with `newdata`
#' that has some of the variables of the fit, the conditional density of the others given each row
#' ([psd_conditional()]).
#'
#' `density()`, `log_density()`, `cdf()`, `quantile()`, `generate()`, `mean()`, `variance()`,
#' `covariance()` and `hdr()` of such a vector are those of the density itself ([psd_prob()],
#' [quantile.psd_density()], [simulate.psd_density()], [psd_moments()], [psd_hdr()]), not
#' approximations by draws; `support()` goes by its `quantile()` at 0 and 1. Quantiles and regions
#' are those of one variable.
#'
#' @param ... [psd_density()]s, or lists of such.
#' @return A vector of class `distribution`.
#' @export
#' @examplesIf requireNamespace("distributional", quietly = TRUE)
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' waiting <- predict(fit, data.frame(eruptions = c(2, 3, 4.5)), type = "distribution")
#' waiting
#' median(waiting)
#' distributional::hdr(waiting, 80)
dist_psd <- function(...) {
  check_distributional()
  given <- list(...)
  fits <- do.call(c, lapply(given, function(x) if (inherits(x, "psd_density")) list(x) else x))
  good <- vapply(as.list(fits), inherits, NA, "psd_density")
  if (length(fits) == 0 || !all(good)) {
    abort("{.arg ...} must be fits by {.fn psd_density}, not {.obj_type_friendly {given}}.")
  }
  for (fit in fits) check_not_signed(fit, rlang::current_env())
  distributional::new_dist(fit = lapply(fits, slim_density), class = "dist_psd",
                           dimnames = if (length(fits[[1]]$recipe$columns) > 1)
                             fits[[1]]$recipe$columns)
}

check_distributional <- function(call = rlang::caller_env()) {
  rlang::check_installed("distributional", "for predictions of type \"distribution\".", call = call)
}

# Without what a distribution does not need.
slim_density <- function(fit) {
  fit$tuning <- fit$trace <- NULL
  fit
}

density_distributions <- function(object, newdata, call = rlang::caller_env()) {
  check_distributional(call)
  if (is.null(newdata)) return(dist_psd(object))
  if (!is.data.frame(newdata)) {
    abort("{.arg newdata} must be a data frame with some of the columns
           {.field {object$recipe$columns}}, on which to condition, not
           {.obj_type_friendly {newdata}}.", call = call)
  }
  known <- intersect(object$recipe$columns, names(newdata))
  if (length(known) == 0 || length(known) == length(object$recipe$columns)) {
    abort("{.arg newdata} must have some of the columns {.field {object$recipe$columns}}, on which
           to condition, but not all.", call = call)
  }
  rows <- as.matrix(newdata[known])
  check_closed_form(object, call = call)
  warn_extrapolation(rows, object$range[, known, drop = FALSE], call = call)
  given <- function(row) {
    row <- check_given(row, object$recipe$columns, call)
    conditional_density(object, row, quote(psd_conditional()), call)
  }
  dist_psd(apply(rows, 1, given, simplify = FALSE))
}

# Of a heteroscedastic regression.
normal_distributions <- function(at, call = rlang::caller_env()) {
  check_distributional(call)
  distributional::dist_normal(at$mean, at$sd)
}

# Points of a distribution as rows of a matrix; elements of a list are points of several variables.
points_of <- function(x, at) {
  columns <- x[["fit"]]$recipe$columns
  if (is.list(at)) at <- do.call(rbind, lapply(at, matrix, ncol = length(columns)))
  matrix(as.numeric(at), ncol = length(columns), dimnames = list(NULL, columns))
}

#' @importFrom stats density
#' @export
density.dist_psd <- function(x, at, ...) density_at(x[["fit"]], points_of(x, at))

#' @exportS3Method distributional::log_density
log_density.dist_psd <- function(x, at, ...) {
  log_density_of(x[["fit"]], standardized(points_of(x, at), x[["fit"]]$units$x))
}

#' @exportS3Method distributional::cdf
cdf.dist_psd <- function(x, q, ...) {
  cdf_of(x[["fit"]], scaled(points_of(x, q), x[["fit"]]$units$x))
}

#' @export
quantile.dist_psd <- function(x, p, ...) quantile(x[["fit"]], as.numeric(p), names = FALSE)

#' @importFrom generics generate
#' @export
generate.dist_psd <- function(x, times, ...) {
  draws <- as.matrix(density_draws(x[["fit"]], times))
  if (ncol(draws) > 1) draws else draws[, 1]
}

#' @export
mean.dist_psd <- function(x, ...) {
  mean <- psd_moments(x[["fit"]])$mean
  if (length(mean) == 1) unname(mean) else matrix(mean, 1)
}

#' @exportS3Method distributional::covariance
covariance.dist_psd <- function(x, ...) {
  covariance <- psd_moments(x[["fit"]])$covariance
  if (nrow(covariance) == 1) covariance[[1]] else list(covariance)
}

#' @exportS3Method distributional::variance
variance.dist_psd <- function(x, ...) {
  variance <- diag(psd_moments(x[["fit"]])$covariance)
  if (length(variance) == 1) unname(variance) else matrix(variance, 1)
}

#' @exportS3Method distributional::hdr
hdr.dist_psd <- function(x, size = 95, ...) {
  region <- psd_hdr(x[["fit"]], size / 100)
  if (!"lower" %in% names(region)) {
    abort("Regions of several variables have no ends; use {.fn psd_hdr}.", class = "psd_undefined")
  }
  distributional::new_hdr(lower = list(region$lower), upper = list(region$upper), size = size)
}

#' @export
dim.dist_psd <- function(x) length(x[["fit"]]$recipe$columns)

#' @export
format.dist_psd <- function(x, digits = 2, ...) {
  fit <- x[["fit"]]
  given <- if (identical(fit$origin$type, "conditional")) paste(" |", fit$origin$given)
  paste0("psd(", paste(fit$recipe$columns, collapse = ", "), given, ")")
}
