# The density at the rows that it was fitted to.

#' @rdname psd_density-methods
#' @importFrom stats fitted
#' @export
fitted.psd_density <- function(object, data = NULL, ...) {
  check_dots()
  own_density(object, training_points(object, data, parent.frame()))
}

#' @rdname psd_density-methods
#' @export
augment.psd_density <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots()
  rows <- newdata %||% data %||% training_points(x, NULL, parent.frame())
  log_density <- if (is.null(newdata)) own_density(x, forge(x$recipe, rows), log = TRUE)
                 else predict(x, newdata, type = "log")
  if (!is.data.frame(rows)) rows <- stats::setNames(as.data.frame(rows), x$recipe$columns)
  cbind(rows, .fitted = exp(log_density), .log_density = log_density)
}

# A value that was rounded stands for its cell, whose mean density it has: at a bound itself, where
# a value may have been rounded to, a density on the scale of logarithms is zero.
own_density <- function(object, x, log = FALSE) {
  at_points <- function(x) log_density_of(object, standardized(x, object$units$x))
  recorded <- if (is.null(object$origin)) object$recorded %||% 0 else 0
  if (recorded == 0) return(if (log) at_points(x) else density_at(object, x))
  logs <- cell_log_density(x, recorded, support_of(object), at_points)
  if (log) logs else exp(logs)
}

# The rows the fit was made from, as a matrix in the units of the data.
training_points <- function(object, data, env, call = rlang::caller_env()) {
  if (is.null(data) && identical(nrow(object$sample), object$n)) return(object$sample)
  x <- training_data(object, data, env, call)$x
  # Of a vector the name is that of a variable which may be called otherwise here.
  if (object$recipe$type == "vector" && ncol(x) == 1) colnames(x) <- object$recipe$columns
  if (!all(object$recipe$columns %in% colnames(x))) abort_changed(x, object, call)
  x[, object$recipe$columns, drop = FALSE]
}

# Their weights.
training_weights <- function(object, data, env, call) {
  if (is.null(object$call$weights)) return(rep(1, object$n))
  training_data(object, data, env, call)$weights
}

training_data <- function(object, data, env, call) {
  origin <- object$origin$call %||% (if (is.null(object$origin)) object$call)
  if (is.null(origin)) {
    abort("A {object$origin$type} density has no data of its own; give {.arg newdata}.",
          call = call)
  }
  molded <- tryCatch(mold_again(origin, data, env), error = function(e) {
    abort(c("The data of the fit were not found by evaluating its call again; give them as
             {.arg newdata} or {.arg data}.", x = "{conditionMessage(e)}"), call = call)
  })
  if (nrow(molded$x) != object$n) abort_changed(molded$x, object, call)
  molded
}

abort_changed <- function(x, object, call) {
  abort(c("The data of the fit have changed since: {nrow(x)} row{?s} instead of {object$n}.",
          i = "Give the data of the fit as {.arg newdata} or {.arg data}."), call = call)
}
