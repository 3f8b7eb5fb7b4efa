# The generic functions of R that ask for a distribution: of the variables of a density, of the
# responses of a regression.

#' Mean and median of a density
#'
#' @param x A [psd_density()].
#' @param na.rm,... Not used.
#' @return `mean()`: the means of the variables, as in [psd_moments()]. `median()`: a number, for a
#'   density of one variable, as by [quantile.psd_density()].
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' mean(fit)
#' median(fit)
mean.psd_density <- function(x, ...) {
  check_dots()
  mean <- psd_moments(x)$mean
  if (length(mean) == 1) unname(mean) else mean
}

#' @rdname mean.psd_density
#' @importFrom stats median
#' @export
median.psd_density <- function(x, na.rm = FALSE, ...) {
  check_dots()
  quantile(x, 0.5, names = FALSE)
}

#' Spread and family of a heteroscedastic regression
#'
#' @param object A fit of [psd_hetero()] or, for `family()`, a [psd_regression()].
#' @param ... Not used.
#' @return `sigma()`: the fitted standard deviations, one per observation (elsewhere they are
#'   `predict(type = "sd")`). `family()`: [stats::gaussian()] for [psd_hetero()] and for the squared
#'   loss, [stats::poisson()] with the identity link for the Poisson loss; other losses have none.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' range(sigma(fit))
#' family(fit)
sigma.psd_hetero <- function(object, ...) {
  check_dots()
  gaussian_at(object, object$x)$sd
}

#' @rdname sigma.psd_hetero
#' @importFrom stats family
#' @export
family.psd_hetero <- function(object, ...) {
  check_dots()
  stats::gaussian()
}

#' @rdname sigma.psd_hetero
#' @export
family.psd_regression <- function(object, ...) {
  check_dots()
  loss <- unique(vapply(object$losses, format, ""))
  if (identical(loss, "squared")) return(stats::gaussian())
  if (identical(loss, "poisson")) return(stats::poisson("identity"))
  abort_undefined("family", object, paste("The loss", loss[1], "is not that of a family."))
}

#' Simulated responses and points
#'
#' @details
#' A quantile regression is simulated from the distribution whose quantiles between two levels are
#' those of [predict()][predict.psd_quantreg], linear in `qnorm(tau)`. Beyond the lowest and the
#' highest level, of which the fit says nothing, it goes on in the same way: the tails are normal,
#' and under `lower` or `upper` cut off there.
#'
#' Point patterns of an intensity with more than ten million expected points are an error.
#'
#' @param object A [psd_quantreg()] with at least two levels, a [psd_regression()] with the Poisson
#'   loss, or a [psd_intensity()].
#' @param nsim Number of simulated responses, or of point patterns.
#' @param seed A number to start the random numbers from, after which their state is restored.
#' @param newdata Data to simulate at; the training data if `NULL`.
#' @param ... Not used.
#' @return A data frame with one row per observation and one column per simulation; of an intensity
#'   a list of point patterns, each a data frame (a vector, if the fit was made from one). The
#'   attribute `seed` is the state of the random numbers, as in [stats::simulate()].
#' @export
#' @examples
#' fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-3)
#' head(simulate(fit, 2, seed = 1))
simulate.psd_quantreg <- function(object, nsim = 1, seed = NULL, newdata = NULL, ...) {
  check_dots()
  nsim <- check_count(nsim)
  pieces <- quantile_pieces(object, predictors(object, newdata))
  n <- nrow(pieces$q)
  with_seed(seed, columns_of(nsim, function() pieces_quantile(pieces, stats::runif(n))))
}

#' @rdname simulate.psd_quantreg
#' @export
simulate.psd_regression <- function(object, nsim = 1, seed = NULL, newdata = NULL, ...) {
  check_dots()
  nsim <- check_count(nsim)
  if (length(object$outputs) > 1 || format(object$losses[[1]]) != "poisson") NextMethod()
  mean <- predict(object, newdata)
  with_seed(seed, columns_of(nsim, function() stats::rpois(length(mean), mean)))
}

# One column a simulation.
columns_of <- function(nsim, draw) {
  draws <- replicate(nsim, draw(), simplify = FALSE)
  as.data.frame(draws, col.names = paste0("sim_", seq_len(nsim)))
}

#' @rdname simulate.psd_quantreg
#' @export
simulate.psd_intensity <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots()
  nsim <- check_count(nsim)
  expected <- psd_count(object)
  if (expected > most_points) {
    abort(c("A pattern of {.arg object} has about {signif(expected, 2)} points; up to {most_points}
             can be drawn.",
            i = "A smaller unit of {.arg exposure}, or of the weights, has fewer."))
  }
  with_seed(seed, lapply(stats::rpois(nsim, expected), function(points) {
    density_draws(object, points)
  }))
}

most_points <- 1e7  # of one pattern in the plane: more than a minute
