# Mixtures of normal densities without correlations, for the parametric part of a density: which,
# and how many.

# A mixture is list(mean =, sd =, share =, gain =, mean_log =): one row a normal, one column a
# variable; `gain` is by how much it is more likely than a single normal, in the sum of log
# densities, less what its numbers cost; `mean_log` the mean log density of the rows, for comparison
# with a sum of kernels.

# By how much a mixture must be more likely for each of its free numbers. With several variables it
# is half the log of the number of rows, as for shapes, since a mixture must also be more likely
# than a sum of kernels; with one, where much fits a small sample by chance, no less than this.
price_of_number <- function(d, n) if (d == 1) 10 / 3 else log(n) / 2

# What it costs to be fitted to the rows that it is judged by, as leaving out a row does not tell.
price_of_fitting <- 1

# The same where a mixture is compared with a sum of kernels, which is judged by rows left out: with
# less, curves are taken for chains of normals.
price_beside_kernels <- 1.5

most_normals <- 8

# Of each normal beyond the first: its centre, spread and share.
free_numbers <- function(d, round) if (round) d + 2 else 2 * d + 1

# The most likely mixture of `count` normals, or of fewer if there are too few rows for so many; of
# as many as pay where none is given. Rows stand for `n` observations.
find_normals <- function(x, weights, n = nrow(x), round = FALSE, count = NULL) {
  sample <- mixture_sample(x, weights, n)
  price <- price_of_number(ncol(x), sum(sample$weights)) * free_numbers(ncol(x), round)
  found <- one_normal(sample, round)
  single <- found$log_likelihood
  best <- found
  for (size in seq_len(count %||% most_normals)[-1]) {
    found <- one_more(found, sample, round)
    if (is.null(found)) break
    found$gain <- found$log_likelihood - single - (size - 1) * price
    if (!is.null(count) || found$gain > best$gain) best <- found
    else if (size > length(best$share) + 1) break
  }
  total <- sum(sample$weights)
  paid <- price_beside_kernels * (length(best$share) - 1) * free_numbers(ncol(x), round)
  best$mean_log <- (best$log_likelihood - paid) / total
  best
}

# Rows at even distances in the order of the first variable: the most that a search needs.
mixture_sample <- function(x, weights, n, most = 2000) {
  weights <- weights * (n / sum(weights))
  if (nrow(x) > most) {
    rows <- order(x[, 1])[round(seq(1, nrow(x), length.out = most))]
    x <- x[rows, , drop = FALSE]
    weights <- weights[rows]
  }
  least <- apply(x, 2, robust_scale, weights = weights) / 32  # as narrow as kernels are
  list(x = x, weights = weights, least = least)
}

one_normal <- function(sample, round) {
  mean <- matrix(apply(sample$x, 2, weighted_mean, weights = sample$weights), 1)
  sd <- matrix(apply(sample$x, 2, weighted_sd, weights = sample$weights), 1)
  if (round) sd[] <- sqrt(mean(sd^2))
  out <- more_likely(list(mean = mean, sd = sd, share = 1), sample, round, 1)
  out$gain <- 0
  out
}

# The best mixture in which one of the normals is two; NULL if none has rows enough for all.
one_more <- function(normals, sample, round) {
  starts <- do.call(c, lapply(seq_along(normals$share), function(j) split_normal(normals, j)))
  tried <- lapply(starts, more_likely, sample, round, 12)
  tried <- tried[order(-vapply(tried, `[[`, 0, "log_likelihood"))]
  tried <- Filter(function(normals) is_supported(normals, round), tried)
  if (length(tried) == 0) return(NULL)
  found <- list()
  for (start in tried) {
    one <- more_likely(start, sample, round)
    if (is_supported(one, round)) found <- c(found, list(one))
    if (length(found) == 2) break
  }
  if (length(found) > 0) found[[which.max(vapply(found, `[[`, 0, "log_likelihood"))]]
}

# Has each normal more rows than numbers?
is_supported <- function(normals, round) {
  is.finite(normals$log_likelihood) &&
    min(normals$count) >= free_numbers(ncol(normals$mean), round) + 1
}

# What may become two: along an axis equal halves or one of the sides, or a core with its tails.
split_normal <- function(normals, j) {
  along <- rep(seq_len(ncol(normals$mean)), each = 3)
  sides <- list(list(shift = c(-0.8, 0.8), stretch = c(0.6, 0.6), share = c(0.5, 0.5)),
                list(shift = c(-1.2, 0.4), stretch = c(0.4, 0.8), share = c(0.25, 0.75)),
                list(shift = c(1.2, -0.4), stretch = c(0.4, 0.8), share = c(0.25, 0.75)))
  core <- list(shift = c(0, 0), stretch = c(0.3, 1.4), share = c(0.5, 0.5))
  c(Map(function(axis, way) split_along(normals, j, axis, way), along,
        rep_len(sides, length(along))),
    list(split_along(normals, j, seq_len(ncol(normals$mean)), core)))
}

split_along <- function(normals, j, axes, way) {
  two <- c(j, j)
  mean <- normals$mean[two, , drop = FALSE]
  sd <- normals$sd[two, , drop = FALSE]
  mean[, axes] <- mean[, axes] + way$shift * sd[, axes]
  sd[, axes] <- way$stretch * sd[, axes]
  list(mean = rbind(normals$mean[-j, , drop = FALSE], mean),
       sd = rbind(normals$sd[-j, , drop = FALSE], sd),
       share = c(normals$share[-j], normals$share[j] * way$share))
}

# Of sizes of sections.
largest_ratio <- 32

# By rounds of EM, until one gains next to nothing.
more_likely <- function(normals, sample, round, rounds = 200) {
  cpp_normals(sample$x, sample$weights, normals, sample$least, round, rounds,
              1e-6 * sum(sample$weights))
}

# The sections whose squares are the normals of a mixture that is fitted to these rows, from one
# that was found. Their integrals are of one size, that of the single normal section, unless a
# normal is so narrow that rounding would tell.
normal_sections <- function(normals, x, weights, round) {
  sample <- mixture_sample(x, weights, nrow(x), Inf)
  fitted <- more_likely(normals, sample, round)
  whole <- one_normal(sample, round)$sd
  narrower <- rowSums(log(whole[rep(1, nrow(fitted$sd)), , drop = FALSE] / fitted$sd))
  list(at = fitted$mean, width = sqrt(2) * fitted$sd,
       size = normal_size * pmin(exp(narrower / 2), largest_ratio))
}
