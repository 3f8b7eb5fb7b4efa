# Marginals and conditionals: closed forms, and densities of the same class again.
#
# A density object is p(x) = exp(log_scale) f(t) b(t) / prod(scale), t = (x - center) / scale,
# b the density of the base measure; zero outside the box. Of the functions f = |R' v|^2 (PSD) and
# f = w' v (linear), v the sections at the anchors, both are closed forms.

#' Marginal and conditional densities
#'
#' Both are again densities of class `psd_density`, on which every method works, and both are exact:
#' with `f(x) = |R' v(x)|^2`, `v` the kernel at the anchors, integrating coordinates out multiplies
#' `R R'` elementwise by a Gram matrix known in closed form, and fixing coordinates scales the rows
#' of `R`. Likewise for the models `"pnm"` and `"ncm"`, `f(x) = w' v(x)`.
#'
#' @param object A fit by [psd_density()], or a marginal or conditional of one.
#' @param columns The coordinates to keep: names or numbers.
#' @return A `psd_density` of the remaining coordinates. Its certificate (status, gap) is that of
#'   the fit it comes from.
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' waiting <- psd_marginal(fit, "waiting")
#' quantile(waiting)
#' after_long <- psd_conditional(fit, c(eruptions = 4.5))
#' psd_moments(after_long)$mean
psd_marginal <- function(object, columns) {
  check_density(object)
  check_closed_form(object)
  kept <- check_columns(columns, object$recipe$columns)
  if (is_turned(object)) {
    object <- columns_first(object, kept)
    kept <- seq_along(kept)
  }
  f <- integrate_out(object$functions[[1]], object$measure, kept)
  derived_density(object, kept, f, match.call(),
                  list(type = "marginal", call = object$origin$call %||% object$call))
}

#' @rdname psd_marginal
#' @param given The values of the other coordinates: a named numeric vector, list or data frame with
#'   one row.
#' @export
psd_conditional <- function(object, given) {
  check_density(object)
  check_closed_form(object)
  given <- check_given(given, object$recipe$columns)
  out <- conditional_density(object, given, match.call())
  warn_extrapolation(rbind(given), object$range[, names(given), drop = FALSE], "given")
  out
}

# The same without checks, for one of many rows.
conditional_density <- function(object, given, matched, call = rlang::caller_env()) {
  fixed <- match(names(given), object$recipe$columns)
  if (is_turned(object)) {
    object <- columns_first(object, fixed)
    fixed <- seq_along(fixed)
  }
  at <- standardized(matrix(given, 1), take_units(object$units$x, fixed))
  outside <- at < object$measure$lower[fixed] | at > object$measure$upper[fixed]
  if (any(outside)) {
    abort("{.arg given} must lie inside the support of the density; {.field
           {names(given)[outside][1]}} = {.val {given[outside][[1]]}} does not.", call = call)
  }
  f <- fix_columns(object$functions[[1]], fixed, at)
  if (is_turned(object)) object$units$x <- shifted_units(object$units$x, given)
  shown <- paste(names(given), "=", signif(given, 5), collapse = ", ")
  derived_density(object, setdiff(seq_along(object$recipe$columns), fixed), f, matched,
                  list(type = "conditional", given = shown))
}

# The density of the coordinates `kept`, proportional to f.
derived_density <- function(object, kept, f, call, origin) {
  recipe <- object$recipe
  object$recipe <- list(type = if (length(kept) == 1) "vector" else "matrix",
                        columns = recipe$columns[kept], named = !identical(recipe$named, FALSE),
                        dates = recipe$dates)
  object$functions <- list(f)
  object$units$x <- take_units(object$units$x, kept)
  object$measure <- take_measure(object$measure, kept)
  object$range <- object$range[, kept, drop = FALSE]
  object$sample <- if (origin$type == "marginal") object$sample[, kept, drop = FALSE]
  object$rank <- rank_of(f)
  object$call <- call
  object$origin <- origin
  object$log_likelihood <- NA_real_
  object$solved <- NULL
  mass <- log_integral(f, object$measure)
  if (!is.finite(mass)) {
    abort("The density of a {.val {object$model}} model must be positive at {.arg given}: there it
           is not.", call = rlang::caller_env())
  }
  object$log_scale <- -mass
  object
}

check_density <- function(object, arg = rlang::caller_arg(object), call = rlang::caller_env()) {
  if (!inherits(object, "psd_density")) {
    abort("{.arg {arg}} must be a fit by {.fn psd_density}, not {.obj_type_friendly {object}}.",
          call = call)
  }
}

check_closed_form <- function(object, call = rlang::caller_env()) {
  if (!model_of(object)$closed_form) abort_no_closed_form(call)
}

check_given <- function(given, known, call = rlang::caller_env()) {
  if (is.list(given) && all(lengths(given) == 1)) given <- unlist(given)
  if (!is.numeric(given) || is.null(names(given)) || anyNA(given) || any(is.infinite(given))) {
    abort("{.arg given} must be finite numbers named by column, such as {.code c({known[1]} = 1)},
           not {.obj_type_friendly {given}}.", call = call)
  }
  at <- check_columns(names(given), known, arg = "names(given)", call = call)
  if (length(at) == length(known)) {
    abort("{.arg given} must leave at least one column free of {.val {known}}.", call = call)
  }
  given
}
