# Draws and quantiles of a density.

#' Draws from a density
#'
#' Independent exact draws, in any dimension. On the line the distribution function is inverted at a
#' uniform number. In more dimensions points are drawn from a mixture of normal densities that
#' bounds the density, and kept with the probability that makes up the difference; where that would
#' keep hardly any, the coordinates are drawn one after another, each by inverting its conditional
#' distribution function. A density of model `"glm"` can be drawn from on the line only, one of
#' model `"pnm"`, which is negative somewhere, not at all.
#'
#' @param object A [psd_density()].
#' @param nsim Number of draws.
#' @param seed If not `NULL`, given to [set.seed()]; the state of the random numbers before is then
#'   restored.
#' @param ... Not used.
#' @return A data frame with one row per draw and the columns of the fit; a vector for a fit to a
#'   vector. The attribute `seed` is the state of the random numbers that made it, as in
#'   [stats::simulate()].
#' @importFrom stats simulate
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' simulate(fit, 5, seed = 1)
simulate.psd_density <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots()
  nsim <- check_count(nsim)
  if (!is.null(seed)) seed <- check_number(seed)
  with_seed(seed, density_draws(object, nsim))
}

density_draws <- function(object, nsim, call = rlang::caller_env()) {
  check_not_signed(object, call)
  x <- draw_from(object$functions[[1]], object$measure, nsim)
  x <- unstandardized(x, object$units$x)
  colnames(x) <- object$recipe$columns
  if (object$recipe$type == "vector") x[, 1] else as.data.frame(x)
}

check_not_signed <- function(object, call) {
  if (model_of(object)$signed) {
    abort(c("A density of model {.val {object$model}} takes negative values: it has no distribution
             to invert or draw from.", i = "Use {.code model = \"psd\"}."), call = call)
  }
}

#' Quantiles of a density on the line
#'
#' @param x A [psd_density()] of one variable, such as a [psd_marginal()].
#' @param probs Probabilities.
#' @param names Name the result after the probabilities?
#' @param ... Not used.
#' @return The quantiles: the inverse of `predict(x, type = "cdf")`. At 0 and 1 they are the ends of
#'   the support.
#' @importFrom stats quantile
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' quantile(fit, c(0.1, 0.5, 0.9))
quantile.psd_density <- function(x, probs = seq(0, 1, 0.25), names = TRUE, ...) {
  check_dots()
  check_not_signed(x, rlang::current_env())
  d <- length(x$recipe$columns)
  if (d != 1) {
    abort(c("{.arg x} must be a density of one variable, not of {d}.",
            i = "{.fn psd_marginal} gives the density of one column."))
  }
  names <- check_flag(names)
  missing <- is.na(probs)
  probs[missing] <- 0.5
  probs <- check_numbers(probs, min = 0, max = 1)
  out <- inverse_of(x$functions[[1]], x$measure, matrix(probs))[, 1]
  out[probs == 0] <- x$measure$lower
  out[probs == 1] <- x$measure$upper
  out[missing] <- NA
  out <- unstandardized(matrix(out), x$units$x)[, 1]
  labels <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
  if (names) names(out) <- ifelse(missing, "", labels)
  out
}
