# What a density is asked for at points, boxes and levels.

#' Predictions from a density
#'
#' @param object A [psd_density()].
#' @param newdata Points: what the fit took (a vector, a matrix, a data frame with the columns of
#'   the fit). By default the data of the fit, found as [update()] finds them.
#' @param type `"density"`; `"log"`, its logarithm, exact also where the density is too small for a
#'   number; `"cdf"`, the probability that every coordinate is at most that of the point (on the
#'   line from piecewise polynomials that are exact to rounding, else as by [psd_prob()]);
#'   `"gradient"`, of the density.
#'
#'   A density of model `"pnm"` may be negative, and is given as it is; its logarithm is then
#'   `-Inf`, and its cdf need not rise.
#' @param ... Not used.
#' @return One number a point (`NA` where a coordinate is missing). The gradient is a matrix with
#'   one row a point and one column a coordinate, or a vector in one dimension.
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' predict(fit, c(2, 3, 4))
#' predict(fit, c(2, 3, 4), type = "cdf")
predict.psd_density <- function(object, newdata = NULL,
                                type = c("density", "log", "cdf", "gradient"), ...) {
  type <- check_choice(type, c("density", "log", "cdf", "gradient"))
  x <- if (is.null(newdata)) training_points(object, NULL, parent.frame())
       else forge(object$recipe, newdata)
  t <- standardized(x, object$scaling)
  switch(type,
    density = standardized_density_at(object, t),
    log = log_density_at(object, t),
    cdf = cdf_at(object, t, rlang::current_env()),
    gradient = gradient_at(object, t)
  )
}

# At a matrix of points with the columns of the fit, whatever newdata it takes.
density_at <- function(object, x) standardized_density_at(object, standardized(x, object$scaling))

# A linear function may be negative, which its logarithm cannot tell.
standardized_density_at <- function(object, t) {
  f <- object$functions[[1]]
  out <- exp(log_density_at(object, t))
  negative <- if (f$type == "linear") which(out == 0 & rowSums(is.infinite(t)) == 0)
  if (length(negative) == 0) return(out)
  f$coefficients <- -f$coefficients
  object$functions <- list(f)
  out[negative] <- -exp(log_density_at(object, t[negative, , drop = FALSE]))
  out
}

# All in standardised units on the way in, in the units of the data on the way out.
log_density_at <- function(object, t) {
  out <- rep(NA_real_, nrow(t))
  complete <- stats::complete.cases(t)
  finite <- rowSums(is.infinite(t)) == 0
  out[complete & !finite] <- -Inf
  at <- complete & finite
  out[at] <- log_density(object, object$measure, t[at, , drop = FALSE]) -
    sum(log(object$scaling$scale))
  out
}

cdf_at <- function(object, t, call = rlang::caller_env()) {
  out <- rep(NA_real_, nrow(t))
  complete <- stats::complete.cases(t)
  t <- t[complete, , drop = FALSE]
  out[complete] <- if (ncol(t) == 1 && object$kind %in% c("psd", "ncm")) {
    cpp_distribution(squared_form(object$functions[[1]]), object$measure, t[, 1])
  } else {
    box_mass(object, matrix(-Inf, nrow(t), ncol(t)), t, call)
  }
  as_probability(out, object)
}

# Free of rounding errors; where a function has negative parts, or an integral that is not quite
# one, its mass is left as it is.
as_probability <- function(mass, object) {
  if (object$kind %in% c("pnm", "glm")) mass else pmin(pmax(mass, 0), 1)
}

# The gradient of f b is b (grad f) + f b (grad log b).
gradient_at <- function(object, t) {
  measure <- object$measure
  density <- standardized_density_at(object, t)
  out <- matrix(NA_real_, nrow(t), ncol(t), dimnames = list(NULL, object$recipe$columns))
  out[which(density == 0), ] <- 0
  at <- which(density != 0)
  t <- t[at, , drop = FALSE]
  slopes <- log_gradient(object$functions[[1]], t)
  for (column in seq_len(ncol(t))) {
    base <- -(t[, column] - measure$mean[column]) / measure$sd[column]^2
    out[at, column] <- density[at] * (slopes[, column] + base) / object$scaling$scale[column]
  }
  if (ncol(out) == 1) as.vector(out) else out
}

# grad f / f. That of an exponential is the gradient of the exponent, however small f is.
log_gradient <- function(f, t) {
  if (f$type != "exp") return(cpp_gradient(f, t) / cpp_evaluate(f, t))
  f$type <- "linear"
  cpp_gradient(f, t)
}

# The probability of boxes (rows) in standardised units.
box_mass <- function(object, lower, upper, call = rlang::caller_env()) {
  measure <- object$measure
  f <- object$functions[[1]]
  if (f$type == "exp") {
    line <- line_integrals(object, call)
    return(line_below(line, upper[, 1]) - line_below(line, lower[, 1]))
  }
  form <- form_of(f)
  vapply(seq_len(nrow(lower)), function(i) {
    measure$lower <- pmax(measure$lower, lower[i, ])
    measure$upper <- pmin(measure$upper, upper[i, ])
    integral <- section_integrals(f, measure)
    sum(form * integral$value) * exp(integral$log_scale + object$log_scale)
  }, 0)
}

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
  list(lower = standardized(lower, object$scaling), upper = standardized(upper, object$scaling))
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
  if (object$kind == "glm") return(line_moments(object))
  d <- length(object$recipe$columns)
  integral <- integrals_of(object)
  weight <- form_of(object$functions[[1]]) * integral$value *
    exp(integral$log_scale + object$log_scale)
  # A product measure of each (pair of) anchors: its moments are products over coordinates.
  moments <- lapply(seq_len(d), function(column) {
    mass <- integrals_of(object, column)
    lapply(1:2, function(power) {
      moment <- integrals_of(object, column, power)
      ratio <- moment$value / mass$value * exp(moment$log_scale - mass$log_scale)
      ifelse(weight == 0, 0, ratio)
    })
  })
  mean <- vapply(moments, function(m) sum(weight * m[[1]]), 0)
  second <- matrix(0, d, d)
  for (i in seq_len(d)) {
    for (j in seq_len(i)) {
      both <- if (i == j) moments[[i]][[2]] else moments[[i]][[1]] * moments[[j]][[1]]
      second[i, j] <- second[j, i] <- sum(weight * both)
    }
  }
  scale <- object$scaling$scale
  columns <- object$recipe$columns
  list(mean = stats::setNames(object$scaling$center + scale * mean, columns),
       covariance = structure((second - tcrossprod(mean)) * tcrossprod(scale),
                              dimnames = list(columns, columns)))
}

#' A density as a function
#'
#' @param x A [psd_density()].
#' @param type As for [predict.psd_density()].
#' @param ... Not used.
#' @return A function of points (as `newdata` of [predict.psd_density()]).
#' @export
#' @examples
#' f <- as.function(psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3))
#' integrate(f, 1, 3)
as.function.psd_density <- function(x, type = c("density", "log", "cdf", "gradient"), ...) {
  type <- check_choice(type, c("density", "log", "cdf", "gradient"))
  function(newdata) predict(x, newdata, type = type)
}
