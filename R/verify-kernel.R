# Kernels, features and integrals in plain R, for psd_verify().

# log k(t), t >= 0; k is a product over coordinates.
plain_log_kernels <- list(
  gaussian = function(t) -t^2 / 2,
  abel = function(t) -t,
  matern32 = function(t) log1p(sqrt(3) * t) - sqrt(3) * t
)

plain_log_kernel <- function(kernel, t) plain_log_kernels[[kernel]](abs(t))

# The sections at the anchors (rows) at the rows of t (columns).
plain_sections <- function(kernel, anchors, t) {
  out <- matrix(0, nrow(anchors$at), nrow(t))
  for (column in seq_len(ncol(t))) {
    apart <- outer(anchors$at[, column], t[, column], "-")
    out <- out + plain_log_section(kernel, apart, anchors$width[, column])
  }
  exp(out)
}

plain_log_section <- function(kernel, apart, width) {
  distance <- apart / width
  distance[is.infinite(width), ] <- 0
  plain_log_kernel(kernel, distance)
}

# A fitted function at the rows of t.
plain_values <- function(f, t) {
  inner <- crossprod(f$coefficients, plain_sections(f$kernel, f$anchors, t))
  if (!is.null(f$slopes)) inner <- inner + crossprod(as.matrix(f$slopes), t(t))
  switch(f$type, psd = colSums(inner^2), linear = inner[1, ], exp = exp(inner[1, ]))
}

# One column a function, also at a single row.
all_plain_values <- function(functions, t) {
  matrix(vapply(functions, plain_values, numeric(nrow(t)), t), nrow(t))
}

# The features phi = mix v of a part: `mix` from sections to features, `coefficients` of the
# function on them, `values` at the rows of t (columns), `kernels` their numbers without the extra,
# `lower` the factor of the kernel at the landmarks.
plain_features <- function(f, shape, t) {
  scales <- length(shape$weight)
  extra <- length(shape$size)
  count <- (nrow(f$anchors$at) - extra) / scales
  first <- seq_len(count)
  at <- function(scale) (scale - 1) * count + first
  landmarks <- f$anchors$at[first, , drop = FALSE]
  gram <- Reduce(`+`, lapply(seq_len(scales), function(scale) {
    anchors <- list(at = landmarks, width = f$anchors$width[at(scale), , drop = FALSE])
    shape$weight[scale] * plain_sections(f$kernel, anchors, landmarks)
  }))
  lower <- t(chol(gram))
  mix <- matrix(0, count + extra, nrow(f$anchors$at))
  for (scale in seq_len(scales)) {
    mix[first, at(scale)] <- shape$weight[scale] * forwardsolve(lower, diag(count))
  }
  last <- seq_len(extra)
  mix[cbind(count + last, count * scales + last)] <- shape$size
  coefficients <- features_on_anchors(f, shape, lower)
  values <- mix %*% plain_sections(f$kernel, f$anchors, t)
  if (shape$slope > 0) {
    values <- rbind(values, shape$slope * t(t))
    coefficients <- rbind(coefficients, as.matrix(f$slopes) / shape$slope)
  }
  list(mix = mix, values = values, coefficients = coefficients, kernels = first, lower = lower)
}

# The coefficients of the features from those of the sections, with the factor of the landmarks.
features_on_anchors <- function(f, shape, lower) {
  root <- f$coefficients
  first <- seq_len(nrow(lower))
  last <- nrow(root) - length(shape$size) + seq_along(shape$size)
  rbind(crossprod(lower, root[first, , drop = FALSE] / shape$weight[1]),
        root[last, , drop = FALSE] / shape$size)
}

# int x^power v v' dmeasure (or v, if `square` is FALSE) over all coordinates, by quadrature in
# each; NA where that would take too many nodes: pairs of sections at them are what takes long.
plain_integral <- function(f, measure, power = 0, square = TRUE) {
  power <- rep_len(power, ncol(f$anchors$at))
  cells <- quadrature_pairs / (length(power) * nrow(f$anchors$at)^2)
  out <- 1
  for (column in seq_along(power)) {
    anchors <- take_anchors(f$anchors, column)
    grid <- plain_grid(f$kernel, anchors, take_measure(measure, column), min(cells, 4e4))
    if (is.null(grid)) return(NA)
    apart <- outer(anchors$at[, 1], grid$from, "-") - rep(grid$step, each = nrow(anchors$at))
    v <- exp(plain_log_section(f$kernel, apart, anchors$width[, 1]))
    weight <- grid$weight * grid$node^power[column]
    out <- out * if (square) v %*% (weight * t(v)) else v %*% weight
  }
  out
}

quadrature_pairs <- 5e8

# Gauss-Legendre nodes on short cells where there is anything to integrate, broken at the anchors,
# where kernels may have a kink; the weights have the density of the base measure in them. Nodes are
# steps from where their cell begins as well: among large numbers they would be rounded.
plain_grid <- function(kernel, anchors, measure, most, nodes = 10) {
  width <- anchors$width[, 1]
  if (is_point(measure, width)) {
    return(list(node = measure$mean, from = measure$mean, step = 0, weight = 1))
  }
  reach <- if (kernel == "gaussian") 10 else 40
  low <- pmax(anchors$at[, 1] - reach * width, measure$lower)
  high <- pmin(anchors$at[, 1] + reach * width, measure$upper)
  if (is.finite(measure$sd)) {
    low <- pmax(low, measure$mean - 40 * measure$sd)
    high <- pmin(high, measure$mean + 40 * measure$sd)
  }
  kept <- low < high
  cells <- united_cells(low[kept], high[kept], anchors$at[, 1], min(width, measure$sd), most)
  if (is.null(cells)) return(NULL)
  rule <- legendre_rule(nodes)
  half <- (cells$to - cells$from) / 2
  step <- as.vector(outer(half, rule$nodes + 1))
  from <- rep(cells$from, length(rule$nodes))
  node <- from + step
  weight <- as.vector(outer(half, rule$weights))
  if (is.finite(measure$sd)) weight <- weight * stats::dnorm(node, measure$mean, measure$sd)
  list(node = node, from = from, step = step, weight = weight)
}

# Is the base, beside kernels of these widths, all in one point?
is_point <- function(measure, width) {
  beyond <- 40 * measure$sd
  measure$sd < 1e-9 * min(width) && measure$lower < measure$mean - beyond &&
    measure$upper > measure$mean + beyond
}

united_cells <- function(low, high, breaks, size, most) {
  order <- order(low)
  low <- low[order]
  reach <- cummax(high[order])
  opens <- c(TRUE, low[-1] > reach[-length(reach)])
  from <- low[opens]
  to <- reach[c(which(opens)[-1] - 1, length(reach))]
  if (sum(to - from) / size > most) return(NULL)
  edges <- Map(function(from, to) {
    inside <- sort(unique(c(from, breaks[breaks > from & breaks < to], to)))
    parts <- pmax(ceiling(diff(inside) / size), 1)
    c(from, unlist(Map(function(a, b, k) a + (b - a) * seq_len(k) / k,
                       inside[-length(inside)], inside[-1], parts)))
  }, from, to)
  list(from = unlist(lapply(edges, function(e) e[-length(e)])),
       to = unlist(lapply(edges, function(e) e[-1])))
}
