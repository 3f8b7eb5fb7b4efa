# Draws and quantiles, by inverting distribution functions one coordinate at a time; in many
# dimensions draws go another way where they can (R/density-rejection.R).

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
#' @return A data frame with one row a draw and the columns of the fit; a vector for a fit to a
#'   vector. The attribute `seed` is the state of the random numbers that made it, as in
#'   [stats::simulate()].
#' @importFrom stats simulate
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' simulate(fit, 5, seed = 1)
simulate.psd_density <- function(object, nsim = 1, seed = NULL, ...) {
  nsim <- check_count(nsim)
  if (!is.null(seed)) seed <- check_number(seed)
  with_seed(seed, density_draws(object, nsim))
}

density_draws <- function(object, nsim) {
  f <- object$functions[[1]]
  bound <- if (object$kind %in% c("psd", "ncm")) rejection_bound(squared_form(f), object$measure)
  d <- length(object$recipe$columns)
  x <- if (is.null(bound)) {
    draw_from(object, matrix(stats::runif(nsim * d), ncol = d, byrow = TRUE))
  } else {
    draw_by_rejection(bound, object$measure, nsim)
  }
  x <- sweep(sweep(x, 2, object$scaling$scale, "*"), 2, object$scaling$center, "+")
  colnames(x) <- object$recipe$columns
  if (object$recipe$type == "vector") x[, 1] else as.data.frame(x)
}

# Rows of uniforms to points, in standardised units.
draw_from <- function(object, u, call = rlang::caller_env()) {
  if (object$kind == "pnm") {
    abort(c("A density of model {.val pnm} takes negative values: it has no distribution to invert
             or draw from.", i = "Use {.code model = \"psd\"}."), call = call)
  }
  if (object$kind == "glm") return(matrix(line_quantile(line_integrals(object, call), u[, 1])))
  f <- squared_form(object$functions[[1]])
  d <- ncol(u)
  factors <- lapply(seq_len(d), function(k) {
    if (k == d) return(f$coefficients)
    later <- section_integrals(f, object$measure, seq(k + 1, d))
    psd_root(tcrossprod(f$coefficients) * later$value)
  })
  cpp_draw(f$kernel, f$anchors, factors, object$measure, u)
}

# A function as |R' v|^2. A section is the square of one that is wider, so that a mixture of
# sections is a PSD function with a diagonal factor.
squared_form <- function(f) {
  if (f$type == "psd") return(f)
  f$type <- "psd"
  f$anchors$width <- f$anchors$width * switch(f$kernel, gaussian = sqrt(2), abel = 2)
  f$coefficients <- diag(sqrt(f$coefficients[, 1]), nrow(f$coefficients))
  f
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
  d <- length(x$recipe$columns)
  if (d != 1) {
    abort(c("{.arg x} must be a density of one variable, not of {d}.",
            i = "{.fn psd_marginal} gives the density of one column."))
  }
  names <- check_flag(names)
  missing <- is.na(probs)
  probs[missing] <- 0.5
  probs <- check_numbers(probs, min = 0, max = 1)
  out <- draw_from(x, matrix(probs))[, 1]
  out[probs == 0] <- x$measure$lower
  out[probs == 1] <- x$measure$upper
  out[missing] <- NA
  out <- x$scaling$center + x$scaling$scale * out
  labels <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
  if (names) names(out) <- ifelse(missing, "", labels)
  out
}
