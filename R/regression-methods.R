# What is asked of a regression: predictions, residuals, print, summary, tidiers.

#' Predictions from a regression
#'
#' @param object A [psd_regression()].
#' @param newdata What the fit took: a data frame for a formula (or the values of its only
#'   variable), otherwise a vector, matrix or data frame. By default the data of the fit.
#' @param type `"response"`: the outputs, which lie in the cone of the fit. `"gradient"`: their
#'   derivatives with respect to the columns of the predictors.
#' @param ... Not used.
#' @return One number per row of `newdata`, or a matrix with one column per output; `NA` where a
#'   predictor is missing. Gradients: a matrix with one column per predictor, and for several
#'   outputs an array whose third index is the output.
#' @export
#' @examples
#' fit <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' predict(fit, data.frame(speed = 12))
#' predict(fit, data.frame(speed = 12), type = "gradient")
predict.psd_regression <- function(object, newdata = NULL, type = c("response", "gradient"), ...) {
  check_dots()
  type <- check_choice(type, c("response", "gradient"))
  x <- predictors(object, newdata)
  if (type == "response") simplify_columns(outputs_at(object, x))
  else check_gradient(output_gradients(object, x))
}

# A matrix of outputs at points in the units of the data.
outputs_at <- function(object, x) {
  out <- object$units$y$scale * mix(function_values(object, x), object$mixing)
  dimnames(out) <- list(NULL, object$outputs)
  out
}

output_gradients <- function(object, x) {
  known <- rowSums(!is.finite(x)) == 0
  t <- standardized(x[known, , drop = FALSE], object$units$x)
  names <- list(NULL, object$recipe$columns, object$outputs)
  out <- array(NA_real_, c(nrow(x), ncol(x), length(object$outputs)), names)
  out[known, , ] <- 0
  for (k in seq_along(object$functions)) {
    # One after the other: their ratio may be no number where the slope is zero.
    slope <- object$units$y$scale * gradient_of(object$functions[[k]], t)
    slope <- sweep(slope, 2, object$units$x$scale, "/")
    out[known, , ] <- out[known, , , drop = FALSE] + outer(slope, object$mixing[, k])
  }
  if (length(object$outputs) == 1) matrix(out, nrow(x), dimnames = names[1:2]) else out
}

#' Look at a regression
#'
#' @param x,object A [psd_regression()].
#' @param data,newdata The data to add columns to; by default those of the fit.
#' @param digits Significant digits.
#' @param ... Not used.
#' @return
#' * `fitted()`, `residuals()` (response minus fitted value): a vector, or a matrix with one column
#'   per output.
#' * `coef()`, also of the other fits that have several functions: the list of their coefficients,
#'   one row per landmark.
#' * `tidy()`: a data frame with one row per output: its loss, the mean loss on the data, the range
#'   of the fitted values.
#' * `glance()`: a data frame with one row.
#' * `augment()`: `data` with columns `.fitted` and, where the response is there, `.resid` (with
#'   several outputs `.fitted.<name>` and so on).
#' @name psd_regression-methods
#' @examples
#' fit <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' summary(fit)
#' tidy(fit)
#' head(augment(fit))
NULL

#' @rdname psd_regression-methods
#' @export
print.psd_regression <- function(x, digits = 3, ...) {
  check_dots()
  cat("<psd_regression> ", paste(x$outputs, collapse = ", "), " by ",
      shown_predictors(x), " (", x$n, " observations)\n", sep = "")
  cat("loss: ", paste(unique(vapply(x$losses, format, "")), collapse = ", "), "; cone: ",
      format(x$cone), if (!is.null(x$exposure)) "; counts per unit of exposure", "\n", sep = "")
  if (length(x$constraints) > 0) {
    cat("constraints: ", paste(vapply(x$constraints, format, ""), collapse = ", "), "\n", sep = "")
  }
  print_certificate(x, digits)
  invisible(x)
}

#' @rdname psd_regression-methods
#' @export
summary.psd_regression <- function(object, ...) {
  check_dots()
  structure(list(fit = object, tidy = tidy(object),
                 residuals = apply(as.matrix(residuals(object)), 2, stats::quantile)),
            class = "summary.psd_regression")
}

#' @export
print.summary.psd_regression <- function(x, digits = 3, ...) {
  print(x$fit, digits)
  print_choice(x$fit, digits)
  cat("\n")
  print(x$tidy, digits = digits, row.names = FALSE)
  cat("\nresiduals:\n")
  residuals <- signif(t(x$residuals), digits)
  dimnames(residuals) <- list(x$fit$outputs, c("min", "25%", "median", "75%", "max"))
  print(residuals)
  invisible(x)
}

#' @rdname psd_regression-methods
#' @importFrom stats fitted
#' @export
fitted.psd_regression <- function(object, ...) {
  check_dots()
  simplify_columns(outputs_at(object, object$x))
}

#' @rdname psd_regression-methods
#' @importFrom stats residuals
#' @export
residuals.psd_regression <- function(object, ...) {
  check_dots()
  simplify_columns(object$y - outputs_at(object, object$x))
}

#' @rdname psd_regression-methods
#' @export
tidy.psd_regression <- function(x, ...) {
  check_dots()
  unit <- x$units$y$scale
  u <- outputs_at(x, x$x)
  mean_loss <- vapply(seq_along(x$losses), function(j) {
    stats::weighted.mean(loss_values(x$losses[[j]], u[, j] / unit, x$y[, j] / unit), x$weights)
  }, 0)
  data.frame(output = x$outputs, loss = vapply(x$losses, format, ""), mean_loss = mean_loss,
             lowest = apply(u, 2, min), highest = apply(u, 2, max), row.names = NULL)
}

#' @rdname psd_regression-methods
#' @export
augment.psd_regression <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots()
  given <- augmented_data(x, data, newdata)
  columns <- function(prefix, values) {
    several <- length(x$outputs) > 1
    names <- if (several) paste0(prefix, ".", x$outputs) else prefix
    stats::setNames(as.data.frame(values), names)
  }
  fitted <- predict(x, given$newdata)
  out <- cbind(given$frame, columns(".fitted", fitted))
  if (is.null(given$y)) out else cbind(out, columns(".resid", given$y - fitted))
}
