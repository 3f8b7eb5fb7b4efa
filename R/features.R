# Features of the data: what the solvers see of them. The kernel is a sum over scales, each with a
# width and a weight; phi(x) = L^{-1} (sections of the sum at landmarks), L L' = K on the landmarks,
# and besides a few sections of fixed size that are hardly penalised, such as the constant.

# What cpp_prepare() takes for a part of a problem, at the width sigma.
feature_recipe <- function(problem, part, x, weights, sigma, control) {
  model <- problem$model
  rank_tol <- control$rank_tol %||% default_rank_tol(part$widths)
  if (!is.null(problem$measure)) rank_tol <- model$integral_tol(rank_tol)
  normal <- part$parametric && part$null %in% c("normal", "round")
  linear <- part$parametric && part$null == "linear"
  recipe(ncol(x), sigma, problem$kernel, part$constant, rank_tol, most_landmarks(control, nrow(x)),
         most_with_nodes(problem, part, control), part$widths,
         if (normal) normal_part(problem, part, x, weights), if (linear) free_constant else 0)
}

# With more features than this the core looks for a root of few columns (kSmall and kSmallestRooted
# in src/second_order.cpp).
most_without_root <- function(control) if (isFALSE(control$certified)) 20 else 64

# Up to how many features nodes are of use to the solver: any number, none, or so few that it does
# not look for a root of the matrix, which goes without.
most_with_nodes <- function(problem, part, control) {
  if (part$free || problem$model$form != "psd" || !is.null(problem$halfspaces) ||
        control$solver != "newton" || by_principal_features(problem, control)) return(0)
  rooted <- problem$likelihood && length(problem$constraints) == 0 && !isTRUE(control$leverages)
  if (rooted) most_without_root(control) else Inf
}

# The normal density of some rows, or their mixture of normals; where these have no variance as the
# few of a fold may, that of all rows.
normal_part <- function(problem, part, x, weights) {
  if (any(is_flat(x))) {
    x <- problem$x
    weights <- problem$weights
  }
  round <- part$null == "round"
  if (!is.null(part$normals)) return(normal_sections(part$normals, x, weights, round))
  normal_section(x, weights, problem$measure, round)
}

# Which columns have no variance?
is_flat <- function(x) apply(x, 2, stats::var) %in% c(0, NA)

recipe <- function(d, sigma, kernel, constant, rank_tol, max_rank, nodes, widths = one_width,
                   normal = NULL, slope = 0) {
  flat <- if (constant > 0) list(at = matrix(0, 1, d), width = matrix(Inf, 1, d), size = constant)
  list(kernel = kernel, width = outer(widths$width, rep_len(as.numeric(sigma), d)),
       weight = widths$weight, extra = normal %||% flat, slope = slope, rank_tol = rank_tol,
       max_rank = max_rank, nodes = nodes)
}

# How much less than the kernel's features the normal section is penalised: the square of its size.
normal_size <- 4

# The section whose square, times the density of the base measure, is the normal density with the
# moments of the data; the constant in coordinates where the base is narrower than that.
#
# On an interval it is the uniform density. On a half line the exponential one, a section whose
# centre is far outside: exp(-(x + M)^2 / (2 s^2)) is a constant times exp(-x M / s^2) for x far
# below M.
normal_section <- function(x, weights, measure, round = FALSE) {
  center <- apply(x, 2, stats::weighted.mean, weights)
  below <- is.finite(measure$lower)
  above <- is.finite(measure$upper)
  half <- xor(below, above)
  bound <- ifelse(below, measure$lower, measure$upper)
  variance <- colMeans(weights / mean(weights) * sweep(x, 2, center)^2)
  if (round) variance[] <- mean(variance)
  precision <- 1 / variance - measure$sd^-2
  inside <- precision > 0
  pull <- ifelse(is.finite(measure$sd), measure$mean / measure$sd^2, 0)
  at <- ifelse(inside, (center / variance - pull) / precision, 0)
  width <- ifelse(inside, sqrt(2 / abs(precision)), Inf)
  width[below & above] <- Inf
  far <- 30 * (center - bound)
  at[half] <- (bound - far)[half]
  width[half] <- sqrt(2 * 30 * (center - bound)^2)[half]
  list(at = matrix(at, 1), width = matrix(width, 1), size = normal_size * exp(7.5 * sum(half)))
}

# list(features =, integrals =). Features are anchors, landmarks, factor L and values V (one column
# a row of x), nodes of PSD blocks if asked for, and what made them.
make_features <- function(x, recipes, requests) {
  out <- cpp_prepare(x, unname(recipes), unname(requests))
  out$features <- Map(function(features, recipe) {
    c(features, recipe[c("kernel", "rank_tol")], list(x = x))
  }, out$features, recipes)
  names(out$features) <- names(recipes)
  out
}
