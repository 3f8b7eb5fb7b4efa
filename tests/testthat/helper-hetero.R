# Small data and fits that several files share.

hetero_data <- function(n = 60, seed = 1) {
  set.seed(seed)
  x <- stats::runif(n, -2, 3)
  data.frame(x = x, y = 4 + sin(2 * x) + exp(x / 3) * stats::rnorm(n) / 2)
}

hetero_fit <- function(data = hetero_data(), ..., sigma = 0.5, lambda = 0.003) {
  psd_hetero(y ~ x, data, sigma = sigma, lambda = lambda, ...)
}

reference_data <- function() {
  j <- 0:39
  x <- j / 13 + 0.02 * cos(5 * j)
  data.frame(x = x, y = 2 * sin(2 * x) + (0.3 + 0.25 * x) * sin(37 * j + 0.4 * j^2))
}

quietly <- function(expr) suppressWarnings(expr, classes = "psd_extrapolation")
