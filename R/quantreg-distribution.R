# The distribution that a quantile fit stands for at a point. Its quantiles are linear in
# qnorm(tau) between two levels, so that between two fitted quantiles it is a normal distribution;
# beyond the outermost levels it goes on as the outermost one, cut off at the bound of the fit, if
# it has one: the mass beyond the level is then spread over what is left of that normal tail.

# list(q =, mean =, sd =, z =, lower =, upper =): the quantiles at the levels, one column per level;
# mean and standard deviation of the normal distribution of each piece, one column per gap;
# qnorm(levels); and the bounds, perhaps infinite.
quantile_pieces <- function(object, x, call = rlang::caller_env()) {
  if (length(object$levels) < 2) {
    abort("{.arg object} must have at least two fitted levels to interpolate between, not
           {length(object$levels)}.", class = "psd_undefined", call = call)
  }
  q <- predict_quantiles(object, function_values(object, x), object$levels)
  bounds <- response_bounds(object)
  make_pieces(q, object$levels, bounds[1], bounds[2], call)
}

# The bounds of the response that the user gave, infinite where there is none.
response_bounds <- function(fit) {
  if (!isTRUE(fit$base$bounded)) return(c(-Inf, Inf))
  if (fit$base$sign > 0) c(fit$units$y$center, Inf) else c(-Inf, fit$units$y$center)
}

make_pieces <- function(q, levels, lower = -Inf, upper = Inf, call = rlang::caller_env()) {
  z <- stats::qnorm(levels)
  last <- length(levels)
  gap <- q[, -1, drop = FALSE] - q[, -last, drop = FALSE]
  # Those of model "pnm" are in order up to rounding.
  gap[gap < 0 & gap > -1e-12 * abs(q[, -1])] <- 0
  crossing <- which(rowSums(gap < 0) > 0)
  if (length(crossing) > 0) {
    abort(c("The quantiles cross, in row {crossing[1]}, and are not those of a distribution.",
            i = "Those of {.code model = \"psd\"} never do."),
          class = "psd_undefined", call = call)
  }
  sd <- sweep(gap, 2, diff(z), "/")
  list(q = q, mean = q[, -last, drop = FALSE] - sweep(sd, 2, z[-last], "*"), sd = sd, z = z,
       lower = lower, upper = upper)
}

# The two tails of each row: `mean` and `sd` of the normal distribution, the level and the quantile
# `z`, `q` at which it begins, the probability `mass`, and of the whole normal tail what the bound
# has `cut` off and what is `left`: 0 where the quantile is at the bound.
tails_of <- function(pieces) {
  tail <- function(piece, level, end, below) {
    mean <- pieces$mean[, piece]
    sd <- pieces$sd[, piece]
    z <- pieces$z[level]
    end <- ifelse(is.infinite(end) | sd == 0, end, (end - mean) / sd)
    cut <- stats::pnorm(end, lower.tail = below)
    mass <- stats::pnorm(z, lower.tail = below)
    left <- ifelse(sd > 0, pmax(mass - cut, 0), 0)
    list(mean = mean, sd = sd, z = z, q = unname(pieces$q[, level]), cut = cut, mass = mass,
         left = left)
  }
  list(lower = tail(1, 1, pieces$lower, TRUE),
       upper = tail(ncol(pieces$sd), length(pieces$z), pieces$upper, FALSE))
}

# The piece of each row to which a position z = qnorm(tau), or a value y, belongs; of a jump, where
# several quantiles are equal, the last. One position or value per row.
piece_at <- function(pieces, y) {
  inner <- pieces$q[, -c(1, ncol(pieces$q)), drop = FALSE]
  cbind(seq_along(y), 1L + as.integer(rowSums(inner <= y)))
}

# At one tau per row.
pieces_quantile <- function(pieces, tau) {
  inner <- pieces$z[-c(1, length(pieces$z))]
  z <- stats::qnorm(tau)
  at <- cbind(seq_along(z), findInterval(z, inner) + 1L)
  out <- pieces$mean[at] + pieces$sd[at] * z
  tails <- tails_of(pieces)
  out <- ifelse(tau < tails$lower$mass, tail_quantile(tails$lower, tau, TRUE), out)
  ifelse(1 - tau < tails$upper$mass, tail_quantile(tails$upper, 1 - tau, FALSE), out)
}

# Where the probability beyond, away from the middle, is p.
tail_quantile <- function(tail, p, below) {
  z <- stats::qnorm(tail$cut + p * tail$left / tail$mass, lower.tail = below)
  ifelse(tail$left > 0, tail$mean + tail$sd * z, tail$q)
}

# At one y per row.
pieces_cdf <- function(pieces, y) {
  at <- piece_at(pieces, y)
  out <- stats::pnorm(y, pieces$mean[at], pieces$sd[at])
  tails <- tails_of(pieces)
  out <- ifelse(y < tails$lower$q, tail_cdf(tails$lower, y, TRUE), out)
  ifelse(y > tails$upper$q, 1 - tail_cdf(tails$upper, y, FALSE), out)
}

# The probability beyond y, away from the middle.
tail_cdf <- function(tail, y, below) {
  beyond <- stats::pnorm(y, tail$mean, tail$sd, lower.tail = below) - tail$cut
  ifelse(tail$left > 0, tail$mass * pmax(beyond, 0) / tail$left, 0)
}

pieces_density <- function(pieces, y) {
  at <- piece_at(pieces, y)
  tails <- tails_of(pieces)
  grown <- function(tail) ifelse(tail$left > 0, tail$mass / tail$left, 0)
  factor <- ifelse(y < pieces$lower | y > pieces$upper, 0,
                   ifelse(y < tails$lower$q, grown(tails$lower),
                          ifelse(y > tails$upper$q, grown(tails$upper), 1)))
  ifelse(factor > 0, factor * stats::dnorm(y, pieces$mean[at], pieces$sd[at]), 0)
}

# list(mean =, variance =), from the moments of Z on each interval of z: with y = m + s Z the
# integrals of y and of (y - centre)^2, which keeps the digits of a small variance.
pieces_moments <- function(pieces) {
  rows <- nrow(pieces$q)
  inner <- normal_moments(pieces$z[-length(pieces$z)], pieces$z[-1])
  tails <- tails_of(pieces)
  first <- tail_moments(tails$lower, TRUE)
  last <- tail_moments(tails$upper, FALSE)
  parts <- function(power) {
    between <- matrix(inner[, power + 1], rows, nrow(inner), byrow = TRUE)
    cbind(first[, power + 1], between, last[, power + 1])
  }
  m <- cbind(tails$lower$mean, pieces$mean, tails$upper$mean)
  s <- cbind(tails$lower$sd, pieces$sd, tails$upper$sd)
  mean <- rowSums(m * parts(0) + s * parts(1))
  variance <- rowSums((m - mean)^2 * parts(0) + 2 * (m - mean) * s * parts(1) + s^2 * parts(2))
  list(mean = unname(mean), variance = unname(variance))
}

# The integrals of 1, z and z^2 against the normal density, one row per interval.
normal_moments <- function(from, to) {
  edge <- function(z) ifelse(is.infinite(z), 0, z * stats::dnorm(z))
  mass <- stats::pnorm(to) - stats::pnorm(from)
  cbind(mass, stats::dnorm(from) - stats::dnorm(to), mass - edge(to) + edge(from),
        deparse.level = 0)
}

# The same of a tail, one row per row; one without room is a point.
tail_moments <- function(tail, below) {
  end <- stats::qnorm(tail$cut, lower.tail = below)
  cut <- if (below) normal_moments(end, tail$z) else normal_moments(tail$z, end)
  out <- cut * tail$mass / tail$left
  empty <- which(tail$left == 0)
  out[empty, ] <- rep(tail$mass * c(1, tail$z, tail$z^2), each = length(empty))
  out
}
