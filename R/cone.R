# Cones for the outputs of a regression.

#' Cones for the outputs of a regression
#'
#' The set in which all outputs of [psd_regression()] lie together, at every point, not only at the
#' data.
#'
#' A cone given by *generators* is the set of their combinations with non-negative weights, plus any
#' combination of the columns of `lineality`. Each weight is a non-negative function of its own, so
#' that the outputs are in the cone by construction; the columns of `lineality` get a linear
#' function each. A longer generator is penalised less.
#'
#' A cone given by *half-spaces* is the set of all `y` with `C' y >= 0`, `C` the matrix
#' `halfspaces`. Each output is a quadratic form with a symmetric matrix `A_s`, penalised by the sum
#' of the absolute eigenvalues instead of the trace, and every combination `sum_s C[s, t] A_s` is
#' positive semidefinite. Such fits have solvers of their own, by `solver` in [psd_control()]:
#' Newton steps to a sequence of proximal points, or FISTA, which is far slower and the one for a
#' loss of R functions. A cone with as many half-spaces as outputs can be given either way: the
#' columns of `solve(t(C))` are its generators.
#'
#' @param type `"nonnegative"`: every output is non-negative. `"ordered"`: the outputs increase
#'   with their index, `y1 <= y2 <= ...`, and have any sign.
#' @param generators A matrix with one row per output and one column per generator.
#' @param lineality A matrix with one row per output, or `NULL`: directions in which the cone has no
#'   bounds.
#' @param halfspaces A matrix with one row per output and one column per half-space: the outputs `y`
#'   satisfy `t(halfspaces) %*% y >= 0`.
#' @return A list of class `psd_cone`.
#' @export
#' @examples
#' psd_cone("ordered")
#'
#' # the second output is at most twice the first, both are non-negative
#' psd_cone(generators = cbind(c(1, 0), c(1, 2)))
#' psd_cone(halfspaces = cbind(c(0, 1), c(2, -1)))
psd_cone <- function(type = c("nonnegative", "ordered"), generators = NULL, lineality = NULL,
                     halfspaces = NULL) {
  if (sum(!missing(type), !is.null(generators), !is.null(halfspaces)) > 1) {
    abort("Only one of {.arg type}, {.arg generators} and {.arg halfspaces} must be given.")
  }
  if (!is.null(lineality) && is.null(generators)) {
    abort("{.arg lineality} must come with {.arg generators}.")
  }
  if (!is.null(generators)) return(generated_cone(generators, lineality))
  if (!is.null(halfspaces)) return(halfspace_cone(halfspaces))
  structure(list(type = check_choice(type, c("nonnegative", "ordered"))), class = "psd_cone")
}

generated_cone <- function(generators, lineality, call = rlang::caller_env()) {
  generators <- check_directions(generators, call = call)
  lineality <- if (is.null(lineality)) matrix(0, nrow(generators), 0)
               else check_directions(lineality, call = call)
  if (nrow(lineality) != nrow(generators)) {
    abort("{.arg lineality} must have one row per output, as {.arg generators} has
           ({nrow(generators)}), not {nrow(lineality)}.", call = call)
  }
  if (qr(cbind(generators, lineality))$rank < nrow(generators)) {
    abort("The cone must have an interior: {.arg generators} and {.arg lineality} together must span
           all {nrow(generators)} outputs.", call = call)
  }
  structure(list(type = "generators", generators = generators, lineality = lineality),
            class = "psd_cone")
}

halfspace_cone <- function(halfspaces, call = rlang::caller_env()) {
  normals <- check_directions(halfspaces, arg = "halfspaces", call = call)
  normals <- sweep(normals, 2, sqrt(colSums(normals^2)), "/")
  interior <- interior_point(normals)
  if (is.null(interior)) {
    abort("The cone must have an interior: no {.code y} has {.code t(halfspaces) %*% y > 0}.",
          call = call)
  }
  structure(list(type = "halfspaces", normals = normals, interior = interior), class = "psd_cone")
}

# A point with C' y >= 1, or NULL. The point p of the convex hull of the columns nearest to zero has
# c' p >= |p|^2 for all of them; Gilbert's algorithm finds it, and any p with all c' p > 0 will do.
interior_point <- function(normals, steps = 1e5) {
  p <- rowMeans(normals)
  for (step in seq_len(steps)) {
    along <- drop(crossprod(normals, p))
    if (min(along) > 0.5 * sum(p^2) && sum(p^2) > 1e-12) return(p / min(along))
    towards <- normals[, which.min(along)] - p
    p <- p + min(1, max(0, -sum(p * towards) / sum(towards^2))) * towards
    if (sum(p^2) < 1e-12) return(NULL)
  }
  NULL
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

# The cone for so many outputs, with its generators and lineality unless it has half-spaces.
resolve_cone <- function(cone, outputs, call = rlang::caller_env()) {
  if (is.character(cone)) {
    cone <- psd_cone(check_choice(cone, c("nonnegative", "ordered"), call = call))
  }
  if (!inherits(cone, "psd_cone")) {
    abort("{.arg cone} must be made by {.fn psd_cone}, not {.obj_type_friendly {cone}}.",
          call = call)
  }
  if (cone$type == "nonnegative") {
    cone$generators <- diag(outputs)
    cone$lineality <- matrix(0, outputs, 0)
  } else if (cone$type == "ordered") {
    # A common level, and one step up a neighbour.
    cone$generators <- lower.tri(diag(outputs), diag = TRUE)[, -1, drop = FALSE] + 0
    cone$lineality <- matrix(1, outputs, 1)
  }
  own <- nrow(cone$generators %||% cone$normals)
  if (own != outputs) {
    abort("{.arg cone} must be a cone of as many outputs as the response has ({outputs}), not
           {own}.", call = call)
  }
  cone
}

#' @export
format.psd_cone <- function(x, ...) {
  if (x$type == "halfspaces") {
    return(paste0(ncol(x$normals), " half-spaces in R^", nrow(x$normals)))
  }
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
