# Mean and covariance of a density.

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
  if (!is.null(scaling$transforms)) return(unscaled_moments(object))
  moments <- moments_of(object$functions[[1]], object$measure, object$log_scale)
  turn <- scaling$turn %||% diag(length(scaling$scale))
  covariance <- moments$second - tcrossprod(moments$mean)
  list(mean = scaling$center + scaling$scale * drop(moments$mean %*% turn),
       covariance = crossprod(turn, covariance %*% turn), unit = scaling$scale)
}

# Of a density on another scale. Values are counted from the middle, so that a small variance keeps
# its digits, in units of the data. Tails that are exponential on that scale are powers of x, which
# need not have a variance, then infinite, nor a mean.
unscaled_moments <- function(object) {
  scaling <- object$units$x
  middle <- unstandardized(matrix(0, 1, length(scaling$scale)), scaling)[1, ]
  unit <- apply(sweep(object$range, 2, middle), 2, binary_size)
  values <- function(t, column) {
    points <- matrix(t, length(t), length(scaling$scale))
    (unstandardized(points, scaling)[, column] - middle[column]) / unit[column]
  }
  moments <- transformed_moments(object$functions[[1]], object, values)
  check_mean(moments$mean, object)
  variance <- diag(moments$second) - moments$mean^2
  covariance <- moments$second - tcrossprod(moments$mean)
  diag(covariance) <- ifelse(is.finite(variance), variance, Inf)
  list(mean = middle + unit * moments$mean, covariance = covariance, unit = unname(unit))
}

check_mean <- function(mean, object) {
  none <- which(!is.finite(mean))[1]
  if (is.na(none)) return(invisible())
  abort(c("{.field {object$recipe$columns[none]}} has no mean: on the scale of {.arg transform} =
           {.val {object$units$x$transforms[[none]]$name}} the tails of its density are too heavy.",
          i = "Use {.code kernel = \"gaussian\"}, or a smaller {.arg sigma}."),
        class = "psd_undefined", call = NULL)
}

# list(mean =, second =): of values(t, column), not finite where there is none. By quadrature in one
# coordinate at a time: with v the sections, the integrals of x^power v v' (or v) at Gauss-Legendre
# nodes.
transformed_moments <- function(f, object, values) UseMethod("transformed_moments")

transformed_moments.default <- function(f, object, values) {
  d <- length(object$measure$lower)
  weight <- section_integrals(f, object$measure)
  weight <- form_of(f) * weight$value * exp(weight$log_scale + object$log_scale)
  ratios <- lapply(seq_len(d), function(column) {
    lapply(1:2, function(power) {
      ifelse(weight == 0, 0, section_moments(f, object, values, column, power))
    })
  })
  second <- matrix(0, d, d)
  for (i in seq_len(d)) {
    for (j in seq_len(d)) {
      both <- if (i == j) ratios[[i]][[2]] else ratios[[i]][[1]] * ratios[[j]][[1]]
      second[i, j] <- sum(weight * both)
    }
  }
  list(mean = vapply(ratios, function(r) sum(weight * r[[1]]), 0), second = second)
}

# The mean of values^power under each product of sections, or each section; infinite where tails
# fall more slowly than the power grows.
section_moments <- function(f, object, values, column, power) {
  anchors <- take_anchors(f$anchors, column)
  fall <- kernel_traits(f$kernel)$decay / max(anchors$width) * (if (f$type == "psd") 2 else 1)
  fall <- fall - power * growth_of(object$units$x, column)
  if (fall <= 0) return(Inf)
  grid <- line_nodes(f, object$measure, column, beyond = log_negligible / fall)
  x <- values(grid$t, column)
  v <- exp(cpp_log_sections(f$kernel, anchors, matrix(grid$t)))
  gram <- function(g) {
    weight <- grid$weight * g
    if (f$type == "psd") weighted_square(v, weight) else drop(v %*% weight)
  }
  mass <- gram(rep(1, length(x)))
  ifelse(mass > 0, gram(x^power) / mass, 0)
}

# The exponential of minus this is lost beside one.
log_negligible <- 37

# By how much the log of a column grows per unit of t, far out.
growth_of <- function(scaling, column) {
  transform_table[[scaling$transforms[[column]]$name]]$growth * scaling$scale[column]
}

# Nodes and weights that integrate products of the sections in a column, with the base density, over
# their reach and `beyond`, where cells may grow with the distance.
line_nodes <- function(f, measure, column, beyond = 0, size = 12) {
  at <- f$anchors$at[, column]
  width <- f$anchors$width[, column]
  low <- min(at - 9 * width)
  high <- max(at + 9 * width)
  inner <- local_cells(low, high, at, reach = kernel_reach(f$kernel) * width, size = 0.7 * width,
                       kinks = if (!kernel_traits(f$kernel)$smooth) at)
  steps <- outward_steps(min(diff(inner)), beyond)
  edges <- c(low - rev(steps), inner, high + steps)
  edges <- pmin(pmax(edges, measure$lower[column]), measure$upper[column])
  edges <- sort(unique(edges))
  rule <- legendre_rule(size)
  half <- diff(edges) / 2
  t <- as.vector(outer(half, rule$nodes + 1) + edges[-length(edges)])
  list(t = t, weight = as.vector(outer(half, rule$weights)) *
         exp(log_base(take_measure(measure, column), matrix(t))))
}

# Distances up to `beyond`, the first a step, each then a quarter further than the one before.
outward_steps <- function(step, beyond) {
  if (beyond <= 0) return(numeric())
  count <- max(ceiling(log(beyond / step) / log(1.25)), 0)
  pmin(step * 1.25^seq(0, count), beyond)
}
