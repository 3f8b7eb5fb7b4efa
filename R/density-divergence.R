# How far apart two densities are.

#' Divergences of densities
#'
#' `"L2"`: the integral of `(f - g)^2`. `"KL"`: the Kullback-Leibler divergence, the integral of
#' `f log(f / g)`, infinite where `f` has probability outside the support of `g`.
#'
#' Integrals of one variable are computed by quadrature, that of `(f - g)^2` exact up to
#' rounding. For several variables the integrals of `f^2`, `f g` and `g^2` have the closed form of
#' [psd_product()], under the conditions given there. Where these do not hold, and for the
#' Kullback-Leibler divergence of several variables, they are means over draws, with a standard
#' error. Of a density and itself both are zero.
#'
#' @param f,g Densities of the same variables: [psd_density()] or what comes from them.
#' @param type `"L2"` or `"KL"`.
#' @param draws Number of draws, where there are any.
#' @return A number, with attributes `method` (`"closed form"`, `"quadrature"` or `"draws"`) and
#'   `error`: the standard error of draws, a bound on that of adaptive quadrature, 0 otherwise.
#' @export
#' @examples
#' f <- psd_density(faithful$eruptions[1:136], sigma = 0.5, lambda = 1e-2)
#' g <- psd_density(faithful$eruptions[137:272], sigma = 0.5, lambda = 1e-2)
#' psd_divergence(f, g)
#' psd_divergence(f, g, "KL")
psd_divergence <- function(f, g, type = c("L2", "KL"), draws = 10000) {
  check_density(f)
  check_density(g)
  check_same_variables(f, g)
  type <- check_choice(type, c("L2", "KL"))
  draws <- check_count(draws, min = 2)
  if (type == "KL") {
    check_not_signed(f, rlang::current_env())
    check_not_signed(g, rlang::current_env())
  }
  parts <- c("functions", "units", "measure", "log_scale")
  if (identical(f[parts], g[parts])) return(divergence(0, "closed form"))
  if (length(f$recipe$columns) == 1) {
    return(if (type == "L2") quadrature_l2(f, g) else quadrature_kl(f, g))
  }
  closed <- if (type == "L2") closed_l2(f, g)
  if (is.null(closed)) drawn_divergence(f, g, type, draws) else divergence(closed, "closed form")
}

divergence <- function(value, method, error = 0) {
  structure(max(value, 0), method = method, error = error)
}

# Closed form -------------------------------------------------------------------------------------

# NULL where it has none. Each of the three integrals gets its share of the time, and none is
# computed after one that has no closed form.
closed_l2 <- function(f, g) {
  value <- 0
  for (part in list(list(f, f, 1), list(f, g, -2), list(g, g, 1))) {
    integral <- inner_product(part[[1]], part[[2]], time = 1 / 3)
    if (is.null(integral)) return(NULL)
    value <- value + part[[3]] * integral
  }
  value
}

# The integral of f g, in a share `time` of what a closed form may take.
inner_product <- function(f, g, time = 1) {
  factors <- closed_factors(f, g)
  if (is.null(factors)) return(NULL)
  measure <- both_measures(f$measure, measure_in_units(g$measure, g$units$x, f$units$x))
  if (any(measure$lower >= measure$upper)) return(0)
  # The densities per unit of x; a base density of g is one of its own units.
  flat <- is.infinite(g$measure$sd)
  units <- sum(log(f$units$x$scale / g$units$x$scale)[flat]) - sum(log(f$units$x$scale))
  box <- measure[c("lower", "upper", "mean", "sd")]
  integral <- paired_integral(factors$one, factors$other, box, most = time * 2e8)
  if (is.null(integral)) {
    product <- closed_product(f, g, work = time * product_work)
    if (is.null(product)) return(NULL)
    integral <- log_integral(product, box) + product$log_factor
  }
  measure$factor * exp(integral + f$log_scale + g$log_scale + units)
}

# The log of the integral of the product of two PSD functions, each a sum over pairs of its own
# sections: quick, but NULL where there are more than `most` products of two pairs, or where
# rounding would reach it.
paired_integral <- function(one, other, measure, most) {
  if (one$type != "psd") return(NULL)
  if (max(nrow(one$coefficients), nrow(other$coefficients)) > 1500) return(NULL)
  pairs <- own_pairs(one)
  others <- if (identical(one, other)) pairs else own_pairs(other)
  if (length(pairs$weight) * as.numeric(length(others$weight)) > most) return(NULL)
  found <- cpp_paired_sum(one$kernel, pairs$anchors, pairs$weight, others$anchors, others$weight,
                          measure)
  lost <- .Machine$double.eps * found$absolute / found$sum
  if (!is.finite(lost) || lost < 0 || lost > 1e-8) return(NULL)
  log(found$sum) + found$log_scale
}

