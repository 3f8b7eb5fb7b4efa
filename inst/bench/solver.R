# Speed of the solvers, by ratio: Newton against FISTA, against one eigendecomposition of the kernel
# matrix, against kernlab. Everything in one run, so that the machine cancels out.
suppressPackageStartupMessages(library(psdmodels))

# CPU seconds, the median over `times` runs.
seconds <- function(expr, times = 1) {
  expr <- substitute(expr)
  env <- parent.frame()
  runs <- vapply(seq_len(times), function(i) sum(system.time(eval(expr, env))[1:2]), 0)
  stats::median(runs)
}
line <- function(case, ..., goal) {
  cat(sprintf("%-28s %s\n%-28s goal: %s\n", case, sprintf(...), "", goal))
}

# Density in one dimension: Newton against FISTA ------------------------------------------------
set.seed(1)
x <- sample(c(-1, 1), 50, TRUE) + 0.3 * rnorm(50)
density_1d <- function(solver) {
  psd_density(x, sigma = 1, lambda = 1e-3, standardize = FALSE, penalty = "raw",
              control = psd_control(solver = solver, tol = 1e-5))
}
slow <- density_1d("fista")
fast <- density_1d("newton")
t_slow <- seconds(density_1d("fista"), 3)
t_fast <- seconds(for (i in 1:20) density_1d("newton"), 3) / 20
line("density 1-d, n = 50", "Newton %.2f ms (%d iterations), FISTA %.0f ms (%d): ratio %.0f",
     1e3 * t_fast, fast$iterations, 1e3 * t_slow, slow$iterations, t_slow / t_fast,
     goal = "at least 50 times faster")

# Density in ten dimensions: against one eigendecomposition -------------------------------------
set.seed(2)
n <- 1000
x10 <- matrix(rnorm(10 * n, sd = 1 / sqrt(2 * pi)), n)
x10[, 1] <- x10[, 1] + sample(c(-2, 2), n, TRUE)
kernel <- exp(-as.matrix(dist(x10))^2 / (2 * 0.6^2))
t_eigen <- seconds(eigen(kernel, symmetric = TRUE), 3)
t_fit <- seconds(fit <- psd_density(x10, sigma = 0.6, lambda = 0.01, standardize = FALSE,
                                    base = psd_gaussian(0, 5)))
line("density 10-d, n = 1000",
     "%.1f s, %d iterations, gap %.1e, rank %d; eigen(K) %.2f s: ratio %.1f",
     t_fit, fit$iterations, fit$gap, fit$rank, t_eigen, t_fit / t_eigen,
     goal = "at most 15 eigendecompositions")

# Heteroscedastic regression: iterations, and several predictors --------------------------------
set.seed(3)
x <- seq(0, 1, length.out = 80)
mean <- 2 * (exp(-30 * (x - 0.25)^2) + sin(pi * x^2))
y <- mean + exp(sin(2 * pi * x) / 2) * rnorm(80)
y <- y - mean(y)
hetero <- function() {
  psd_hetero(x = x, y = y, sigma = list(linear = 0.4, psd = 0.3),
             lambda = list(linear = 1e-4, psd = 0.01), standardize = FALSE, constant = FALSE,
             control = psd_control(tol = 1e-8))
}
fit <- hetero()
line("heteroscedastic, n = 80", "%d iterations to gap %.1e, %.1f ms", fit$iterations, fit$gap,
     1e3 * seconds(for (i in 1:20) hetero(), 3) / 20, goal = "at most 12 iterations to 1e-8")

set.seed(5)
x <- matrix(rnorm(4 * 500), 500)
y <- x[, 1] + exp(x[, 2] / 3) * rnorm(500)
t_eigen <- seconds(eigen(exp(-as.matrix(dist(x))^2 / 8), symmetric = TRUE), 3)
t_fit <- seconds(fit <- psd_hetero(x = x, y = y, sigma = 2, lambda = 1e-3), 3)
line("heteroscedastic 4-d, n = 500", "%d iterations, gap %.1e, %.2f s; eigen(K) %.2f s: ratio %.1f",
     fit$iterations, fit$gap, t_fit, t_eigen, t_fit / t_eigen,
     goal = "a few eigendecompositions an iteration")

# Quantiles: against kernlab --------------------------------------------------------------------
set.seed(4)
n <- 500
x <- ifelse(runif(n) < 0.5, runif(n) / 3, 2 / 3 + runif(n) / 3)
y <- ifelse(x < 1 / 2, 1 / 3 - x, x - 2 / 3) * rnorm(n)
taus <- c(0.25, 0.5, 0.75)
quantiles <- function() {
  psd_quantreg(x = x, y = y, tau = taus, sigma = 0.1, lambda = list(linear = 0.1, psd = 1e-3),
               standardize = FALSE, constant = FALSE, control = psd_control(tol = 1e-5))
}
fit <- quantiles()
t_fit <- seconds(quantiles(), 5)
if (requireNamespace("kernlab", quietly = TRUE)) {
  t_kqr <- seconds(for (tau in taus) {
    kernlab::kqr(matrix(x), y, tau = tau, C = 1, kernel = "rbfdot", kpar = list(sigma = 50))
  })
  line("quantiles, n = 500", "%d steps, gap %.1e, %.0f ms; three kqr fits %.0f ms: ratio %.3f",
       fit$iterations, fit$gap, 1e3 * t_fit, 1e3 * t_kqr, t_fit / t_kqr,
       goal = "at most 60 steps and a tenth of kqr's time")
}
