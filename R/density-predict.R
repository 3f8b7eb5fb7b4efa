# What a density is asked for at points, boxes and levels.

#' Predictions from a density
#'
#' @param object A [psd_density()].
#' @param newdata Points: what the fit took (a vector, a matrix, a data frame with the columns of
#'   the fit). By default the data of the fit, found as [update()] finds them.
#' @param type `"density"` (or `"response"`); `"log"`, its logarithm, exact also where the
#'   density is too small for a number; `"cdf"`, the probability that every coordinate is at most
#'   that of the point (on the line from piecewise polynomials that are exact to rounding, else as
#'   by [psd_prob()]); `"gradient"`, of the density; `"distribution"`: see [dist_psd()].
#'
#'   A density of model `"pnm"` may be negative, and is given as it is; its logarithm is then
#'   `-Inf`, and its cdf need not rise.
#' @param ... Not used.
#' @return One number per point (`NA` where a coordinate is missing). The gradient is a matrix with
#'   one row per point and one column per coordinate, or a vector in one dimension.
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' predict(fit, c(2, 3, 4))
#' predict(fit, c(2, 3, 4), type = "cdf")
predict.psd_density <- function(object, newdata = NULL,
                                type = c("density", "log", "cdf", "gradient", "distribution"),
                                ...) {
  check_dots()
  type <- check_type(type, c("density", "log", "cdf", "gradient", "distribution"))
  if (type == "distribution") return(density_distributions(object, newdata))
  x <- if (is.null(newdata)) training_points(object, NULL, parent.frame())
       else forge(object$recipe, newdata)
  t <- standardized(x, object$units$x)
  switch(type,
    density = density_of(object, t),
    log = log_density_of(object, t),
    cdf = cdf_of(object, scaled(x, object$units$x)),
    gradient = simplify_columns(check_gradient(gradient_at(object, t)))
  )
}

# At a matrix of points with the columns of the fit, whatever newdata it takes.
density_at <- function(object, x) density_of(object, standardized(x, object$units$x))

# Of densities and intensities, from points in standardised units (rows of t) to the units of the
# data. A linear function may be negative.
density_of <- function(object, t) {
  at <- signed_log_density(object, t)
  at$sign * exp(at$log)
}

log_density_of <- function(object, t) {
  at <- signed_log_density(object, t)
  ifelse(at$sign < 0, -Inf, at$log)
}

# NA where a coordinate is missing, zero at infinity.
signed_log_density <- function(object, t) {
  out <- list(log = rep(NA_real_, nrow(t)), sign = rep(1, nrow(t)))
  complete <- stats::complete.cases(t)
  finite <- rowSums(is.infinite(t)) == 0
  out$log[complete & !finite] <- -Inf
  at <- which(complete & finite)
  inside <- t[at, , drop = FALSE]
  values <- signed_log_values(object$functions[[1]], inside)
  out$log[at] <- values$log + object$log_scale + log_base(object$measure, inside) +
    log_jacobian(inside, object$units$x) -
    log(1 / (object$total %||% 1))
  out$sign[at] <- values$sign
  out
}

# At points in scaled units.
cdf_of <- function(object, t) {
  out <- rep(NA_real_, nrow(t))
  complete <- stats::complete.cases(t)
  t <- t[complete, , drop = FALSE]
  f <- object$functions[[1]]
  out[complete] <- if (ncol(t) == 1 && is_proper(model_of(object)) && has_square(f)) {
    share_below(f, object$measure, t[, 1])
  } else {
    box_mass(object, matrix(-Inf, nrow(t), ncol(t)), t)
  }
  as_probability(out, object)
}

# In small units the gradient can be too large for a number where the density is not.
check_gradient <- function(gradient, call = rlang::caller_env()) {
  if (any(is.infinite(gradient))) {
    abort(c("The gradient is too large for a number of double precision; {.arg type} must be another
             one.", i = "Fit columns that are multiplied by a large number."), call = call)
  }
  gradient
}

# The gradient of f b is b (grad f) + f b (grad log b); times the slope of a transformation, the
# gradient of that too.
gradient_at <- function(object, t) {
  measure <- object$measure
  density <- density_of(object, t)
  out <- matrix(NA_real_, nrow(t), ncol(t), dimnames = list(NULL, object$recipe$columns))
  out[which(density == 0), ] <- 0
  at <- which(density != 0)
  t <- t[at, , drop = FALSE]
  slopes <- log_gradient(object$functions[[1]], t)
  if (is_turned(object)) slopes <- t(backsolve(object$units$x$turn, t(slopes)))
  for (column in seq_len(ncol(t))) {
    base <- -(t[, column] - measure$mean[column]) / measure$sd[column]^2
    curve <- slope_at(t[, column], object$units$x, column)
    along <- (slopes[, column] + base) / object$units$x$scale[column] + curve$bend
    out[at, column] <- density[at] * curve$slope * along
  }
  out
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
  check_dots()
  type <- check_choice(type, c("density", "log", "cdf", "gradient"))
  function(newdata) predict(x, newdata, type = type)
}
