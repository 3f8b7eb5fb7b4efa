# Rscript inst/paper/ncm.R: how well a mixture of kernels approximates a function narrower than they
# are. Seconds.
source(system.file("paper", "common.R", package = "psdmodels"), local = TRUE)

sizes <- c(100, 1000, 10000)

# The widths of the paper's figure: k = exp(-d^2 / 4), wider than the standard normal density.
drawn <- list(target = dnorm, sigma = sqrt(2), lambda = 10^-(3:6), from = -5, to = 5)

# The widths that its text prints: k = exp(-d^2), narrower than exp(-x^2 / 2), on [-1, 1].
printed <- list(target = function(x) exp(-x^2 / 2), sigma = sqrt(1 / 2), lambda = 1e-9, from = -1,
                to = 1)

# Least squares at n points of [-5, 5].
fit_ncm <- function(n, example = drawn, lambda = example$lambda) {
  x <- seq(-5, 5, length.out = n)
  tuned_fit(psd_regression, x = x, y = example$target(x), model = "ncm", sigma = example$sigma,
            lambda = lambda, constant = FALSE)
}

ncm_curve <- function(fit, from = -5, to = 5) {
  x <- seq(from, to, length.out = 401)
  data.frame(x = x, f = predict(fit, x))
}

sup_error <- function(fit, example) {
  curve <- ncm_curve(fit, example$from, example$to)
  max(abs(curve$f - example$target(curve$x)))
}

compute_ncm <- function(name) {
  example <- list(drawn = drawn, printed = printed)[[name]]
  fits <- lapply(sizes, fit_ncm, example)
  rows <- lapply(fits, function(fit) {
    data.frame(n = fit$n, lambda = fit$parameters$lambda, sup_error = sup_error(fit, example),
               at_zero = predict(fit, 0), kernels = fit$landmarks, iterations = fit$iterations,
               gap = fit$gap, status = fit$status, seconds = fit$seconds)
  })
  list(table = do.call(rbind, rows),
       curves = lapply(fits, function(fit) signif(ncm_curve(fit), 7)))
}

if (sys.nframe() == 0) store_results("ncm", c("drawn", "printed"), compute_ncm)
