# Generic functions of R that a fit has no answer to. Their defaults would return NULL, NA or what
# happens to stand in a field of that name; an error of class psd_undefined says where to look.

abort_undefined <- function(verb, object, hint, call = rlang::caller_env()) {
  abort(c("{.fn {verb}} of a {.cls {class(object)[1]}} is not defined.", i = hint),
        class = "psd_undefined", call = call)
}

#' What a fit has no answer to
#'
#' Each of these is an error of class `psd_undefined` that names what to use instead. The methods of
#' the fits that do have an answer are listed under *See also*; `weights()` answers for all fits but
#' densities, which do not keep their data.
#'
#' @param x,object A fit.
#' @param ... Not used.
#' @param k Not used.
#' @seealso [mean.psd_density()], [quantile.psd_density()], [sigma.psd_hetero()],
#'   [simulate.psd_quantreg()], [fit-formula].
#' @return None: an error.
#' @name psd_undefined
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' try(residuals(fit))
NULL

#' @rdname psd_undefined
#' @export
mean.psd_fit <- function(x, ...) {
  abort_undefined("mean", x, "{.fn fitted} and {.fn predict} have a value per row.")
}

#' @rdname psd_undefined
#' @importFrom stats median
#' @param na.rm Not used.
#' @export
median.psd_fit <- function(x, na.rm = FALSE, ...) {
  abort_undefined("median", x, "{.fn fitted} and {.fn predict} have a value per row.")
}

#' @rdname psd_undefined
#' @importFrom stats quantile
#' @export
quantile.psd_fit <- function(x, ...) {
  abort_undefined("quantile", x, "The quantiles of a response given the predictors are
                                  {.code predict(type = \"quantile\")} of {.fn psd_quantreg} and
                                  {.fn psd_hetero}.")
}

#' @rdname psd_undefined
#' @importFrom stats sigma
#' @export
sigma.psd_fit <- function(object, ...) {
  abort_undefined("sigma", object, "It has no noise of one size; {.fn psd_hetero} fits its standard
                                    deviation. The kernel width is
                                    {.code $parameters$sigma}.")
}

#' @rdname psd_undefined
#' @importFrom stats vcov
#' @export
vcov.psd_fit <- function(object, ...) {
  abort_undefined("vcov", object, "Its coefficients are penalised and depend on the landmarks:
                                   {.fn psd_boot} has the uncertainty of what they predict. The
                                   covariance of a density is in {.fn psd_moments}.")
}

#' @rdname psd_undefined
#' @importFrom stats family
#' @export
family.psd_fit <- function(object, ...) {
  abort_undefined("family", object, "It is not a generalised linear model.")
}

#' @rdname psd_undefined
#' @export
residuals.psd_fit <- function(object, ...) {
  abort_undefined("residuals", object, "It has no response.")
}

#' @rdname psd_undefined
#' @export
simulate.psd_fit <- function(object, ...) {
  abort_undefined("simulate", object, "Its loss does not say how responses are distributed.")
}

#' @rdname psd_undefined
#' @importFrom stats AIC
#' @export
AIC.psd_fit <- function(object, ..., k = 2) abort_criterion("AIC", object)

#' @rdname psd_undefined
#' @importFrom stats BIC
#' @export
BIC.psd_fit <- function(object, ...) abort_criterion("BIC", object)

abort_criterion <- function(verb, object, call = rlang::caller_env()) {
  abort_undefined(verb, object, "A penalised fit has no number of parameters; {.fn psd_cv} scores it
                                 on rows left out.", call = call)
}

#' @rdname psd_undefined
#' @importFrom stats deviance
#' @export
deviance.psd_fit <- function(object, ...) {
  abort_undefined("deviance", object, "The {.field objective} of {.fn glance} is what the fit
                                       minimises; {.fn logLik} has the likelihood, if there is
                                       one.")
}

#' @rdname psd_undefined
#' @importFrom stats df.residual
#' @export
df.residual.psd_fit <- function(object, ...) {
  abort_undefined("df.residual", object, "A penalised fit has no number of parameters.")
}

#' @rdname psd_undefined
#' @importFrom stats weights
#' @export
weights.psd_fit <- function(object, ...) {
  if (is.null(object$weights)) {
    abort_undefined("weights", object, "It does not keep its data.")
  }
  object$weights
}
