# The distribution that a quantile fit stands for at a point. Its quantiles are linear in
# qnorm(tau) between two levels, so that between two fitted quantiles it is a normal distribution;
# beyond the outermost levels it goes on as the outermost one.

# list(q =, mean =, sd =, z =): the quantiles at the levels, one column per level; mean and standard
# deviation of the normal distribution of each piece, one column per gap; and qnorm(levels).
quantile_pieces <- function(object, x, call = rlang::caller_env()) {
  if (length(object$levels) < 2) {
    abort("{.arg object} must have at least two fitted levels to interpolate between, not
           {length(object$levels)}.", class = "psd_undefined", call = call)
  }
  make_pieces(predict_quantiles(object, function_values(object, x), object$levels), object$levels,
              call)
}

make_pieces <- function(q, levels, call = rlang::caller_env()) {
  z <- stats::qnorm(levels)
  last <- length(levels)
  gap <- q[, -1, drop = FALSE] - q[, -last, drop = FALSE]
  crossing <- which(rowSums(gap < 0) > 0)
  if (length(crossing) > 0) {
    abort("The quantiles cross, in row {crossing[1]}, and are not those of a distribution.",
          class = "psd_undefined", call = call)
  }
  sd <- sweep(gap, 2, diff(z), "/")
  list(q = q, mean = q[, -last, drop = FALSE] - sweep(sd, 2, z[-last], "*"), sd = sd, z = z)
}

# The piece of each row to which a position z = qnorm(tau), or a value y, belongs; of a jump, where
# several quantiles are equal, the last. One position or value per row.
piece_at <- function(pieces, y) {
  inner <- pieces$q[, -c(1, ncol(pieces$q)), drop = FALSE]
  cbind(seq_along(y), 1L + as.integer(rowSums(inner <= y)))
}

# At one tau per row.
pieces_quantile <- function(pieces, tau) {
  z <- stats::qnorm(tau)
  inner <- pieces$z[-c(1, length(pieces$z))]
  at <- cbind(seq_along(z), findInterval(z, inner) + 1L)
  flat <- is.infinite(z) & pieces$sd[at] == 0
  ifelse(flat, pieces$mean[at], pieces$mean[at] + pieces$sd[at] * z)
}

# At one y per row.
pieces_cdf <- function(pieces, y) {
  at <- piece_at(pieces, y)
  stats::pnorm(y, pieces$mean[at], pieces$sd[at])
}

pieces_density <- function(pieces, y) {
  at <- piece_at(pieces, y)
  stats::dnorm(y, pieces$mean[at], pieces$sd[at])
}

# list(mean =, variance =), from the moments of Z on each interval of z: with y = m + s Z the
# integrals of y and of (y - centre)^2, which keeps the digits of a small variance.
pieces_moments <- function(pieces) {
  ends <- c(-Inf, pieces$z[-c(1, length(pieces$z))], Inf)
  phi <- stats::dnorm(ends)
  moments <- rbind(diff(stats::pnorm(ends)), -diff(phi),
                   diff(stats::pnorm(ends)) - diff(ifelse(is.infinite(ends), 0, ends * phi)))
  mean <- drop(pieces$mean %*% moments[1, ] + pieces$sd %*% moments[2, ])
  centred <- pieces$mean - mean
  variance <- drop(centred^2 %*% moments[1, ] + 2 * (centred * pieces$sd) %*% moments[2, ] +
                     pieces$sd^2 %*% moments[3, ])
  list(mean = mean, variance = variance)
}
