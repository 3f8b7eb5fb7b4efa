# An exponential has no closed-form integrals. On the line quadrature takes their place: the axis is
# cut into cells on which it is a polynomial up to rounding, with Gauss-Legendre nodes.

box_integrals.function_exp <- function(f, measure, lower, upper, log_scale) {
  line <- line_integrals(f, measure, log_scale)
  line_below(line, upper[, 1]) - line_below(line, lower[, 1])
}

# Of the distribution that the function is proportional to.
moments_of.function_exp <- function(f, measure, log_scale) {
  line <- line_integrals(f, measure, log_scale)
  moment <- function(power) {
    sum(cell_integral(function(x) x^power * line$density(x), line$edges[-length(line$edges)],
                      line$edges[-1])) / line$until[length(line$until)]
  }
  list(mean = moment(1), second = matrix(moment(2)))
}

inverse_of.function_exp <- function(f, measure, u) {
  matrix(line_quantile(line_integrals(f, measure, 0), u[, 1]))
}

# The integrals of a function of one variable: edges of the cells and the mass up to each.
line_integrals <- function(f, measure, log_scale) {
  check_line(f)
  density <- function(x) {
    x <- matrix(x)
    exp(log_values(f, x) + log_base(measure, x) + log_scale)
  }
  edges <- line_edges(f, measure)
  until <- c(0, cumsum(cell_integral(density, edges[-length(edges)], edges[-1])))
  list(density = density, edges = edges, until = until)
}

check_line <- function(f) {
  d <- ncol(f$anchors$at)
  if (d > 1) {
    abort(c("The integrals of an exponential ({.code model = \"glm\"}) have no closed form, and only
             with one variable are they computed numerically, not with {d}.",
            i = "Use {.code model = \"psd\"}, whose integrals are exact in any dimension."),
          class = "psd_no_closed_form", call = NULL)
  }
}

# Beyond the reach of the kernels only the base measure is left. Cells are short beside the kernels
# that reach them, the base measure and the humps of the exponential.
line_edges <- function(f, measure) UseMethod("line_edges")

line_edges.default <- function(f, measure) {
  known <- is.finite(f$anchors$width[, 1])  # others are constant
  at <- f$anchors$at[known, 1]
  width <- f$anchors$width[known, 1]
  reach <- kernel_reach(f$kernel)
  low <- max(measure$lower, min(measure$mean - 9 * measure$sd, at - reach * width))
  high <- min(measure$upper, max(measure$mean + 9 * measure$sd, at + reach * width))
  grid <- resolved_grid(low, high, f$anchors, step = 1 / 4, reach = 9, least = 100, most = 20000)
  humps <- max(1, sqrt(diff(range(log_values(f, matrix(grid))))) / 2)
  local_cells(low, high, c(at, measure$mean), reach = c(reach * width, 9 * measure$sd),
              size = 0.7 * c(width / humps, measure$sd),
              kinks = if (!kernel_traits(f$kernel)$smooth) at)
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
