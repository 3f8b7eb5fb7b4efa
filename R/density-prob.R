# Integrals of a density: probabilities of boxes, and moments.

#' Probabilities of boxes and moments, in closed form
#'
#' @param object A [psd_density()].
#' @param lower,upper The box. With names, bounds of these columns (the others have none):
#'   `lower = c(waiting = 70)`. Without names, one bound per column in the order of the fit, or a
#'   single one, which is then the bound of *every* column. For several boxes a matrix or data frame
#'   with one row per box, its columns matched by name if they have names. Ends may be infinite.
#' @return `psd_prob()`: one probability per box; those of model `"pnm"`, which has negative parts,
#'   need not lie between 0 and 1. `psd_moments()`: a list with `mean` and `covariance`.
#' @export
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' psd_prob(fit, lower = c(eruptions = 4, waiting = 70))
#' psd_prob(fit, upper = c(waiting = 60))
#' psd_moments(fit)
psd_prob <- function(object, lower = -Inf, upper = Inf) {
  check_density(object)
  boxes <- check_boxes(lower, upper, object)
  as_probability(box_mass(object, boxes$lower, boxes$upper), object)
}

# list(lower =, upper =) in scaled units, matrices with one row per box.
check_boxes <- function(lower, upper, object, call = rlang::caller_env()) {
  columns <- object$recipe$columns
  lower <- per_box(lower, columns, -Inf, call = call)
  upper <- per_box(upper, columns, Inf, call = call)
  boxes <- max(nrow(lower), nrow(upper))
  if (!all(c(nrow(lower), nrow(upper)) %in% c(1, boxes))) {
    abort("{.arg lower} and {.arg upper} must have the same number of rows, not {nrow(lower)} and
           {nrow(upper)}.", call = call)
  }
  lower <- lower[rep_len(seq_len(nrow(lower)), boxes), , drop = FALSE]
  upper <- upper[rep_len(seq_len(nrow(upper)), boxes), , drop = FALSE]
  if (any(lower > upper)) {
    bad <- which(lower > upper)[1]
    abort("{.arg lower} must not be above {.arg upper}, as are {.val {lower[bad]}} and
           {.val {upper[bad]}}.", call = call)
  }
  list(lower = scaled(lower, object$units$x), upper = scaled(upper, object$units$x))
}

#' @rdname psd_prob
#' @export
psd_moments <- function(object) {
  check_density(object)
  columns <- object$recipe$columns
  moments <- scaled_moments(object)
  list(mean = stats::setNames(moments$mean, columns),
       covariance = structure(moments$covariance * tcrossprod(moments$unit),
                              dimnames = list(columns, columns)))
}

# The mean, and the covariance of the columns each divided by its `unit`: squares of very small or
# large numbers leave the range of numbers.
scaled_moments <- function(object) {
  scaling <- object$units$x
  if (!is.null(scaling$transforms)) {
    return(c(transformed_moments(object$functions[[1]], object),
             list(unit = rep(1, length(object$recipe$columns)))))
  }
  moments <- moments_of(object$functions[[1]], object$measure, object$log_scale)
  turn <- scaling$turn %||% diag(length(scaling$scale))
  covariance <- moments$second - tcrossprod(moments$mean)
  list(mean = scaling$center + scaling$scale * drop(moments$mean %*% turn),
       covariance = crossprod(turn, covariance %*% turn), unit = scaling$scale)
}

# Of a density on another scale, by quadrature in one coordinate at a time: with v the sections, the
# integrals of x^power v v' (or v) at Gauss-Legendre nodes; x counted from the middle, so that a
# small variance keeps its digits.
transformed_moments <- function(f, object) UseMethod("transformed_moments")

transformed_moments.default <- function(f, object) {
  d <- length(object$measure$lower)
  scaling <- object$units$x
  middle <- unstandardized(matrix(0, 1, d), scaling)[1, ]
  weight <- section_integrals(f, object$measure)
  weight <- form_of(f) * weight$value * exp(weight$log_scale + object$log_scale)
  ratios <- lapply(seq_len(d), function(column) {
    grid <- line_nodes(f, object$measure, column)
    x <- unstandardized(matrix(grid$t, length(grid$t), d), scaling)[, column] - middle[column]
    v <- exp(cpp_log_sections(f$kernel, take_anchors(f$anchors, column), matrix(grid$t)))
    gram <- function(g) {
      weighted <- sweep(v, 2, grid$weight * g, "*")
      if (f$type == "psd") tcrossprod(weighted, v) else rowSums(weighted)
    }
    mass <- gram(1)
    lapply(1:2, function(power) ifelse(mass > 0, gram(x^power) / mass, 0))
  })
  mean <- vapply(ratios, function(r) sum(weight * r[[1]]), 0)
  second <- matrix(0, d, d)
  for (i in seq_len(d)) {
    for (j in seq_len(d)) {
      both <- if (i == j) ratios[[i]][[2]] else ratios[[i]][[1]] * ratios[[j]][[1]]
      second[i, j] <- sum(weight * both)
    }
  }
  list(mean = middle + mean, covariance = second - tcrossprod(mean))
}

# Nodes and weights that integrate products of the sections in a column, with the base density.
line_nodes <- function(f, measure, column, size = 12) {
  at <- f$anchors$at[, column]
  width <- f$anchors$width[, column]
  low <- max(measure$lower[column], min(at - 9 * width))
  high <- min(measure$upper[column], max(at + 9 * width))
  cells <- ceiling((high - low) / (0.7 * min(width)))
  edges <- seq(low, high, length.out = min(max(cells, 20), 2000) + 1)
  rule <- legendre_rule(size)
  half <- diff(edges) / 2
  t <- as.vector(outer(half, rule$nodes + 1) + edges[-length(edges)])
  list(t = t, weight = as.vector(outer(half, rule$weights)) *
         exp(log_base(take_measure(measure, column), matrix(t))))
}

# The integrals of a density or intensity over boxes (rows) in scaled units.
box_mass <- function(object, lower, upper) {
  if (is_turned(object)) return(turned_box_mass(object, lower, upper))
  box_integrals(object$functions[[1]], object$measure, lower, upper,
                object$log_scale + log(object$total %||% 1))
}

# Free of rounding errors; where a function has negative parts, or an integral that is not quite
# one, its mass is left as it is.
as_probability <- function(mass, object) {
  if (is_proper(model_of(object))) pmin(pmax(mass, 0), 1) else mass
}
