# The product of two densities, normalised: of functions |R' v|^2 and |S' w|^2 it is
# |(R x S)' (v x w)|^2, and for Gaussian kernels a product of two sections is a section again.

#' Product of two densities
#'
#' The density proportional to `f(x) g(x)`: what two independent sources say together, such as a
#' prior and a likelihood. With Gaussian kernels the product of two PSD models is a PSD model, in
#' closed form, and so is its integral.
#'
#' For several variables the product has a section for each pair of sections of the two, and is
#' written with fewer, chosen as the landmarks of a fit are, to an accuracy of about 1e-6 of its
#' highest value or better. Both densities must then have Gaussian kernels of one width that are not
#' turned (`shape`), and no `transform`. For one variable any two densities have a product: it is
#' kept as such, and its integrals are computed by quadrature, exact up to rounding.
#'
#' @param f,g Densities of the same variables: fits by [psd_density()] or what comes from them, not
#'   of model `"pnm"`, whose densities have negative parts.
#' @return A `psd_density`. Its certificate (status, gap) is that of `f`.
#' @export
#' @examples
#' f <- psd_density(faithful$eruptions[1:136], sigma = 0.5, lambda = 1e-2)
#' g <- psd_density(faithful$eruptions[137:272], sigma = 0.5, lambda = 1e-2)
#' both <- psd_product(f, g)
#' plot(both)
psd_product <- function(f, g) {
  check_density(f)
  check_density(g)
  check_same_variables(f, g)
  check_not_signed(f, rlang::current_env())
  check_not_signed(g, rlang::current_env())
  one <- length(f$recipe$columns) == 1
  product <- if (one) new_product(f, g) else closed_product(f, g)
  if (is.null(product)) abort_no_product(f, g)
  f$model <- if (product$type == "linear") f$model else "psd"
  f$measure <- product_measure(f, g, base = !one)
  f$range <- rbind(pmin(f$range[1, ], g$range[1, ]), pmax(f$range[2, ], g$range[2, ]))
  colnames(f$range) <- f$recipe$columns
  derived_density(f, seq_along(f$recipe$columns), product, match.call(), list(type = "product"))
}

