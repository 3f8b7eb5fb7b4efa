# Losses and their conjugates in plain R, for psd_verify(): sums over the rows, with weights. `u`
# and `a` have one column an output; `a` is divided by the weight of its row.

plain_slack <- 1e-9  # dual points lie on the boundary of a domain up to rounding

plain_losses <- list(
  neg_log = list(
    value = function(u, y, p) ifelse(u > 0, -log(pmax(u, 0)), Inf),
    conjugate = function(a, y, p) ifelse(a < 0, -1 - log(pmax(-a, 0)), Inf)
  ),
  squared = list(
    value = function(u, y, p) (u - y)^2 / 2,
    conjugate = function(a, y, p) a^2 / 2 + a * y
  ),
  absolute = list(
    value = function(u, y, p) abs(u - y),
    conjugate = function(a, y, p) ifelse(abs(a) <= 1 + plain_slack, a * y, Inf)
  ),
  huber = list(
    value = function(u, y, p) {
      r <- abs(u - y)
      ifelse(r <= p$delta, r^2 / 2, p$delta * (r - p$delta / 2))
    },
    conjugate = function(a, y, p) ifelse(abs(a) <= p$delta + plain_slack, a^2 / 2 + a * y, Inf)
  ),
  poisson = list(
    value = function(u, y, p) ifelse(y == 0 & u >= 0, u, ifelse(u > 0, u - y * log(u), Inf)),
    conjugate = function(a, y, p) {
      at_zero <- ifelse(a <= 1 + plain_slack, 0, Inf)
      inside <- y * (log(pmax(y, 1e-300)) - 1 - log(pmax(1 - a, 0)))
      ifelse(y == 0, at_zero, ifelse(a < 1, inside, Inf))
    }
  ),
  pinball = list(
    value = function(u, y, p) pmax(p$tau * (y - u), (p$tau - 1) * (y - u)),
    conjugate = function(a, y, p) {
      inside <- a >= -p$tau - plain_slack & a <= 1 - p$tau + plain_slack
      ifelse(inside, a * y, Inf)
    }
  )
)

# eta and theta together: l = (theta y - eta)^2 / (2 theta) - log(theta) / 2. The supremum of its
# conjugate over eta is at eta = theta (y + a_1), that over theta at 1 / (2 s).
plain_hetero <- list(
  value = function(u, y) {
    theta <- u[, 2]
    ifelse(theta > 0, ((theta * y - u[, 1])^2 / theta - log(pmax(theta, 0))) / 2, Inf)
  },
  conjugate = function(a, y) {
    s <- -2 * (a[, 2] + a[, 1] * y + a[, 1]^2 / 2)
    ifelse(s > 0, -(1 + log(pmax(s, 0))) / 2, Inf)
  }
)

# One with formulas here, or the user's own.
is_plain_loss <- function(loss) {
  is.null(loss$name) || loss$name %in% c(names(plain_losses), "hetero")
}

# sum_i weights_i l(u_i, y_i), or of the conjugate at a_i / weights_i.
plain_risk <- function(losses, what, u, y, weights) {
  if (identical(losses[[1]]$name, "hetero")) {
    return(sum(weights * plain_hetero[[what]](u, y[, 1])))
  }
  total <- 0
  for (j in seq_along(losses)) {
    loss <- losses[[j]]
    # Losses without a response never ask for theirs.
    each <- if (is.null(loss$name)) loss[[what]](u[, j], y[, min(j, ncol(y))])
            else plain_losses[[loss$name]][[what]](u[, j], y[, min(j, ncol(y))], loss)
    total <- total + sum(weights * each)
  }
  total
}
