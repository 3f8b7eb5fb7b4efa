# The formula of a fit and what follows from it: terms, the model frame, a fit with another formula.

#' The formula of a fit, and its data
#'
#' What the generic functions of R say of the formula of a fit. A fit that was made from vectors,
#' matrices or data frames has none: `formula()` and `terms()` are then an error of class
#' `psd_undefined`, and `model.frame()` has the numeric columns.
#'
#' @param x,object,formula A fit.
#' @param data For `model.frame()` and `model.matrix()`: the data of the fit. By default they are
#'   found as [update()] finds them, by evaluating the call of the fit again where it is called.
#' @param formula. Changes to the formula, as for [stats::update.formula()]; of a density or an
#'   intensity, which take their formula as `x`, too.
#' @param evaluate If `FALSE`, the call and not the fit.
#' @param ... Not used; for `update()` arguments of the fitting function.
#' @return `formula()`, `terms()`: with a `.` written out. `model.frame()`: a data frame with the
#'   rows used and the variables of the formula; the weights, if there were any, in `(weights)`.
#'   `model.matrix()`: the numeric columns that the kernel sees, without an intercept. `update()`: a
#'   fit.
#' @name fit-formula
#' @examples
#' fit <- psd_hetero(dist ~ ., cars, sigma = 1, lambda = 1e-3)
#' formula(fit)
#' head(model.frame(fit))
#' update(fit, log(dist) ~ .)
NULL

#' @rdname fit-formula
#' @importFrom stats formula
#' @export
formula.psd_fit <- function(x, ...) {
  check_dots()
  if (x$recipe$type != "formula") {
    abort(c("The {.cls {class(x)[1]}} has no formula: it was made from numbers.",
            i = "Its columns are {.field {x$recipe$columns}}."), class = "psd_undefined")
  }
  out <- stats::formula(x$recipe$terms)
  if (is.null(x$recipe$response)) return(out)
  stats::reformulate(deparse1(out[[2]]), str2lang(x$recipe$response), env = environment(out))
}

#' @rdname fit-formula
#' @importFrom stats terms
#' @export
terms.psd_fit <- function(x, ...) {
  check_dots()
  out <- stats::terms(formula(x))
  right <- x$recipe$terms
  if (is.null(x$recipe$response)) return(right)
  attr(out, "predvars") <- as.call(c(quote(list), str2lang(x$recipe$response),
                                     as.list(attr(right, "predvars"))[-1]))
  attr(out, "dataClasses") <- attr(right, "dataClasses")
  out
}

#' @rdname fit-formula
#' @importFrom stats model.frame
#' @export
model.frame.psd_fit <- function(formula, data = NULL, ...) {
  check_dots()
  fit <- formula
  env <- parent.frame()
  if (fit$recipe$type == "formula") return(formula_frame(fit, data, env))
  if (is.null(fit$x)) return(as.data.frame(training_points(fit, data, env)))
  if (is.null(fit$y)) return(as.data.frame(fit$x))
  augmented_data(fit, NULL, NULL)$frame
}

#' @rdname fit-formula
#' @importFrom stats model.matrix
#' @export
model.matrix.psd_fit <- function(object, data = NULL, ...) {
  check_dots()
  if (!is.null(data)) return(forge(object$recipe, data, "data"))
  if (is.null(object$x)) training_points(object, NULL, parent.frame()) else object$x
}

# The call of the fit with model.frame() in the place of the fitting function.
formula_frame <- function(fit, data, env, call = rlang::caller_env()) {
  shared <- intersect(names(fit$call), c("data", "weights", "subset", "na.action"))
  request <- as.call(c(quote(stats::model.frame), list(formula = terms(fit)),
                       as.list(fit$call[shared]), list(drop.unused.levels = TRUE)))
  if (!is.null(data)) request$data <- data
  environment(request$formula) <- env
  frame <- tryCatch(eval(request, env), error = function(e) {
    abort(c("The data of the fit were not found by evaluating its call again; give them as
             {.arg data}.", x = "{conditionMessage(e)}"), class = "psd_no_data", call = call)
  })
  weights <- stats::model.weights(frame)
  if (!is.null(weights)) frame <- frame[counted(weights), , drop = FALSE]
  if (nrow(frame) != fit$n) {
    abort(c("The data of the fit have changed since: {nrow(frame)} row{?s} instead of {fit$n}.",
            i = "Give the data of the fit as {.arg data}."), class = "psd_no_data", call = call)
  }
  frame
}

#' @rdname fit-formula
#' @importFrom stats update
#' @export
update.psd_fit <- function(object, formula., ..., evaluate = TRUE) {
  env <- parent.frame()
  call <- object$call
  if (!missing(formula.)) {
    changed <- stats::update.formula(formula(object), formula.)
    environment(changed) <- env
    call[[if (is.null(object$recipe$response)) "x" else "formula"]] <- changed
  }
  given <- as.list(match.call(expand.dots = FALSE)$...)
  for (name in names(given)) call[[name]] <- given[[name]]
  if (check_flag(evaluate)) eval(call, env) else call
}
