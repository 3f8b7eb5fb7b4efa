# The shape of the kernel in a regression of several predictors: one relative width per column, wide
# where the response hardly changes. They are the widths of a plain regression by a Gaussian process
# that make the response most likely (R/relevance-likelihood.R): a small problem of its own, solved
# before anything is tuned, so that `sigma` stays one number, which multiplies them.

# "round", "axes", "auto" (whichever of both suits), or the relative widths that the user gave, one
# per column.
check_relevance <- function(shape, sigma, settings, columns, call = rlang::caller_env()) {
  if (is.numeric(shape)) {
    check_numbers(shape, above = 0, arg = "shape", call = call)
    return(unname(per_column(shape, columns, rest = 1, finite = TRUE, call = call)))
  }
  shape <- check_choice(shape, c("auto", "round", "axes"), call = call)
  if (length(columns) == 1) return("round")
  if (shape != "auto") return(shape)
  searched <- is.null(sigma) || identical(sigma, "search")
  if (settings$standardize && searched) "auto" else "round"
}

# list(units =, shape =): the units of the predictors with the columns stretched, and what that was
# in the end. `spread`: does what is fitted tell how far the response spreads, and not only where it
# is?
relevant_units <- function(scaling, molded, shape, spread, call = rlang::caller_env()) {
  widths <- shape
  if (!is.numeric(shape)) {
    widths <- if (shape != "round") {
      relative_widths(scaled(molded$x, scaling), molded$y, molded$weights, molded$groups, spread,
                      price = if (shape == "auto") width_price else 0)
    }
    shape <- if (is.null(widths)) "round" else "axes"
  }
  scaling$scale <- scaling$scale * (widths %||% 1)
  if (!all(is.finite(scaling$scale) & scaling$scale < 1 / smallest_scale)) {
    abort(c("{.arg shape} must be {.val round} where predictors as they are have sizes so
             different: widths relative to that of the smallest are no numbers.",
            i = "Use {.code standardize = TRUE}."), call = call)
  }
  list(units = scaling, shape = shape)
}

# One number per column; the mean of 1 / widths^2 is one, so that rows are as far apart as without.
# NULL if there is too little to tell, or if widths of their own do not make the responses more
# likely than a common one by a `price` for each.
relative_widths <- function(x, y, weights, groups, spread, price = 0) {
  pilot <- pilot_sample(x, as.matrix(y), weights, groups)
  if (nrow(pilot$x) < least_pilot || length(pilot$targets) == 0) return(NULL)
  found <- likely_relevance(pilot)
  if (spread) {
    pilot$targets <- c(pilot$targets, list(log_spread(found, pilot)))
    found <- likely_relevance(pilot)
  }
  if (price > 0) {
    common <- likely_relevance(utils::modifyList(pilot, list(groups = rep(1, ncol(x)))))
    if (common$value - found$value <= price * (max(pilot$groups) - 1)) return(NULL)
  }
  relevance <- pmax(found$relevance, max(found$relevance) / widest_ratio^2)
  out <- pilot$scale * sqrt(mean(relevance) / relevance)
  out / min(out) * sqrt(mean((min(out) / out)^2))
}

# In the log likelihood, for each free number.
width_price <- 1.5

# Fewer rows tell nothing of several columns.
least_pilot <- 10

# No column is so much wider than the narrowest one that it could not matter at all.
widest_ratio <- 10

# A few hundred rows at even distances, standardised; the responses without their outliers.
# Columns of one group, such as those of a factor, have one width.
pilot_sample <- function(x, y, weights, groups, most = 200) {
  rows <- if (nrow(x) > most) round(seq(1, nrow(x), length.out = most)) else seq_len(nrow(x))
  weights <- weights[rows] / mean(weights[rows])
  x <- x[rows, , drop = FALSE]
  scale <- apply(x, 2, robust_scale, weights)
  scale[!(scale > 0)] <- 1
  x <- sweep(sweep(x, 2, apply(x, 2, weighted_mean, weights)), 2, scale, "/")
  targets <- lapply(seq_len(ncol(y)), function(j) without_outliers(y[rows, j], weights))
  list(x = pmin(pmax(x, -100), 100), weights = weights, groups = groups %||% seq_len(ncol(x)),
       scale = scale, targets = Filter(Negate(is.null), targets))
}

# Centred and scaled, nothing farther out than three; NULL if nothing varies.
without_outliers <- function(y, weights) {
  y <- y - weighted_quantile(y, 0.5, weights)
  scale <- robust_scale(y, weights)
  if (!is.finite(scale) || scale <= 1e-12 * max(abs(y), 0)) return(NULL)
  y <- pmin(pmax(y / scale, -3), 3)
  y - stats::weighted.mean(y, weights)
}

# The log of the squared error of each row left out, bounded from below: what is regular in it is
# the variance of the noise.
log_spread <- function(found, pilot) {
  square <- left_out_errors(found, pilot)^2
  out <- log(square + mean(square) / 400)
  out - stats::weighted.mean(out, pilot$weights)
}
