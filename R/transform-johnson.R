# Where to put the centre of asinh((x - center) / scale), and how wide: the values transformed are
# to be as normal as can be, that is, the variable follows Johnson's S_U distribution. A centre at
# the steep side of skewed data makes that side wide and the long tail short.

# c(center =, scale =), the most likely ones.
johnson_parameters <- function(x, weights) {
  values <- johnson_values(x, weights)
  if (!values$unit > 0) return(c(center = values$middle, scale = 1))
  best <- johnson_fit(values)$par
  c(center = values$middle + values$unit * best[1], scale = values$unit * exp(best[2]))
}

# By how much the values are more likely under Johnson's distribution than under the normal, in the
# sum of log densities.
johnson_gain <- function(x, weights) {
  values <- johnson_values(x, weights)
  if (!values$unit > 0) return(0)
  normal <- log(spread(values$z, values$share)) / 2
  length(x) * (normal - johnson_fit(values)$objective)
}

# What it must be for the scale to be tried; and what centre and scale, two free numbers, cost where
# rows are left out. More leaves samples of heavy tails to the normal that happen to have few far
# values, which costs more than to take some normal samples for such.
johnson_least <- 1
johnson_price <- 1.5

# In units of the data's scale.
johnson_values <- function(x, weights) {
  unit <- robust_scale(x, weights)
  middle <- weighted_quantile(x, 0.5, weights)
  list(z = (x - middle) / unit, share = weights / sum(weights), unit = unit, middle = middle)
}

# Below, a few values side by side would pass for a steep side; above, it is as good as linear.
johnson_scales <- c(0.1, 10)

# From three starts: the likelihood of skewed data has a mode for either side.
johnson_fit <- function(values) {
  range <- range(values$z)
  starts <- list(c(0, 0), c(-1, log(0.3)), c(1, log(0.3)))
  found <- lapply(starts, function(start) {
    start[1] <- min(max(start[1], range[1]), range[2])
    stats::nlminb(start, johnson_loss, johnson_slope, z = values$z, share = values$share,
                  lower = c(range[1], log(johnson_scales[1])),
                  upper = c(range[2], log(johnson_scales[2])))
  })
  found[[which.min(vapply(found, `[[`, 0, "objective"))]]
}

# The mean of -log density with the most likely mean and variance of the transformed values, up to a
# constant; at[1] is the centre, at[2] the log of the scale.
johnson_loss <- function(at, z, share) {
  u <- asinh((z - at[1]) / exp(at[2]))
  log(spread(u, share)) / 2 + at[2] + sum(share * log_cosh(u))
}

johnson_slope <- function(at, z, share) {
  u <- asinh((z - at[1]) / exp(at[2]))
  pull <- share * ((u - sum(share * u)) / spread(u, share) + tanh(u))
  c(-sum(pull * exp(-log_cosh(u))) / exp(at[2]), 1 - sum(pull * tanh(u)))
}

# The variance.
spread <- function(u, share) sum(share * (u - sum(share * u))^2)

log_cosh <- function(u) abs(u) + log1p(exp(-2 * abs(u))) - log(2)