abort_no_product <- function(f, g, call = rlang::caller_env()) {
  abort(c("The product of these densities of several variables has no closed form of a size that can
           be computed with.",
          i = "It needs Gaussian kernels of one width each, no {.arg transform}, and a {.arg shape}
               that is not {.val full}; fewer landmarks ({.code psd_control(max_rank = )}) make it
               smaller."),
        class = "psd_no_closed_form", call = call)
}

check_same_variables <- function(f, g, call = rlang::caller_env()) {
  one <- f$recipe$columns
  other <- g$recipe$columns
  same <- length(one) == length(other) && (length(one) == 1 || identical(one, other))
  if (!same) {
    abort("{.arg f} and {.arg g} must be densities of the same variables, not of {.val {one}} and of
           {.val {other}}.", call = call)
  }
}

# g's anchors or measure in the units of f.
anchors_in_units <- function(anchors, from, to) {
  list(at = change_units(anchors$at, from, to),
       width = sweep(anchors$width, 2, from$scale / to$scale, "*"))
}

change_units <- function(t, from, to) {
  sweep(sweep(sweep(t, 2, from$scale, "*"), 2, from$center - to$center, "+"), 2, to$scale, "/")
}

# The product of the functions of two densities in f's units, divided by exp(log_factor); NULL where
# it has no closed form, or none that can be computed with. Of two mixtures it is a mixture.
closed_product <- function(f, g, work = product_work) {
  factors <- closed_factors(f, g)
  if (is.null(factors)) return(NULL)
  one <- factors$one
  other <- factors$other
  if (length(one$coefficients) * as.numeric(length(other$coefficients)) > 3e7) return(NULL)
  if (one$type == "linear") crossed(one, other) else thinned(one, other, work)
}

# list(one =, other =): the two in f's units, both of the same type.
closed_factors <- function(f, g) {
  one <- f$functions[[1]]
  other <- g$functions[[1]]
  transformed <- !is.null(f$units$x$transforms) || !is.null(g$units$x$transforms)
  normal <- kernel_traits(one$kernel)$normal && kernel_traits(other$kernel)$normal
  turned <- is_turned(f) || is_turned(g)
  if (transformed || turned || !normal || one$type == "exp" || other$type == "exp") return(NULL)
  mixture <- one$type == "linear" && other$type == "linear"
  if (!mixture && (model_of(f)$signed || model_of(g)$signed)) return(NULL)
  if (!mixture) {
    one <- squared_form(one)
    other <- squared_form(other)
  }
  other$anchors <- anchors_in_units(other$anchors, g$units$x, f$units$x)
  list(one = one, other = other)
}

# Of two mixtures: one with a section for each pair.
crossed <- function(one, other) {
  pairs <- kept_pairs(one, other)
  coefficients <- one$coefficients[pairs$i, 1] * other$coefficients[pairs$k, 1] * pairs$weight
  out <- new_function("linear", one$kernel, pairs$anchors, matrix(coefficients))
  out$log_factor <- pairs$largest
  out
}

# Products of a section of the one, `i`, and one of the other, `k`, that are not lost beside others:
# exp(largest) weight times the section at an anchor.
kept_pairs <- function(one, other) {
  i <- rep(seq_len(nrow(one$coefficients)), nrow(other$coefficients))
  k <- rep(seq_len(nrow(other$coefficients)), each = nrow(one$coefficients))
  pairs <- paired_anchors(one$anchors, other$anchors, i, k)
  largest <- max(pairs$log_weight)
  kept <- which(pairs$log_weight > largest - 40)
  list(i = i[kept], k = k[kept], largest = largest, weight = exp(pairs$log_weight[kept] - largest),
       anchors = lapply(pairs[c("at", "width")], function(x) x[kept, , drop = FALSE]))
}

# The products of Gaussian sections: exp(log_weight) times the section at `at` of `width`.
paired_anchors <- function(one, other, i, k) {
  first <- one$width[i, , drop = FALSE]^-2
  second <- other$width[k, , drop = FALSE]^-2
  x <- one$at[i, , drop = FALSE]
  y <- other$at[k, , drop = FALSE]
  total <- first + second
  share <- ifelse(total > 0, first / total, 0.5)
  list(at = share * x + (1 - share) * y, width = total^-0.5,
       log_weight = -rowSums(share * second * (x - y)^2) / 2)
}

# Pairs times the square of features: about ten seconds.
product_work <- 3.5e10

# Of two PSD functions: with fewer sections than pairs, NULL where they have different widths. The
# features of sections of one width at their centres span them up to a tolerance. Their coefficients
# are of moderate size, while those of the pairs, of both signs, are so large that integrals, linear
# in products of two of them, would lose their digits. The time goes with the number of pairs times
# the square of that of features: what would take more than `work` of it is NULL too, which some of
# the pairs tell soon.
thinned <- function(one, other, work = product_work) {
  pairs <- kept_pairs(one, other)
  width <- pairs$anchors$width[1, ]
  if (any(abs(t(pairs$anchors$width) / width - 1) > 1e-9) || any(is.infinite(width))) return(NULL)
  most <- min(2000, floor(sqrt(work / length(pairs$i))))
  recipe <- recipe(length(width), width, one$kernel, 0, 1e-13, most, nodes = 0)
  spanning <- function(at) {
    features <- make_features(at, list(psd = recipe), list())$features[[1]]
    if (max(1 - colSums(features$values^2)) <= 1e-10) features
  }
  some <- unique(round(seq(1, length(pairs$i), length.out = 3 * most)))
  if (is.null(spanning(pairs$anchors$at[some, , drop = FALSE]))) return(NULL)
  features <- spanning(pairs$anchors$at)
  if (is.null(features)) return(NULL)
  out <- fitted_function(list(type = "psd", features = features),
                         paired_coefficients(features$values, pairs, one, other))
  out$log_factor <- 2 * pairs$largest
  out
}

# sum_ik weight_ik values_ik (R_i x S_k), R and S the coefficients of the two: over i first, which
# takes less time by the number of columns of S.
paired_coefficients <- function(values, pairs, one, other) {
  first <- one$coefficients[pairs$i, , drop = FALSE] * pairs$weight
  of_section <- split(seq_along(pairs$k), factor(pairs$k, seq_len(nrow(other$coefficients))))
  inner <- vapply(of_section, function(own) {
    as.vector(values[, own, drop = FALSE] %*% first[own, , drop = FALSE])
  }, numeric(nrow(values) * ncol(first)))
  matrix(inner %*% other$coefficients, nrow(values))
}

# The measure of the product in f's units: the box of both and, if `base`, the product of the bases.
product_measure <- function(f, g, base, call = rlang::caller_env()) {
  out <- f$measure
  if (base) {
    out <- both_measures(out, measure_in_units(g$measure, g$units$x, f$units$x))
    out <- out[c("lower", "upper", "mean", "sd")]
  } else {
    support <- support_of(g)
    ends <- scaled(rbind(support$lower, support$upper), f$units$x)
    out$lower <- pmax(out$lower, ends[1, ])
    out$upper <- pmin(out$upper, ends[2, ])
  }
  if (any(out$lower >= out$upper)) {
    abort("The supports of {.arg f} and {.arg g} must overlap.", call = call)
  }
  out
}

measure_in_units <- function(measure, from, to) {
  moved <- change_units(rbind(measure$lower, measure$upper, measure$mean), from, to)
  list(lower = moved[1, ], upper = moved[2, ], mean = moved[3, ],
       sd = measure$sd * from$scale / to$scale)
}

# The product of two base measures is a base measure times a `factor`.
both_measures <- function(one, other) {
  precision <- one$sd^-2 + other$sd^-2
  pull <- function(m) ifelse(is.finite(m$sd), m$mean / m$sd^2, 0)
  both <- is.finite(one$sd) & is.finite(other$sd)
  list(lower = pmax(one$lower, other$lower), upper = pmin(one$upper, other$upper),
       mean = ifelse(precision > 0, (pull(one) + pull(other)) / precision, 0),
       sd = precision^-0.5,
       factor = prod(stats::dnorm(one$mean, other$mean, sqrt(one$sd^2 + other$sd^2))[both]))
}
