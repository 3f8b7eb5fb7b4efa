#' Methods for heteroscedastic regression
#'
#' What the generic functions of R say of a fit of [psd_hetero()].
#'
#' @param object,x A fit of [psd_hetero()].
#' @param type `"response"`: observed minus mean; `"pearson"`: that divided by the standard
#'   deviation, standard normal if the model is right.
#' @param nsim Number of simulated responses.
#' @param seed Passed to [set.seed()] if given, as in [stats::simulate()].
#' @param newdata Data to simulate at, or to augment; the training data if `NULL`.
#' @param data As `newdata`.
#' @param level Probability of the interval.
#' @param digits Significant digits to print.
#' @param ... Not used.
#' @return
#' * `fitted()`, `residuals()`: a vector with one entry per observation used in the fit.
#' * `simulate()`: a data frame with one row per observation and one column per simulation, and the
#'   state of the random numbers as attribute `seed`.
#' * `logLik()`: the Gaussian log-likelihood, with weights of mean one. A penalised fit has no
#'   number of parameters: `df` is `NA`, and so are [AIC()] and [BIC()].
#' * `summary()`: a list with the distribution of the Pearson residuals, the scores of
#'   [psd_nlpd()] and [psd_crps()] and the coverage of intervals, all on the training data and
#'   therefore optimistic.
#' * `tidy()`: a data frame with one row per part (`linear`: `eta`, `psd`: `theta`): its kernel
#'   width, penalty, landmarks and rank.
#' * `glance()`: a one-row data frame, with the width and the penalty of each part; `sigma` and
#'   `lambda` are those of `theta` (`psd`).
#' * `augment()`: the data with columns `.fitted`, `.sd`, `.lower`, `.upper` and, where the
#'   response is there, `.resid` and `.std.resid`.
#' @name hetero-methods
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' summary(fit)
#' glance(fit)
#' tidy(fit)
#' head(augment(fit, cars))
#' head(simulate(fit, nsim = 2, seed = 1))
NULL

#' @rdname hetero-methods
#' @importFrom stats fitted
#' @export
fitted.psd_hetero <- function(object, ...) {
  check_dots()
  gaussian_at(object, object$x)$mean
}

#' @rdname hetero-methods
#' @importFrom stats residuals
#' @export
residuals.psd_hetero <- function(object, type = c("response", "pearson"), ...) {
  check_dots()
  type <- check_choice(type, c("response", "pearson"))
  at <- gaussian_at(object, object$x)
  error <- object$y - at$mean
  if (type == "pearson") error / at$sd else error
}

#' @rdname hetero-methods
#' @importFrom stats simulate
#' @export
simulate.psd_hetero <- function(object, nsim = 1, seed = NULL, newdata = NULL, ...) {
  check_dots()
  nsim <- check_count(nsim)
  at <- gaussian_at(object, predictors(object, newdata))
  n <- length(at$mean)
  with_seed(seed, {
    draws <- replicate(nsim, at$mean + at$sd * stats::rnorm(n), simplify = FALSE)
    as.data.frame(draws, col.names = paste0("sim_", seq_len(nsim)))
  })
}

#' @rdname hetero-methods
#' @export
print.psd_hetero <- function(x, digits = 3, ...) {
  check_dots()
  at <- gaussian_at(x, x$x)
  span <- function(value) paste(signif(range(value), digits), collapse = " to ")
  cat("<psd_hetero> mean and variance of ", x$recipe$response, " given ",
      shown_predictors(x), " (", x$n, " observations)\n", sep = "")
  cat(sprintf("mean %s, sd %s\n", span(at$mean), span(at$sd)))
  if (!is.null(x$pilot)) cat("in units of a pilot: see ?psd_hetero\n")
  print_certificate(x, digits)
  invisible(x)
}

#' @rdname hetero-methods
#' @export
summary.psd_hetero <- function(object, ...) {
  check_dots()
  at <- gaussian_at(object, object$x)
  average <- function(value) stats::weighted.mean(value, object$weights)
  pearson <- (object$y - at$mean) / at$sd
  levels <- c(0.5, 0.9, 0.95)
  inside <- vapply(levels, function(level) {
    average(abs(pearson) <= stats::qnorm((1 + level) / 2))
  }, 0)
  structure(
    list(fit = object, pearson = pearson, mean = range(at$mean), sd = range(at$sd),
         nlpd = average(psd_nlpd(object$y, at$mean, at$sd)),
         crps = average(psd_crps(object$y, at$mean, at$sd)),
         coverage = stats::setNames(inside, format_levels(levels))),
    class = "summary.psd_hetero"
  )
}

#' @rdname hetero-methods
#' @export
print.summary.psd_hetero <- function(x, digits = 3, ...) {
  cat("Call: ", deparse1(x$fit$call), "\n\n", sep = "")
  print(x$fit, digits = digits)
  print_choice(x$fit, digits)
  cat("\nPearson residuals:\n")
  print(signif(stats::quantile(x$pearson, names = FALSE) |>
                 stats::setNames(c("Min", "1Q", "Median", "3Q", "Max")), digits))
  cat(sprintf("\nOn the training data: NLPD %s, CRPS %s\nShare inside the intervals: %s\n",
              format(signif(x$nlpd, digits)), format(signif(x$crps, digits)),
              paste(sprintf("%.1f%% (of %s)", 100 * x$coverage, names(x$coverage)),
                    collapse = ", ")))
  invisible(x)
}

#' @rdname hetero-methods
#' @export
tidy.psd_hetero <- function(x, ...) {
  check_dots()
  data.frame(part = c("linear", "psd"),
             parameter = c("eta = mean / variance", "theta = 1 / variance"),
             sigma = unname(x$parameters$sigma), lambda = unname(x$parameters$lambda),
             landmarks = vapply(x$functions, landmarks_of, 0L),
             rank = x$rank)
}

#' @rdname hetero-methods
#' @export
glance.psd_hetero <- function(x, ...) {
  cbind(NextMethod(), glance_parts(x), data.frame(logLik = x$log_likelihood))
}

#' @rdname hetero-methods
#' @export
augment.psd_hetero <- function(x, data = NULL, newdata = NULL, level = 0.95, ...) {
  check_dots()
  given <- augmented_data(x, data, newdata)
  at <- gaussian_at(x, predictors(x, given$newdata))
  interval <- gaussian_interval(at, check_number(level, above = 0, below = 1))
  out <- data.frame(.fitted = at$mean, .sd = at$sd, .lower = interval[, "lwr"],
                    .upper = interval[, "upr"], row.names = NULL)
  if (!is.null(given$y)) {
    out$.resid <- given$y - at$mean
    out$.std.resid <- out$.resid / at$sd
  }
  cbind(given$frame, out)
}
