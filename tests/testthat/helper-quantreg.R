# A quick fit with known truth: quantiles of y given x are sin(6 x) + (0.2 + x) qnorm(tau).
simulated_quantiles <- function(n = 120, seed = 1) {
  set.seed(seed)
  x <- runif(n)
  data.frame(x = x, y = sin(6 * x) + (0.2 + x) * rnorm(n))
}

quick_quantreg <- function(..., data = simulated_quantiles(), tau = c(0.1, 0.5, 0.9), sigma = 0.6,
                           lambda = 0.01) {
  psd_quantreg(y ~ x, data, tau = tau, sigma = sigma, lambda = lambda, ...)
}

reference_quantiles <- function(...) {
  j <- 0:39
  x <- j / 13 + 0.02 * cos(5 * j)
  y <- 2 * sin(2 * x) + (0.3 + 0.25 * x) * sin(37 * j + 0.4 * j^2)
  psd_quantreg(x = x, y = y, tau = c(0.1, 0.5, 0.9), sigma = list(linear = 0.12, psd = 0.15),
               lambda = list(linear = 0.02, psd = 0.01), standardize = FALSE, constant = FALSE, ...)
}
