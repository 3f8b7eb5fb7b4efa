# Draws in many dimensions by rejection. A column r of R, f = |R' v|^2, is the difference of its
# positive and its negative part, and (r'v)^2 <= (r+'v)^2 + (r-'v)^2 as v >= 0. The right side is a
# mixture of products of two sections with non-negative weights: to draw from it and keep a point
# with probability f over that bound is exact, and costs an evaluation a point whatever the
# dimension. The share kept is small where the columns of R cancel, as they do for kernels wider
# than what they fit; then coordinates are drawn one after another instead.

# The function f, its bound, the weights of the pairs of sections in that, and the share kept; NULL
# where there is no such mixture or too little of it would be kept.
rejection_bound <- function(f, measure) {
  if (!kernel_traits(f$kernel)$normal || ncol(f$anchors$at) == 1) return(NULL)
  bound <- f
  bound$coefficients <- cbind(pmax(f$coefficients, 0), pmax(-f$coefficients, 0))
  products <- section_integrals(f, measure)$value
  weights <- form_of(bound) * products
  share <- sum(form_of(f) * products) / sum(weights)
  if (share >= least_share(f)) list(f = f, bound = bound, weights = weights, share = share)
}

# An evaluation takes the sections at r anchors; each further coordinate that is drawn takes r times
# as much, for a matrix of up to r columns.
least_share <- function(f) 2 / prod(dim(f$anchors$at) - c(0, 1))

draw_by_rejection <- function(by, measure, n) {
  found <- matrix(0, 0, length(measure$lower))
  while (nrow(found) < n) {
    tried <- min(1e5, ceiling(1.1 * (n - nrow(found)) / by$share) + 10)
    x <- draw_products(by$f$anchors, measure, by$weights, tried)
    values <- all_values(list(by$f, by$bound), x)
    found <- rbind(found, x[stats::runif(tried) * values[, 2] < values[, 1], , drop = FALSE])
  }
  found[seq_len(n), , drop = FALSE]
}

# From the mixture with these weights of the products of two sections and the base density: normal
# in each coordinate, inside the box.
draw_products <- function(anchors, measure, weights, n) {
  pair <- sample.int(length(weights), n, replace = TRUE, prob = weights) - 1
  one <- pair %% nrow(weights) + 1
  other <- pair %/% nrow(weights) + 1
  vapply(seq_along(measure$lower), function(column) {
    at <- anchors$at[, column]
    precision <- anchors$width[, column]^-2
    base <- measure$sd[column]^-2
    sum <- precision[one] + precision[other] + base
    centre <- precision[one] * at[one] + precision[other] * at[other]
    if (base > 0) centre <- centre + base * measure$mean[column]
    truncated_normal(ifelse(sum > 0, centre / sum, 0), sqrt(1 / sum), measure$lower[column],
                     measure$upper[column])
  }, numeric(n))
}

# By inversion, in the lower tail, where probabilities keep their digits; uniform where the density
# hardly changes over the interval, as that of a constant.
truncated_normal <- function(mean, sd, lower, upper) {
  length <- (upper - lower) / sd
  distance <- abs(upper / 2 + lower / 2 - mean) / sd
  flat <- is.finite(upper - lower) & length * (distance + length) < 1e-10
  if (any(flat)) {
    out <- lower + (upper - lower) * stats::runif(length(mean))
    if (!all(flat)) out[!flat] <- truncated_normal(mean[!flat], sd[!flat], lower, upper)
    return(out)
  }
  mirror <- ifelse(lower > mean, -1, 1)
  ends <- cbind(mirror * lower, mirror * upper)
  below <- stats::pnorm(pmin(ends[, 1], ends[, 2]), mirror * mean, sd)
  above <- stats::pnorm(pmax(ends[, 1], ends[, 2]), mirror * mean, sd)
  x <- stats::qnorm(below + stats::runif(length(mean)) * (above - below), mirror * mean, sd)
  pmin(pmax(mirror * x, lower), upper)
}
