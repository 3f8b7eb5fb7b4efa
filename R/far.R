# What a regression says far from its data. A kernel knows nothing there, and what is left of its
# functions, a constant that the data hardly see, may be any number. So they give way to a simple
# model of the same data, linear in x or constant: with s(x) a weight that is one at the data and
# falls with the kernel beyond, a function is s(x) f(x) + (1 - s(x)) times that of the simple model.
# A convex combination keeps precisions positive and quantiles in order.

# list(intercept =, slopes =, least =), in standardised units, with one entry, column and number per
# function; NULL for problems that have no `far` model. `least`: see nearest_section().
far_model <- function(problem, rows, functions) {
  if (is.null(problem$far) || is_parametric(problem)) return(NULL)
  out <- problem$far(problem$x, problem$y[, 1], problem$weights)
  out$least <- vapply(functions, function(f) min(nearest_section(f, rows)), 0)
  out
}

# The log of the kernel at the rows of x, around the anchor where it is largest.
nearest_section <- function(f, x) {
  local <- rowSums(is.finite(f$anchors$width)) > 0
  if (!any(local)) return(numeric(nrow(x)))
  anchors <- lapply(f$anchors, function(a) a[local, , drop = FALSE])
  by_portions(x, function(rows) apply(cpp_log_sections(f$kernel, anchors, rows), 2, max))
}

# One number per row of x from a function of some of its rows, which makes many more of each.
by_portions <- function(x, numbers, portion = 5000) {
  portions <- split(seq_len(nrow(x)), seq_len(nrow(x)) %/% portion)
  unlist(lapply(unname(portions), function(rows) numbers(x[rows, , drop = FALSE])))
}

# How far the log of a Gaussian kernel falls over half a width: so much farther than any row of the
# data from its anchor is not far.
far_grace <- 0.125

# The functions at the rows of x (values, one column each) give way to the simple model.
beyond_data <- function(values, far, functions, x) {
  if (is.null(far) || nrow(x) == 0) return(values)
  known <- lapply(seq_along(functions), function(k) {
    # With a row of the data that no kernel reaches, nothing is farther than the data.
    if (is.infinite(far$least[k])) return(numeric(nrow(x)))
    nearest_section(functions[[k]], x) - far$least[k] + far_grace
  })
  given_way(values, simple_values(far, x), do.call(pmin, known))
}

simple_values <- function(far, x) sweep(x %*% far$slopes, 2, far$intercept, "+")

# `known`: the log of the weight of the values, where it is below zero.
given_way <- function(values, simple, known) {
  s <- exp(pmin(known, 0))
  out <- s * values + (1 - s) * simple
  out[s == 1, ] <- values[s == 1, ]  # to the last digit, also where the simple model is infinite
  out
}

# A line through the data, or a constant where the slopes are not worth their number: list(intercept
# =, slopes =, residuals =). `power` 2: least squares, 1: least absolute residuals.
line_or_constant <- function(x, y, weights, power) {
  flat <- least_line(x[, 0, drop = FALSE], y, weights, power)
  flat$slopes <- numeric(ncol(x))
  n <- length(y)
  if (n < 3 * (ncol(x) + 1)) return(flat)
  line <- least_line(x, y, weights, power)
  size <- function(residuals) stats::weighted.mean(abs(residuals)^power, weights)^(1 / power)
  gain <- n * log(size(flat$residuals) / size(line$residuals))
  known <- all(is.finite(c(gain, line$intercept, line$slopes)))
  if (known && gain > ncol(x) * log(n) / 2) line else flat
}

# Least absolute residuals by repeated least squares.
least_line <- function(x, y, weights, power, steps = 30) {
  of_weights <- function(weights) {
    fit <- stats::lm.wfit(cbind(1, x), y, weights)
    found <- ifelse(is.na(fit$coefficients), 0, fit$coefficients)
    list(intercept = found[[1]], slopes = unname(found[-1]), residuals = unname(fit$residuals))
  }
  line <- of_weights(weights)
  for (step in seq_len(if (power == 1) steps else 0)) {
    size <- abs(line$residuals)
    least <- 1e-3 * mean(size)
    if (!isTRUE(least > 0)) break
    line <- of_weights(weights * least / pmax(size, least))
  }
  line
}
