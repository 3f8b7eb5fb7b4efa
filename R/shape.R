# The shape of the kernel among several variables: round in standardised units, stretched along the
# axes, or turned as well. The shape is that of the Gaussian kernels under whose sum the rows, each
# left out in turn, are most likely: it follows the density nearby, where the covariance matrix
# would follow the distances of its modes.

# The shapes to choose among, from what the user asked for.
check_shape <- function(shape, sigma, settings, measure, transform, constraints,
                        call = rlang::caller_env()) {
  shape <- check_choice(shape, c("auto", "round", "axes", "full"), call = call)
  turnable <- kernel_traits(settings$kernel)$normal && settings$model$closed_form &&
    is_free(measure, transform) && length(constraints) == 0
  if (shape == "full" && !turnable) {
    abort(c("{.arg shape} = {.val full} is for Gaussian kernels, without {.arg lower}, {.arg upper},
             {.arg base}, {.arg transform} or {.arg constraints}.",
            i = "{.val axes} gives each column a width of its own."), call = call)
  }
  if (shape == "full") return(turned_shapes)
  if (shape != "auto") return(shape)
  if (!settings$standardize || !is.null(sigma) && !identical(sigma, "search")) return("round")
  c("round", "axes", if (turnable) turned_shapes)
}

# Is nothing tied to the axes?
is_free <- function(measure, transform) {
  all(is.infinite(c(measure$lower, measure$upper, measure$sd))) &&
    all(transform %in% c("auto", "none"))
}

# That of the data as a whole, or free.
turned_shapes <- c("whole", "free")

# The covariance matrix of the kernel in scaled units, of mean variance one; NULL if it is round.
# Among several shapes the one with the best likelihood of rows left out, less half the log of the
# number of rows for each free number. With several normals as the parametric part (`count`, NULL
# for as many as pay) it is theirs, where they are more likely than kernels.
kernel_shape <- function(t, weights, shapes, count = 1, call = rlang::caller_env()) {
  d <- ncol(t)
  if (d == 1 || identical(shapes, "round")) return(NULL)
  points <- shape_sample(t, weights)
  n <- nrow(points$x)
  if (n < 2 * d + 2) return(NULL)
  whole <- stats::cov.wt(points$x, points$weights / sum(points$weights), method = "ML")$cov
  if (!all(is.finite(whole))) {
    abort("{.arg shape} needs columns whose variances are numbers: they are too large. Rescale the
           columns, or leave {.arg standardize} = {.code TRUE}.", call = call)
  }
  if (rcond(whole) < 1e-8) shapes <- setdiff(shapes, "whole")
  tried <- list()
  for (shape in shapes) {
    tried[[shape]] <- likely_bandwidth(points$x, points$weights, shape, whole, tried)
  }
  if (!identical(count, 1) && "free" %in% shapes && !any(is_flat(t))) {
    normals <- shape_of_normals(t, weights, tried, n, count)
    if (identical(normals, "axes")) shapes <- setdiff(shapes, turned_shapes)
    else if (!is.null(normals)) return(normals / mean(diag(normals)))
  }
  # That of the data as a whole is hardly fitted to this likelihood.
  free <- c(round = 1, axes = d, whole = 1.2, free = d * (d + 1) / 2)[shapes]
  likely <- vapply(tried[shapes], `[[`, 0, "log_likelihood")
  best <- shapes[which.max(likely - free * log(n) / 2)]
  if (best == "round") return(NULL)
  covariance <- tried[[best]]$covariance
  covariance / mean(diag(covariance))
}

shape_name <- function(covariance) {
  if (is.null(covariance)) "round"
  else if (all(covariance[upper.tri(covariance)] == 0)) "axes"
  else "full"
}

# Different rows, at even distances if there are many: a shape is clear from a few hundred.
shape_sample <- function(t, weights, most = 300) {
  rows <- which(weights > 0)
  if (length(rows) > most) rows <- rows[round(seq(1, length(rows), length.out = most))]
  distinct_rows(t[rows, , drop = FALSE], weights[rows], psd_tune())
}

# The covariance matrix of Gaussian kernels that maximises the likelihood of rows left out, by EM:
# given the kernels that each row may come from, it is the mean square of the distances to their
# centres. Steps go beyond that, as long as the likelihood rises. One square of the usual size keeps
# it from being singular. A free shape starts from the best of those already tried.
likely_bandwidth <- function(x, weights, shape, whole, tried = list(),
                             usual = diag(nrow(x)^(-2 / (ncol(x) + 4)), ncol(x)),
                             rounds = 60, tolerance = 2e-5) {
  weights <- weights / sum(weights)
  n <- nrow(x)
  best <- list(covariance = shaped(usual, shape, whole))
  if (shape == "free" && length(tried) > 0) {
    best <- tried[[which.max(vapply(tried, `[[`, 0, "log_likelihood"))]]
  }
  best <- c(best["covariance"], left_out(x, weights, best$covariance))
  beyond <- 1
  for (round in seq_len(rounds)) {
    target <- shaped(best$square + usual / n, shape, whole)
    covariance <- best$covariance + beyond * (target - best$covariance)
    found <- left_out(x, weights, covariance)
    rise <- found$mean_log - best$mean_log
    if (rise > 0) best <- c(list(covariance = covariance), found)
    if (rise < tolerance && beyond == 1) break
    beyond <- if (rise < tolerance) 1 else 1.8
  }
  list(covariance = best$covariance, log_likelihood = n * best$mean_log)
}

# The mean log of the sum of kernels at each row but its own, and the mean square of the distances
# to the centres of the kernels that the rows come from; -Inf if this is no covariance matrix.
left_out <- function(x, weights, covariance) {
  root <- tryCatch(chol(covariance), error = function(e) NULL)
  if (is.null(root)) return(list(mean_log = -Inf))
  z <- t(backsolve(root, t(x), transpose = TRUE))
  found <- cpp_left_out(x, z, weights)
  found$mean_log <- found$mean_log - sum(log(diag(root)))
  found
}

# The matrix of this shape that is closest to a mean square of distances.
shaped <- function(square, shape, whole) {
  d <- nrow(square)
  switch(shape, round = diag(mean(diag(square)), d), axes = diag(diag(square)),
         whole = whole * sum(diag(solve(whole, square))) / d, free = square)
}
