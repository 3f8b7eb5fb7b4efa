# Marginals and conditionals: closed forms, and densities of the same class again.
#
# A density object is p(x) = exp(log_scale) |R' v(t)|^2 b(t) / prod(scale), t = (x - center) / scale,
# b the density of the base measure; zero outside the box.

#' Marginal and conditional densities
#'
#' Both are again densities of class `psd_density`, on which every method works, and both are exact:
#' with `f(x) = |R' v(x)|^2`, `v` the kernel at the anchors, integrating coordinates out multiplies
#' `R R'` elementwise by a Gram matrix known in closed form, and fixing coordinates scales the rows
#' of `R`.
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
  kept <- check_columns(columns, object$recipe$columns)
  rest <- setdiff(seq_along(object$recipe$columns), kept)
  f <- object$functions[[1]]
  root <- f$coefficients
  if (length(rest) > 0) {
    gram <- gram_of(object, rest)
    root <- psd_root(tcrossprod(root) * gram$value)
    object$log_scale <- object$log_scale + gram$log_scale
  }
  derived_density(object, kept, root, match.call(),
                  list(type = "marginal", call = object$origin$call %||% object$call))
}

#' @rdname psd_marginal
#' @param given The values of the other coordinates: a named numeric vector, list or data frame with
#'   one row.
#' @export
psd_conditional <- function(object, given) {
  check_density(object)
  given <- check_given(given, object$recipe$columns)
  fixed <- match(names(given), object$recipe$columns)
  scaling <- object$scaling
  at <- matrix((given - scaling$center[fixed]) / scaling$scale[fixed], nrow = 1)
  outside <- at < object$measure$lower[fixed] | at > object$measure$upper[fixed]
  if (any(outside)) {
    abort("{.arg given} must lie inside the support of the density; {.field
           {names(given)[outside][1]}} = {.val {given[outside][[1]]}} does not.")
  }
  f <- object$functions[[1]]
  log_weight <- cpp_log_sections(f$kernel, take_anchors(f$anchors, fixed), at)[, 1]
  top <- max(log_weight)
  root <- f$coefficients * exp(log_weight - top)
  object$log_scale <- object$log_scale + 2 * top
  shown <- paste(names(given), "=", signif(given, 5), collapse = ", ")
  derived_density(object, setdiff(seq_along(object$recipe$columns), fixed), root, match.call(),
                  list(type = "conditional", given = shown))
}

# The density with factor `root` over the coordinates `kept`, normalised.
derived_density <- function(object, kept, root, call, origin) {
  f <- object$functions[[1]]
  f$anchors <- take_anchors(f$anchors, kept)
  f$coefficients <- root
  recipe <- object$recipe
  columns <- recipe$columns[kept]
  object$recipe <- list(type = if (length(kept) == 1) "vector" else "matrix", columns = columns,
                        named = !identical(recipe$named, FALSE))
  object$functions <- list(f)
  object$scaling <- lapply(object$scaling, `[`, kept)
  object$measure <- take_measure(object$measure, kept)
  object$range <- object$range[, kept, drop = FALSE]
  object$rank <- ncol(root)
  object$call <- call
  object$origin <- origin
  object$log_likelihood <- NA_real_
  object$log_scale <- object$log_scale - log_mass(object)
  object
}

# log int p, which is zero up to rounding for a normalised density.
log_mass <- function(object) {
  gram <- gram_of(object)
  log(form_sum(object, gram$value)) + gram$log_scale + object$log_scale
}

# The Gram matrix of the anchors over some coordinates: exp(log_scale) value.
gram_of <- function(object, columns = seq_along(object$scaling$center), power = 0,
                    measure = object$measure) {
  f <- object$functions[[1]]
  cpp_gram(f$kernel, take_anchors(f$anchors, columns), take_measure(measure, columns),
           rep_len(as.integer(power), length(columns)))
}

# <R R', gram>
form_sum <- function(object, gram) {
  root <- object$functions[[1]]$coefficients
  sum(root * (gram %*% root))
}

take_anchors <- function(anchors, columns) {
  list(at = anchors$at[, columns, drop = FALSE], width = anchors$width[, columns, drop = FALSE])
}

take_measure <- function(measure, columns) lapply(measure, `[`, columns)

# R with R R' = x, for x positive semidefinite up to rounding.
psd_root <- function(x) {
  spectrum <- eigen((x + t(x)) / 2, symmetric = TRUE)
  kept <- spectrum$values > 1e-15 * max(spectrum$values[1], 0)
  spectrum$vectors[, kept, drop = FALSE] %*% diag(sqrt(spectrum$values[kept]), sum(kept))
}

check_density <- function(object, arg = rlang::caller_arg(object), call = rlang::caller_env()) {
  if (!inherits(object, "psd_density")) {
    abort("{.arg {arg}} must be a fit by {.fn psd_density}, not {.obj_type_friendly {object}}.",
          call = call)
  }
}

# Column names or numbers as positions.
check_columns <- function(columns, known, arg = rlang::caller_arg(columns),
                          call = rlang::caller_env()) {
  at <- if (is.character(columns)) match(columns, known) else columns
  valid <- is.numeric(at) && length(at) > 0 && all(at %in% seq_along(known)) && !anyDuplicated(at)
  if (!valid) {
    abort("{.arg {arg}} must be different columns among {.or {.val {known}}} (or their numbers), not
           {.val {columns}}.", call = call)
  }
  as.integer(at)
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
