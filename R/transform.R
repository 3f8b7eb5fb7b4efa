# Transformations of single variables: a density is fitted to u = T(x) and given back in the units
# of x, p(x) = p_u(T(x)) T'(x). Boxes stay boxes, so that probabilities, marginals, conditionals and
# draws are as exact as without.

# A transformation of a fit is list(name =, parameters =): plain, as all of a fit. The table has one
# entry per name.
# * `parameters(x, weights, lower, upper)`: a named vector, from the values and bounds of a
#   variable.
# * `forward(x, p)`, `inverse(u, p)`: T, increasing, and its inverse.
# * `log_slope(u, p)`: log T'(x) at u = T(x), and `bend(u, p)`, its derivative in u.
# * `growth`: by how much the log of |x| grows per unit of u, far out.
# * `price`, of those that are tried by themselves: by how much more likely rows left out must be
#   than without, in the sum of log densities, as the scales of a fit are found with all rows.
transform_table <- list(
  none = list(
    parameters = function(x, weights, lower, upper) numeric(),
    forward = function(x, p) x,
    inverse = function(u, p) u,
    log_slope = function(u, p) 0 * u,
    bend = function(u, p) 0 * u,
    growth = 0,
    price = 0
  ),
  # For heavy tails and skewed values: linear in the middle, logarithmic far out.
  asinh = list(
    parameters = function(x, weights, lower, upper) johnson_parameters(x, weights),
    forward = function(x, p) asinh((x - p[["center"]]) / p[["scale"]]),
    inverse = function(u, p) p[["center"]] + p[["scale"]] * sinh(u),
    log_slope = function(u, p) log(2 / p[["scale"]]) - abs(u) - log1p(exp(-2 * abs(u))),
    bend = function(u, p) -tanh(u),
    growth = 1,
    price = johnson_price
  ),
  log = list(
    parameters = function(x, weights, lower, upper) c(lower = lower),
    forward = function(x, p) log(pmax(x - p[["lower"]], 0)),
    inverse = function(u, p) p[["lower"]] + exp(u),
    log_slope = function(u, p) -u,
    bend = function(u, p) -1 + 0 * u,
    growth = 1,
    price = 2
  ),
  # For half lines: logarithmic near the bound, linear far out.
  softplus = list(
    parameters = function(x, weights, lower, upper) {
      c(lower = lower, unit = weighted_mean(x, weights) - lower)
    },
    forward = function(x, p) {
      z <- pmax((x - p[["lower"]]) / p[["unit"]], 0)
      z + log(-expm1(-z))
    },
    inverse = function(u, p) p[["lower"]] + p[["unit"]] * (pmax(u, 0) + log1p(exp(-abs(u)))),
    log_slope = function(u, p) -log(p[["unit"]]) - stats::plogis(u, log.p = TRUE),
    bend = function(u, p) -stats::plogis(-u),
    growth = 0
  ),
  logit = list(
    parameters = function(x, weights, lower, upper) c(lower = lower, width = upper - lower),
    forward = function(x, p) {
      stats::qlogis(pmin(pmax((x - p[["lower"]]) / p[["width"]], 0), 1))
    },
    inverse = function(u, p) p[["lower"]] + p[["width"]] * stats::plogis(u),
    log_slope = function(u, p) {
      -log(p[["width"]]) - stats::plogis(u, log.p = TRUE) - stats::plogis(-u, log.p = TRUE)
    },
    bend = function(u, p) 2 * stats::plogis(u) - 1,
    growth = 0
  ),
  probit = probit_transform
)

# What a transformation of a fit gives: "forward", "inverse", "log_slope" or "bend".
apply_transform <- function(transform, what, x) {
  transform_table[[transform$name]][[what]](x, transform$parameters)
}

# Those that may suit a variable: values at a bound, or hardly told apart from there, leave only
# "none"; and so do values that are no more normal on another scale.
suitable_transforms <- function(x, weights, lower, upper) {
  bounded <- is.finite(c(lower, upper))
  if (any(x == lower | x == upper) || is_lost(x, lower)) return("none")
  if (all(bounded)) return(c("none", "probit"))
  if (bounded[1]) return(c("none", "probit", "log"))
  if (bounded[2]) return("none")
  c("none", if (johnson_gain(x, weights) > johnson_least) "asinh")
}

# Do the values differ in their last digits only, seen from a bound that they are measured from?
is_lost <- function(x, lower) {
  spread <- robust_scale(x, rep(1, length(x)))
  is.finite(lower) && spread > 0 && is_constant(spread, lower)
}

check_not_lost <- function(x, lower, call) {
  for (column in which(is.finite(lower))) {
    if (is_lost(x[, column], lower[column])) {
      abort(c("{.arg lower} must be nearer to {.field {colnames(x)[column]}} than
               {.val {lower[column]}} to be transformed: seen from there it varies in its last
               digits only.", i = "Use {.code transform = \"none\"}."), call = call)
    }
  }
}

# One transformation per column, from names; NULL if there are none.
make_transforms <- function(names, x, weights, measure) {
  if (all(names == "none")) return(NULL)
  lapply(seq_along(names), function(column) {
    find <- transform_table[[names[column]]]$parameters
    list(name = names[column], parameters = find(x[, column], weights, measure$lower[column],
                                                 measure$upper[column]))
  })
}

check_transform <- function(transform, x, measure, call = rlang::caller_env()) {
  if (identical(transform, "auto")) return(transform)
  known <- names(transform_table)
  if (!is.character(transform) || !all(transform %in% known) ||
        !length(transform) %in% c(1, ncol(x))) {
    abort("{.arg transform} must be {.val auto}, or among {.or {.val {known}}}, one for all columns
           or one per column.", call = call)
  }
  transform <- rep_len(transform, ncol(x))
  if (any(is.finite(measure$sd) & transform != "none")) {
    abort("{.arg transform} must be {.val none} with {.fn psd_gaussian} as {.arg base}, not
           {.val {setdiff(transform, \"none\")[1]}}: the base is in the units of the data.",
          call = call)
  }
  for (column in seq_len(ncol(x))) {
    lower <- measure$lower[column]
    upper <- measure$upper[column]
    at_bound <- any(x[, column] == lower | x[, column] == upper)
    suits <- switch(transform[column], log = , softplus = is.finite(lower) && is.infinite(upper),
                    logit = is.finite(lower) && is.finite(upper), probit = is.finite(lower),
                    asinh = is.infinite(lower) && is.infinite(upper), none = TRUE)
    if (!suits || at_bound && transform[column] != "none") {
      abort(c("{.arg transform} = {.val {transform[column]}} does not suit {.field
               {colnames(x)[column]}}.",
              i = "{.val log} and {.val softplus} are for values above a bound {.arg lower},
                   {.val logit} for values between {.arg lower} and {.arg upper}, {.val probit} for
                   either, {.val asinh} for values without bounds."), call = call)
    }
  }
  check_not_lost(x, ifelse(transform == "none", -Inf, measure$lower), call)
  transform
}
