# The shape of the kernel beside a mixture of normals: the columns in which such a mixture is most
# likely. In the units of the data each normal has its own widths along the axes; where the kernel
# is turned all are round (R/turn.R), so what they have in common must be the kernel's.

shape_rows <- 500  # a shape needs no more than a few rows a number

# How many, as find_normals() takes it; one where there is no mixture.
normals_wanted <- function(grid, model) {
  count <- grid$parametric
  if (model$form != "psd" || is.null(count) && !is.null(grid$sigma)) 1
  else if (is.null(count) || rlang::is_integerish(count, 1, TRUE) && count > 1) count
  else 1
}

# Their covariance matrix, where the kernel should be turned as they are; "axes" where it should not
# be turned; NULL if `kernels`, tried on so many rows, say as much as several normals.
shape_of_normals <- function(t, weights, kernels, n, count) {
  sample <- mixture_sample(t, weights, effective_rows(weights), shape_rows)
  along <- normals_in(diag(ncol(t)), sample, FALSE, count)
  common <- common_normals(kernels$free$covariance, sample, count)
  best <- if (common$score > along$score) common else along
  likely <- max(vapply(kernels, `[[`, 0, "log_likelihood")) / n
  if (length(best$share) == 1 || single_score(sample) > best$score ||
        likely > best$mean_log + ncol(t) * log(2 * pi) / 2) NULL
  else if (common$score > along$score) crossprod(best$turn)
  else if (all(names(kernels) %in% turned_shapes)) NULL
  else "axes"
}

# Normals that are round under one covariance matrix: searched for under a first one, made more
# likely together with it, and searched for anew until that gains nothing.
common_normals <- function(covariance, sample, count, searches = 4) {
  best <- normals_in(chol(covariance), sample, TRUE, count)
  for (search in seq_len(searches)) {
    turn <- common_turn(best, sample)
    if (is.null(turn)) break
    found <- normals_in(turn, sample, TRUE, count)
    if (!(found$score > best$score + 0.1)) break
    best <- found
  }
  best
}

# By turns the covariance matrix of the rows about the normals that they come from, and the normals
# under it, until it stays as it is; NULL if it is singular.
common_turn <- function(normals, sample, rounds = 20) {
  for (round in seq_len(rounds)) {
    covariance <- common_covariance(normals, sample)
    if (!all(is.finite(covariance)) || rcond(covariance) < 1e-8) return(NULL)
    turn <- chol(covariance)
    change <- max(abs(normals$turn %*% solve(turn) - diag(ncol(turn))))
    if (change < 0.01) break
    start <- list(mean = turned(unturned(normals$mean, normals$turn), turn), sd = normals$sd,
                  share = normals$share)
    own <- mixture_sample(turned(sample$x, turn), sample$weights, sum(sample$weights))
    normals <- c(more_likely(start, own, TRUE, 10), list(turn = turn, z = own$x))
  }
  turn
}

# The likeliest normals after a turn, and their score: the log-likelihood less half the log of the
# number of rows for each number.
normals_in <- function(turn, sample, round, count) {
  n <- sum(sample$weights)
  z <- turned(sample$x, turn)
  out <- find_normals(z, sample$weights, n, round, count)
  d <- ncol(z)
  first <- d + if (round) d * (d + 1) / 2 else d
  numbers <- first + (length(out$share) - 1) * free_numbers(d, round)
  out$score <- out$log_likelihood - n * log_volume(turn) - numbers * log(n) / 2
  out$mean_log <- out$mean_log - log_volume(turn)
  out$turn <- turn
  out$z <- z
  out
}

# That of a normal with all correlations.
single_score <- function(sample) {
  covariance <- stats::cov.wt(sample$x, sample$weights / sum(sample$weights), method = "ML")$cov
  if (rcond(covariance) < 1e-8) return(-Inf)
  normals_in(chol(covariance), sample, TRUE, 1)$score
}

# In units of the size of each normal.
common_covariance <- function(normals, sample) {
  belongs <- sample$weights * memberships(normals, normals$z)
  square <- 0
  for (j in seq_along(normals$share)) {
    apart <- sweep(normals$z, 2, normals$mean[j, ]) / normals$sd[j, 1]
    square <- square + crossprod(sqrt(belongs[, j]) * apart)
  }
  crossprod(normals$turn, square %*% normals$turn) / sum(sample$weights)
}

# How likely each row comes from each normal: one row a row, one column a normal.
memberships <- function(normals, x) {
  logs <- vapply(seq_along(normals$share), function(j) {
    apart <- sweep(sweep(x, 2, normals$mean[j, ]), 2, normals$sd[j, ], "/")
    log(normals$share[j]) - sum(log(normals$sd[j, ])) - rowSums(apart^2) / 2
  }, numeric(nrow(x)))
  logs <- matrix(logs, nrow(x))
  parts <- exp(logs - logs[cbind(seq_len(nrow(x)), max.col(logs))])
  parts / rowSums(parts)
}
