# Integrals of fitted functions against a measure (see make_measure()), in closed form. With v the
# sections at the anchors a PSD function is <B, v v'>, B = R R', and a linear one <w, v>: both are
# linear in the integrals of v v' or v. An exponential has none of these.
#
# Large and small factors are kept as logs: `log_scale` multiplies the function by its exponential.

# B or w.
form_of <- function(f) UseMethod("form_of")

form_of.function_psd <- function(f) {
  weighted_square(f$coefficients, rep(1, ncol(f$coefficients)))
}

form_of.function_linear <- function(f) f$coefficients

form_of.function_exp <- function(f) abort_no_closed_form(NULL)

# The integral of v v' or v over some coordinates, as exp(log_scale) value.
section_integrals <- function(f, measure, columns = seq_along(measure$lower), power = 0) {
  stopifnot("a function with slopes has no integrals" = is.null(f$slopes))
  integrate <- if (f$type == "psd") cpp_gram else cpp_mean_section
  integrate(f$kernel, take_anchors(f$anchors, columns), take_measure(measure, columns),
            rep_len(as.integer(power), length(columns)))
}

# m diag(weights) m', by the core, which is several times faster than R where `m` is large.
weighted_square <- function(m, weights) {
  lower <- cpp_lower_square(m, weights)
  out <- lower + t(lower)
  diag(out) <- diag(lower)
  out
}

# log int f dmeasure; NaN if that is negative, or no number.
log_integral <- function(f, measure) UseMethod("log_integral")

log_integral.default <- function(f, measure) {
  integral <- section_integrals(f, measure)
  mass <- sum(form_of(f) * integral$value)
  if (isTRUE(mass >= 0)) log(mass) + integral$log_scale else NaN
}

# About how much of an integral is lost to rounding, relative to it: of kernels much wider than what
# they fit large parts cancel.
integral_rounding <- function(f, measure) {
  parts <- form_of(f) * section_integrals(f, measure)$value
  .Machine$double.eps * sum(abs(parts)) / abs(sum(parts))
}

# The integrals over boxes (rows of `lower` and `upper`).
box_integrals <- function(f, measure, lower, upper, log_scale) UseMethod("box_integrals")

box_integrals.default <- function(f, measure, lower, upper, log_scale) {
  form <- form_of(f)
  vapply(seq_len(nrow(lower)), function(i) {
    measure$lower <- pmax(measure$lower, lower[i, ])
    measure$upper <- pmin(measure$upper, upper[i, ])
    if (any(measure$lower >= measure$upper)) return(0)
    integral <- section_integrals(f, measure)
    sum(form * integral$value) * exp(integral$log_scale + log_scale)
  }, 0)
}

# Mean and matrix of second moments of exp(log_scale) f dmeasure.
moments_of <- function(f, measure, log_scale) UseMethod("moments_of")

# The sections' product is a product measure for each (pair of) anchors: its moments are products
# over coordinates.
moments_of.default <- function(f, measure, log_scale) {
  d <- length(measure$lower)
  integral <- section_integrals(f, measure)
  weight <- form_of(f) * integral$value * exp(integral$log_scale + log_scale)
  moments <- lapply(seq_len(d), function(column) {
    mass <- section_integrals(f, measure, column)
    lapply(1:2, function(power) {
      moment <- section_integrals(f, measure, column, power)
      ratio <- moment$value / mass$value * exp(moment$log_scale - mass$log_scale)
      # A mass may be too small for a number in one coordinate and not in all.
      ifelse(weight == 0 | mass$value == 0, 0, ratio)
    })
  })
  second <- matrix(nrow = d, ncol = d)
  for (i in seq_len(d)) {
    for (j in seq_len(i)) {
      both <- if (i == j) moments[[i]][[2]] else moments[[i]][[1]] * moments[[j]][[1]]
      second[i, j] <- second[j, i] <- sum(weight * both)
    }
  }
  list(mean = vapply(moments, function(m) sum(weight * m[[1]]), 0), second = second)
}

# The function of the columns `kept` that is left when the others are integrated out, up to a
# factor: B o M for a PSD function, M the sections' integrals.
integrate_out <- function(f, measure, kept) {
  rest <- setdiff(seq_along(measure$lower), kept)
  if (length(rest) > 0) {
    form <- form_of(f) * section_integrals(f, measure, rest)$value
    f$coefficients <- if (f$type == "psd") psd_root(form, summands(f$coefficients)) else form
  }
  f$anchors <- take_anchors(f$anchors, kept)
  f
}

# The same when they are fixed, `at` one row: the sections there scale the rows of R or w.
fix_columns <- function(f, columns, at) {
  log_weight <- cpp_log_sections(f$kernel, take_anchors(f$anchors, columns), at)[, 1]
  f$coefficients <- f$coefficients * exp(log_weight - max(log_weight))
  f$anchors <- take_anchors(f$anchors, -columns)
  f
}

# R with R R' = x, for x positive semidefinite up to rounding; zero outside of the diagonal blocks
# that `rows` are the numbers of, each of which keeps its own digits.
psd_root <- function(x, rows = list(seq_len(nrow(x)))) {
  do.call(cbind, lapply(rows, function(own) {
    block <- x[own, own, drop = FALSE]
    # By pivots, which cost a tenth of eigenvectors.
    factor <- suppressWarnings(chol((block + t(block)) / 2, pivot = TRUE,
                                    tol = 1e-15 * max(diag(block), 0)))
    kept <- seq_len(attr(factor, "rank"))
    root <- matrix(0, nrow(x), length(kept))
    root[own[attr(factor, "pivot")], ] <- t(factor[kept, , drop = FALSE])
    root
  }))
}

abort_no_closed_form <- function(call) {
  abort(c("Marginals and conditionals of an exponential ({.code model = \"glm\"}) have no closed
           form.",
          i = "Use {.code model = \"psd\"}, whose marginals and conditionals are exact."),
        class = "psd_no_closed_form", call = call)
}