# A PSD function as a sum over pairs of its sections, each once: list(anchors =, weight =), without
# those that are lost beside others.
own_pairs <- function(f) {
  form <- form_of(f)
  count <- nrow(form)
  i <- rep(seq_len(count), count)
  k <- rep(seq_len(count), each = count)
  once <- which(i <= k)
  pairs <- paired_anchors(f$anchors, f$anchors, i[once], k[once])
  kept <- which(pairs$log_weight > -40)
  twice <- ifelse(i == k, 1, 2)[once]
  list(weight = (form[once] * twice * exp(pairs$log_weight))[kept],
       anchors = lapply(pairs[c("at", "width")], function(x) x[kept, , drop = FALSE]))
}

# Quadrature and draws ----------------------------------------------------------------------------

# Edges of cells over the support and reach of these densities of one variable, in the units of the
# data.
joint_edges <- function(densities) {
  edges <- unlist(lapply(densities, function(fit) {
    unstandardized(matrix(cells_of(fit$functions[[1]], fit$measure)), fit$units$x)[, 1]
  }))
  sort(unique(edges[is.finite(edges)]))
}

quadrature_l2 <- function(f, g) {
  edges <- joint_edges(list(f, g))
  unit <- diff(range(edges))  # in which densities are of a size that has a square
  square <- function(x) {
    (unit * density_at(f, matrix(x)) - unit * density_at(g, matrix(x)))^2
  }
  value <- sum(cell_integral(square, edges[-length(edges)], edges[-1]))
  divergence(value / unit / unit, "quadrature")
}

# Adaptive, as the logarithm of a density that comes close to zero has a narrow peak.
quadrature_kl <- function(f, g) {
  edges <- joint_edges(list(f))
  log_at <- function(fit, x) log_density_of(fit, standardized(matrix(x), fit$units$x))
  middle <- (edges[-1] + edges[-length(edges)]) / 2
  inside <- exp(log_at(f, middle)) > 0
  if (any(log_at(g, middle[inside]) == -Inf)) return(divergence(Inf, "quadrature"))
  integrand <- function(x) {
    one <- log_at(f, x)
    ifelse(exp(one) > 0, exp(one) * (one - pmax(log_at(g, x), -1e6)), 0)
  }
  found <- adaptive_integral(integrand, edges[which(inside)], edges[which(inside) + 1])
  divergence(found$value, "quadrature", found$error)
}

# list(value =, error =): the integral over all cells at once. Those whose halves disagree with the
# whole by more than their share of `tol` are halved once more, the worst first: up to twenty times,
# and not more than `most` of them, as rounding is not halved away.
adaptive_integral <- function(integrand, from, to, tol = 1e-10, most = 2000) {
  whole <- cell_integral(integrand, from, to)
  value <- error <- 0
  for (level in 1:20) {
    middle <- (from + to) / 2
    halves <- cbind(cell_integral(integrand, from, middle), cell_integral(integrand, middle, to))
    off <- abs(rowSums(halves) - whole)
    size <- abs(value) + sum(abs(whole))
    rough <- off > tol * pmax(size / length(whole), abs(whole)) & rank(-off) <= most & level < 20
    value <- value + sum(halves[!rough, ])
    error <- error + sum(off[!rough])
    if (!any(rough)) break
    whole <- as.vector(halves[rough, ])
    from <- c(from[rough], middle[rough])
    to <- c(middle[rough], to[rough])
  }
  list(value = value, error = error)
}

# Of f - g at draws from f less that at draws from g, or of log f - log g at draws from f.
drawn_divergence <- function(f, g, type, draws, call = rlang::caller_env()) {
  points <- function(fit) as.matrix(density_draws(fit, draws, call))
  if (type == "L2") {
    difference <- function(x) density_at(f, x) - density_at(g, x)
    at_f <- difference(points(f))
    at_g <- difference(points(g))
    return(divergence(mean(at_f) - mean(at_g), "draws",
                      sqrt((stats::var(at_f) + stats::var(at_g)) / draws)))
  }
  log_at <- function(fit, x) log_density_of(fit, standardized(x, fit$units$x))
  x <- points(f)
  ratio <- log_at(f, x) - log_at(g, x)
  divergence(mean(ratio), "draws", stats::sd(ratio) / sqrt(draws))
}
