# An exponential has no closed-form integrals. On the line quadrature takes their place: the axis is
# cut into cells on which the density is a polynomial up to rounding, with Gauss-Legendre nodes.

# The integrals of a density of one variable: edges of the cells and the mass up to each, in
# standardised units.
line_integrals <- function(object, call = rlang::caller_env()) {
  check_line(object, call)
  density <- function(x) exp(log_density(object, object$measure, matrix(x)))
  edges <- line_edges(object)
  until <- c(0, cumsum(cell_integral(density, edges[-length(edges)], edges[-1])))
  list(density = density, edges = edges, until = until)
}

check_line <- function(object, call) {
  d <- length(object$recipe$columns)
  if (d > 1) {
    abort(c("The integrals of an exponential ({.code model = \"glm\"}) have no closed form, and only
             with one variable are they computed numerically, not with {d}.",
            i = "Use {.code model = \"psd\"}, whose integrals are exact in any dimension."),
          class = "psd_no_closed_form", call = call)
  }
}

# Beyond the reach of the kernels only the base measure is left. Cells are short beside the kernel,
# the base measure and the humps of the exponential.
line_edges <- function(object) {
  f <- object$functions[[1]]
  measure <- object$measure
  at <- f$anchors$at[, 1]
  width <- min(f$anchors$width)
  low <- max(measure$lower, min(measure$mean - 9 * measure$sd, at - 9 * width))
  high <- min(measure$upper, max(measure$mean + 9 * measure$sd, at + 9 * width))
  height <- diff(range(cpp_log_evaluate(f, matrix(seq(low, high, by = width / 4)))))
  size <- 0.7 * min(width / max(1, sqrt(height) / 2), measure$sd)
  kinks <- if (f$kernel == "abel") at[at > low & at < high]
  breaks <- sort(unique(c(low, kinks, high)))
  cells <- Map(function(from, to) from + (to - from) * seq_len(ceiling((to - from) / size)) /
                 ceiling((to - from) / size), breaks[-length(breaks)], breaks[-1])
  c(low, unlist(cells))
}

# int_from^to density, each interval by one rule.
cell_integral <- function(density, from, to, rule = legendre_rule(12)) {
  half <- (to - from) / 2
  nodes <- outer(half, rule$nodes + 1) + from
  half * as.vector(matrix(density(nodes), nrow(nodes)) %*% rule$weights)
}

# Gauss-Legendre on [-1, 1], from the eigenvectors of its Jacobi matrix.
legendre_rule <- function(count) {
  i <- seq_len(count - 1)
  jacobi <- matrix(0, count, count)
  jacobi[cbind(i, i + 1)] <- jacobi[cbind(i + 1, i)] <- i / sqrt(4 * i^2 - 1)
  spectrum <- eigen(jacobi, symmetric = TRUE)
  list(nodes = spectrum$values, weights = 2 * spectrum$vectors[1, ]^2)
}

# The mass below x.
line_below <- function(line, x) {
  x <- pmin(pmax(x, line$edges[1]), line$edges[length(line$edges)])
  cell <- findInterval(x, line$edges, all.inside = TRUE)
  line$until[cell] + cell_integral(line$density, line$edges[cell], x)
}

# Where the share u of the whole mass is below: Newton's method inside a shrinking bracket.
line_quantile <- function(line, u) {
  target <- u * line$until[length(line$until)]
  cell <- findInterval(target, line$until, all.inside = TRUE)
  low <- line$edges[cell]
  high <- line$edges[cell + 1]
  x <- (low + high) / 2
  for (step in 1:60) {
    error <- line_below(line, x) - target
    low <- ifelse(error < 0, x, low)
    high <- ifelse(error < 0, high, x)
    new <- x - error / line$density(x)
    inside <- !is.na(new) & new > low & new < high
    new[!inside] <- (low + high)[!inside] / 2
    moved <- max(abs(new - x))
    x <- new
    if (moved < 1e-13) break
  }
  x
}

# Of the distribution that the density is proportional to, in the units of the data.
line_moments <- function(object, call = rlang::caller_env()) {
  line <- line_integrals(object, call)
  moment <- function(power) {
    sum(cell_integral(function(x) x^power * line$density(x), line$edges[-length(line$edges)],
                      line$edges[-1])) / line$until[length(line$until)]
  }
  columns <- object$recipe$columns
  scaling <- object$scaling
  list(mean = stats::setNames(scaling$center + scaling$scale * moment(1), columns),
       covariance = matrix(scaling$scale^2 * (moment(2) - moment(1)^2),
                           dimnames = list(columns, columns)))
}
