# Data and losses that the tests of regressions share.
wave <- function(n = 80, seed = 1) {
  set.seed(seed)
  x <- runif(n)
  data.frame(x = x, y = pmax(0, sin(7 * x)) + 0.1 * rnorm(n), count = rpois(n, 4 * sin(3 * x)^2))
}

own_absolute <- function() {
  psd_loss(value = function(u, y) abs(u - y),
           prox = function(u, y, step) u + pmin(pmax(y - u, -step), step),
           conjugate = function(a, y) ifelse(abs(a) <= 1 + 1e-10, a * y, Inf))
}
own_squared <- function() {
  psd_loss(value = function(u, y) (u - y)^2 / 2,
           prox = function(u, y, step) (u + step * y) / (1 + step),
           conjugate = function(a, y) a^2 / 2 + a * y)
}
