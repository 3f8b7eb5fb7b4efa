# Integrals of a density over boxes: probabilities.

#' Probabilities of boxes and moments, in closed form
#'
#' @param object A [psd_density()].
#' @param lower,upper The box. With names, bounds of these columns (the others have none):
#'   `lower = c(waiting = 70)`. Without names, one bound per column in the order of the fit, or a
#'   single one, which is then the bound of *every* column. For several boxes a matrix or data frame
#'   with one row per box, its columns matched by name if they have names. Ends may be infinite.
#' @return `psd_prob()`: one probability per box; those of model `"pnm"`, which has negative parts,
#'   need not lie between 0 and 1. `psd_moments()`: a list with `mean` and `covariance`. On the
#'   scales `"log"` and `"asinh"` of `transform` the kernels `"matern32"` and `"abel"` have tails
#'   that fall as a power: a variance may then be infinite, and where there is no mean it is an
#'   error of class `psd_undefined`.
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' psd_prob(fit, lower = c(eruptions = 4, waiting = 70))
#' psd_prob(fit, upper = c(waiting = 60))
#' psd_moments(fit)
psd_prob <- function(object, lower = -Inf, upper = Inf) {
  check_density(object)
  boxes <- check_boxes(lower, upper, object)
  as_probability(box_mass(object, boxes$lower, boxes$upper), object)
}

# list(lower =, upper =) in scaled units, matrices with one row per box.
check_boxes <- function(lower, upper, object, call = rlang::caller_env()) {
  columns <- object$recipe$columns
  lower <- per_box(lower, columns, -Inf, call = call)
  upper <- per_box(upper, columns, Inf, call = call)
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
  list(lower = scaled(lower, object$units$x), upper = scaled(upper, object$units$x))
}

# The integrals of a density or intensity over boxes (rows) in scaled units.
box_mass <- function(object, lower, upper) {
  if (is_turned(object)) return(turned_box_mass(object, lower, upper))
  box_integrals(object$functions[[1]], object$measure, lower, upper,
                object$log_scale + log(object$total %||% 1))
}

# Free of rounding errors; where a function has negative parts, or an integral that is not quite
# one, its mass is left as it is.
as_probability <- function(mass, object) {
  if (is_proper(model_of(object))) pmin(pmax(mass, 0), 1) else mass
}
