# Integrals of a density: probabilities of boxes, and moments.

#' Probabilities of boxes and moments, in closed form
#'
#' @param object A [psd_density()].
#' @param lower,upper The box: one bound, one a coordinate, or for several boxes a matrix with one
#'   row a box; ends may be infinite.
#' @return `psd_prob()`: one probability a box; those of model `"pnm"`, which has negative parts,
#'   need not lie between 0 and 1. `psd_moments()`: a list with `mean` and `covariance`.
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' psd_prob(fit, lower = c(4, 70))
#' psd_moments(fit)
psd_prob <- function(object, lower = -Inf, upper = Inf) {
  check_density(object)
  boxes <- check_boxes(lower, upper, object)
  as_probability(box_mass(object, boxes$lower, boxes$upper), object)
}

# list(lower =, upper =) in standardised units, matrices with one row a box.
check_boxes <- function(lower, upper, object, call = rlang::caller_env()) {
  d <- length(object$recipe$columns)
  lower <- box_matrix(lower, d, call = call)
  upper <- box_matrix(upper, d, call = call)
  boxes <- max(nrow(lower), nrow(upper))
  if (!all(c(nrow(lower), nrow(upper)) %in% c(1, boxes))) {
    abort("{.arg lower} and {.arg upper} must have the same number of rows, not {nrow(lower)} and
           {nrow(upper)}.", call = call)
  }
  lower <- lower[rep_len(seq_len(nrow(lower)), boxes), , drop = FALSE]
  upper <- upper[rep_len(seq_len(nrow(upper)), boxes), , drop = FALSE]
  if (any(lower > upper)) {
    bad <- which(lower > upper)[1]
    abort("{.arg lower} must not be above {.arg upper}, as are {.val {lower[bad]}} and
           {.val {upper[bad]}}.", call = call)
  }
  list(lower = standardized(lower, object$units$x), upper = standardized(upper, object$units$x))
}

# One row a box, one column a coordinate.
box_matrix <- function(x, d, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (is.data.frame(x)) x <- as.matrix(x)
  if (!is.matrix(x)) return(matrix(per_coordinate(x, d, finite = FALSE, arg = arg, call = call), 1))
  if (!is.numeric(x) || ncol(x) != d || anyNA(x)) {
    abort("{.arg {arg}} must be numbers, in a matrix with {d} column{?s}, as the fit has, not
           {.obj_type_friendly {x}} with {ncol(x)} column{?s}.", call = call)
  }
  x
}

#' @rdname psd_prob
#' @export
psd_moments <- function(object) {
  check_density(object)
  scaling <- object$units$x
  moments <- moments_of(object$functions[[1]], object$measure, object$log_scale)
  columns <- object$recipe$columns
  list(mean = stats::setNames(scaling$center + scaling$scale * moments$mean, columns),
       covariance = structure((moments$second - tcrossprod(moments$mean)) *
                                tcrossprod(scaling$scale),
                              dimnames = list(columns, columns)))
}

# The integrals of a density or intensity over boxes (rows) in standardised units.
box_mass <- function(object, lower, upper) {
  box_integrals(object$functions[[1]], object$measure, lower, upper,
                object$log_scale + log(object$total %||% 1))
}

# Free of rounding errors; where a function has negative parts, or an integral that is not quite
# one, its mass is left as it is.
as_probability <- function(mass, object) {
  if (is_proper(model_of(object))) pmin(pmax(mass, 0), 1) else mass
}
