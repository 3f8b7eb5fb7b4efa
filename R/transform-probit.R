# The scale on which a reference distribution is normal: the uniform one between two bounds, the
# exponential one, with the mean of the data, above a lower bound. Densities that go like a power of
# the distance from a bound, or fall exponentially, have tails there that are those of normal
# densities, as sections of Gaussian kernels and the parametric part have; on the scales of
# logarithms they fall only exponentially.

probit_transform <- list(
  parameters = function(x, weights, lower, upper) {
    if (is.finite(upper)) return(c(lower = lower, width = upper - lower))
    c(lower = lower, unit = weighted_mean(x, weights) - lower)
  },
  forward = function(x, p) {
    z <- pmax((x - p[["lower"]]) / p[[2]], 0)
    if (is_interval(p)) return(stats::qnorm(pmin(z, 1)))
    # -z is the log of the probability above x; below the median the other tail has the digits.
    below <- which(z < log(2))
    u <- stats::qnorm(-z, lower.tail = FALSE, log.p = TRUE)
    u[below] <- stats::qnorm(log(-expm1(-z[below])), log.p = TRUE)
    u
  },
  inverse = function(u, p) {
    share <- if (is_interval(p)) stats::pnorm(u)
             else -stats::pnorm(u, lower.tail = FALSE, log.p = TRUE)
    p[["lower"]] + p[[2]] * share
  },
  log_slope = function(u, p) {
    -log(p[[2]]) - if (is_interval(p)) stats::dnorm(u, log = TRUE) else log_hazard(u)
  },
  bend = function(u, p) if (is_interval(p)) u else -hazard_excess(u),
  growth = 0,
  price = 1
)

is_interval <- function(p) "width" %in% names(p)

# The hazard of the standard normal distribution, its density over the probability above, exceeds u
# by 1 / u far out, where the logarithms of the two lose their digits.
log_hazard <- function(u) {
  out <- log_ratio_of_normal(u)
  far <- which(u > far_out)
  out[far] <- log(u[far] + hazard_excess(u[far]))
  out
}

hazard_excess <- function(u) ifelse(u > far_out, 1 / u - 2 / u^3, exp(log_ratio_of_normal(u)) - u)

log_ratio_of_normal <- function(u) {
  stats::dnorm(u, log = TRUE) - stats::pnorm(u, lower.tail = FALSE, log.p = TRUE)
}

far_out <- 100
