# How many landmarks the fits have that score candidates: a few or, in high dimension, all.

tuning_rank <- c(newton = 120, fista = 25)  # landmarks, at most
tuning_steps <- c(newton = Inf, fista = 1000)  # many of a first-order method say little more

# Scores need not be known better than they differ between candidates: a few landmarks say whether a
# width is any good, and a primal point near the optimum does without a certificate.
tuning_control <- function(control, most = tuning_rank[[control$solver]]) {
  control$tol <- max(control$tol, 1e-3)
  control$rank_tol <- max(control$rank_tol, 1e-5)  # NULL too
  control$max_rank <- min(control$max_rank, most)
  control$max_iter <- min(control$max_iter, tuning_steps[[control$solver]])
  control$certified <- FALSE
  control$trace <- FALSE
  control
}

# Do rows have a density of their own that few landmarks know nothing of? Then narrow kernels would
# look worse than they are: with ten variables by more than one in the log likelihood of a row.
is_crowded <- function(problem, sigma, control) {
  if (!problem$likelihood || problem$model$form != "psd") return(FALSE)
  prepared <- prepare(problem, rows_of(problem), sigma, tuning_control(control))
  unseen_share(prepared$features[[1]], prepared$weights) > most_unseen
}

most_unseen <- 0.25

# Widths are then too dear to search: the squares of the sections are the kernels of a likely sum.
# Penalties above 10 hardly differ.
crowded_axes <- function(axes, problem) {
  if (is_searched(axes$sigma)) axes$sigma <- grid_axis(sqrt(2) * likely_sum(problem)$width)
  if (is_searched(axes$lambda)) axes$lambda$highest <- 10
  axes
}

# Is a sum of kernels more likely than these normals?
is_far_from <- function(normals, problem) {
  likely_sum(problem)$mean_log > normals$mean_log + ncol(problem$x) * log(2 * pi) / 2
}

# The Gaussian kernels under whose sum the rows, each left out in turn, are most likely; the mean
# log of that sum, but for the power of 2 pi.
likely_sum <- function(problem) {
  points <- shape_sample(problem$x, problem$weights, 1000)
  found <- likely_bandwidth(points$x, points$weights, "round", NULL)
  n <- nrow(points$x)
  list(width = sqrt(found$covariance[1, 1]) * (n / problem$n)^(1 / (ncol(problem$x) + 4)),
       mean_log = found$log_likelihood / n)
}
