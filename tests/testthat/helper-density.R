# Oracles for densities: Gauss-Legendre quadrature, and the fits several files look at.

gauss_legendre <- function(n) {
  i <- seq_len(n - 1)
  jacobi <- matrix(0, n, n)
  jacobi[cbind(i, i + 1)] <- jacobi[cbind(i + 1, i)] <- i / sqrt(4 * i^2 - 1)
  spectrum <- eigen(jacobi, symmetric = TRUE)
  list(x = spectrum$values, w = 2 * spectrum$vectors[1, ]^2)
}

# Points and weights for an interval, `parts` pieces of `n` points.
quadrature <- function(lower, upper, parts = 20, n = 12) {
  rule <- gauss_legendre(n)
  edges <- seq(lower, upper, length.out = parts + 1)
  half <- diff(edges)[1] / 2
  list(x = as.vector(outer(half * (rule$x + 1), edges[-(parts + 1)], "+")),
       w = rep(half * rule$w, parts))
}

density_1d <- function() psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
density_2d <- function() psd_density(faithful, sigma = 0.6, lambda = 1e-2)
density_bounded <- function() {
  set.seed(1)
  psd_density(rexp(500), sigma = 1, lambda = 1e-3, lower = 0)
}
density_3d <- function() {
  set.seed(2)
  x <- matrix(rnorm(300), 100, dimnames = list(NULL, c("a", "b", "c")))
  x[, 3] <- x[, 3] + x[, 1]
  psd_density(x, sigma = 1, lambda = 1e-2, base = psd_gaussian(0, 3))
}
