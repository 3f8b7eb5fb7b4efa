# Cones for the outputs of a regression.

#' Cones for the outputs of a regression
#'
#' The set in which all outputs of [psd_regression()] lie together, at every point, not only at the
#' data.
#'
#' A cone given by *generators* is the set of their combinations with non-negative weights, plus any
#' combination of the columns of `lineality`. Each weight is a non-negative function of its own, so
#' that the outputs are in the cone by construction; the columns of `lineality` get a linear function
#' each. A longer generator is penalised less.
#'
#' @param type `"nonnegative"`: every output is non-negative. `"ordered"`: the outputs increase
#'   with their index, `y1 <= y2 <= ...`, and have any sign.
#' @param generators A matrix with one row an output and one column a generator.
#' @param lineality A matrix with one row an output, or `NULL`: directions in which the cone has no
#'   bounds.
#' @return A list of class `psd_cone`.
#' @export
#' @examples
#' psd_cone("ordered")
#'
#' # the second output is at most twice the first, both are non-negative
#' psd_cone(generators = cbind(c(1, 0), c(1, 2)))
psd_cone <- function(type = c("nonnegative", "ordered"), generators = NULL, lineality = NULL) {
  if (is.null(generators)) {
    if (!is.null(lineality)) abort("{.arg lineality} must come with {.arg generators}.")
    return(structure(list(type = check_choice(type, c("nonnegative", "ordered"))),
                     class = "psd_cone"))
  }
  if (!missing(type)) abort("{.arg type} must not be given together with {.arg generators}.")
  generators <- check_directions(generators)
  lineality <- if (is.null(lineality)) matrix(0, nrow(generators), 0) else check_directions(lineality)
  if (nrow(lineality) != nrow(generators)) {
    abort("{.arg lineality} must have one row an output, as {.arg generators} has
           ({nrow(generators)}), not {nrow(lineality)}.")
  }
  if (qr(cbind(generators, lineality))$rank < nrow(generators)) {
    abort("The cone must have an interior: {.arg generators} and {.arg lineality} together must span
           all {nrow(generators)} outputs.")
  }
  structure(list(type = "generators", generators = generators, lineality = lineality),
            class = "psd_cone")
}

# A numeric matrix of directions in its columns.
check_directions <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  force(arg)  # before x is another one
  x <- unname(numeric_matrix(x, arg, call))
  if (!all(is.finite(x))) {
    abort("{.arg {arg}} must be finite, not {.val {x[!is.finite(x)][1]}}.", call = call)
  }
  zero <- which(colSums(x != 0) == 0)
  if (length(zero) > 0) {
    abort("{.arg {arg}} must not have a column of zeros (column {zero[1]}).", call = call)
  }
  x
}

# list(generators =, lineality =) for so many outputs.
resolve_cone <- function(cone, outputs, call = rlang::caller_env()) {
  if (is.character(cone)) {
    cone <- psd_cone(check_choice(cone, c("nonnegative", "ordered"), call = call))
  }
  if (!inherits(cone, "psd_cone")) {
    abort("{.arg cone} must be made by {.fn psd_cone}, not {.obj_type_friendly {cone}}.", call = call)
  }
  if (cone$type == "nonnegative") {
    cone$generators <- diag(outputs)
    cone$lineality <- matrix(0, outputs, 0)
  } else if (cone$type == "ordered") {
    # A common level, and one step up a neighbour.
    cone$generators <- lower.tri(diag(outputs), diag = TRUE)[, -1, drop = FALSE] + 0
    cone$lineality <- matrix(1, outputs, 1)
  }
  if (nrow(cone$generators) != outputs) {
    abort("{.arg cone} must be a cone of as many outputs as the response has ({outputs}), not
           {nrow(cone$generators)}.", call = call)
  }
  cone
}

#' @export
format.psd_cone <- function(x, ...) {
  if (x$type != "generators") return(x$type)
  lines <- ncol(x$lineality)
  paste0(ncol(x$generators), " generators in R^", nrow(x$generators),
         if (lines > 0) paste0(" and lineality of dimension ", lines))
}

#' @export
print.psd_cone <- function(x, ...) {
  cat("<psd_cone> ", format(x), "\n", sep = "")
  invisible(x)
}
