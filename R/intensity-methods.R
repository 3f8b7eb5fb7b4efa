# What is asked of an intensity.

#' Predictions from an intensity
#'
#' @param object A [psd_intensity()].
#' @param newdata Points: what the fit took. By default the points of the fit.
#' @param type `"intensity"` (or `"response"`), zero outside the window; `"log"`, its
#'   logarithm; `"gradient"`.
#' @param ... Not used.
#' @return One number per point (`NA` where a coordinate is missing). The gradient is a matrix with
#'   one row per point and one column per coordinate.
#' @export
#' @examples
#' fit <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-3)
#' predict(fit, c(2, 3, 4))
predict.psd_intensity <- function(object, newdata = NULL,
                                  type = c("intensity", "log", "gradient"), ...) {
  check_dots()
  type <- check_type(type, c("intensity", "log", "gradient"))
  x <- if (is.null(newdata)) object$x else forge(object$recipe, newdata)
  t <- standardized(x, object$units$x)
  switch(type,
    intensity = density_of(object, t),
    log = log_density_of(object, t),
    gradient = check_gradient(gradient_at(object, t))
  )
}

#' Expected number of points in a box
#'
#' The integral of an intensity over boxes, in closed form.
#'
#' @param object A [psd_intensity()].
#' @param lower,upper The box, or several, as for [psd_prob()]: bounds named by column, one per
#'   column in order, or a single one without a name, for every column; or a matrix with one row per
#'   box. What lies outside the window counts nothing.
#' @return One number per box.
#' @export
#' @examples
#' fit <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-3)
#' psd_count(fit)
#' psd_count(fit, upper = 3)
psd_count <- function(object, lower = -Inf, upper = Inf) {
  if (!inherits(object, "psd_intensity")) {
    abort("{.arg object} must be a {.fn psd_intensity}, not {.obj_type_friendly {object}}.")
  }
  boxes <- check_boxes(lower, upper, object)
  pmax(box_mass(object, boxes$lower, boxes$upper), 0)
}

#' Look at an intensity
#'
#' @param x,object A [psd_intensity()].
#' @param data,newdata Points to add columns to; by default those of the fit.
#' @param digits Significant digits.
#' @param ... Not used.
#' @return `fitted()`: the intensity at the points. `logLik()`: the log-likelihood of the Poisson
#'   process, the sum of the log intensities at the points minus the integral; `df` is `NA`.
#'   `coef()`: the matrix `R` of `f(x) = |R' v(x)|^2`, in standardised units. `tidy()`: a data frame
#'   with one row: points, expected number of points and shrinkage. `glance()`: a data frame with
#'   one row. `augment()`: `data` with the intensity in `.fitted`.
#' @name psd_intensity-methods
#' @examples
#' fit <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-3)
#' summary(fit)
#' logLik(fit)
NULL

#' @rdname psd_intensity-methods
#' @export
print.psd_intensity <- function(x, digits = 3, ...) {
  check_dots()
  cat("<psd_intensity> of ", paste(x$recipe$columns, collapse = ", "), " in ",
      bounds(x$window$lower, x$window$upper), " (", x$n, " points)\n", sep = "")
  shrinkage <- if (x$shrinkage == 0) ", as observed"
               else paste0(", shrinkage ", signif(100 * x$shrinkage, digits), " %")
  unit <- if (x$exposure != 1) " per unit of exposure"
  cat("expected number of points", unit, " ", format(signif(psd_count(x), 6)), shrinkage, "\n",
      sep = "")
  print_certificate(x, digits)
  invisible(x)
}

#' @rdname psd_intensity-methods
#' @export
summary.psd_intensity <- function(object, ...) {
  check_dots()
  structure(list(fit = object, log_likelihood = as.numeric(logLik(object)),
                 range = range(fitted(object))), class = "summary.psd_intensity")
}

#' @export
print.summary.psd_intensity <- function(x, digits = 3, ...) {
  print(x$fit, digits)
  print_choice(x$fit, digits)
  cat("log-likelihood: ", format(signif(x$log_likelihood, 6)), "\n", sep = "")
  cat("intensity at the points: ", paste(signif(x$range, digits), collapse = " to "), "\n",
      sep = "")
  invisible(x)
}

#' @rdname psd_intensity-methods
#' @importFrom stats fitted
#' @export
fitted.psd_intensity <- function(object, ...) {
  check_dots()
  predict(object)
}

#' @rdname psd_intensity-methods
#' @importFrom stats logLik
#' @export
logLik.psd_intensity <- function(object, ...) {
  check_dots()
  expected <- object$exposure * psd_count(object)
  value <- sum(object$weights * (predict(object, type = "log") + log(object$exposure))) - expected
  structure(value, df = NA_real_, nobs = object$n, class = "logLik")
}

#' @rdname psd_intensity-methods
#' @importFrom stats coef
#' @export
coef.psd_intensity <- function(object, ...) {
  check_dots()
  object$functions[[1]]$coefficients
}

#' @rdname psd_intensity-methods
#' @export
tidy.psd_intensity <- function(x, ...) {
  check_dots()
  data.frame(points = x$total * x$exposure, expected = psd_count(x), shrinkage = x$shrinkage)
}

#' @rdname psd_intensity-methods
#' @export
augment.psd_intensity <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots()
  data <- newdata %||% data
  if (is.null(data)) return(data.frame(x$x, .fitted = fitted(x), check.names = FALSE))
  if (!is.data.frame(data)) data <- stats::setNames(as.data.frame(data), x$recipe$columns)
  cbind(data, .fitted = predict(x, data))
}
