# Speed of the solvers, by ratio: Newton against FISTA, against one eigendecomposition of the kernel
# matrix, against kernlab. Everything in one run, so that the machine cancels out.
suppressPackageStartupMessages(library(psdmodels))
engine <- asNamespace("psdmodels")
for (name in c("psd_features", "psd_block", "linear_block", "integral_constraint", "fit_psd")) {
  assign(name, get(name, engine))
}

seconds <- function(expr, times = 1) {
  expr <- substitute(expr)
  env <- parent.frame()
  runs <- vapply(seq_len(times), function(i) system.time(eval(expr, env))[["elapsed"]], 0)
  stats::median(runs)
}
line <- function(case, ..., goal) {
  cat(sprintf("%-28s %s\n%-28s goal: %s\n", case, sprintf(...), "", goal))
}
measure <- function(d, sd = Inf) {
  list(lower = rep(-Inf, d), upper = rep(Inf, d), mean = rep(0, d), sd = rep(sd, d))
}

# Density in one dimension: Newton against FISTA ------------------------------------------------
set.seed(1)
x <- matrix(sample(c(-1, 1), 50, TRUE) + 0.3 * rnorm(50))
density_1d <- function(solver, tol, max_iter = NULL) {
  control <- psd_control(solver = solver, tol = tol, max_iter = max_iter)
  features <- psd_features(x, 1, control = control)
  fit_psd(list(psd_block(features, 1e-3, 1e-5)), list(list(name = "neg_log")), 0,
          constraints = list(integral_constraint(measure(1), 1)), control = control)
}
slow <- density_1d("fista", 1e-5)
fast <- density_1d("newton", 1e-5)
t_slow <- seconds(density_1d("fista", 1e-5), 3)
t_fast <- seconds(for (i in 1:20) density_1d("newton", 1e-5), 3) / 20
line("density 1-d, n = 50", "Newton %.2f ms (%d iterations), FISTA %.0f ms (%d): ratio %.0f",
     1e3 * t_fast, fast$iterations, 1e3 * t_slow, slow$iterations, t_slow / t_fast,
     goal = "at least 50 times faster")

# Density in ten dimensions: against one eigendecomposition -------------------------------------
set.seed(2)
n <- 1000
x10 <- matrix(rnorm(10 * n, sd = 1 / sqrt(2 * pi)), n)
x10[, 1] <- x10[, 1] + sample(c(-2, 2), n, TRUE)
kernel <- exp(-as.matrix(dist(x10))^2 / (2 * 0.6^2))
t_eigen <- seconds(eigen(kernel, symmetric = TRUE))
density_10d <- function() {
  control <- psd_control(tol = 1e-6)
  block <- psd_block(psd_features(x10, 0.6, control = control), 0.01, 1e-4)
  integral <- get("block_integral", engine)(block, measure(10, 5), rep(0, 10))
  w <- integral$value / norm(integral$value, "F")
  constraint <- list(integrals = list(w), bound = 1, equality = TRUE)
  fit_psd(list(block), list(list(name = "neg_log")), 0, constraints = list(constraint),
          control = control)
}
t_fit <- seconds(fit <- density_10d())
line("density 10-d, n = 1000",
     "%.1f s, %d iterations, gap %.1e, rank %d; eigen(K) %.2f s: ratio %.1f",
     t_fit, fit$iterations, fit$gap, fit$rank, t_eigen, t_fit / t_eigen,
     goal = "at most 30 eigendecompositions")

# Heteroscedastic regression: iterations --------------------------------------------------------
set.seed(3)
x <- matrix(seq(0, 1, length.out = 80))
mean <- 2 * (exp(-30 * (x - 0.25)^2) + sin(pi * x^2))
y <- mean + exp(sin(2 * pi * x) / 2) * rnorm(80)
y <- y - mean(y)
hetero <- function() {
  control <- psd_control(tol = 1e-8)
  fit_psd(list(linear_block(psd_features(x, 0.4, control = control), 1e-4),
               psd_block(psd_features(x, 0.3, control = control), 0.01, 1e-4)),
          list(list(name = "hetero")), y, control = control)
}
fit <- hetero()
line("heteroscedastic, n = 80", "%d iterations to gap %.1e, %.1f ms", fit$iterations, fit$gap,
     1e3 * seconds(for (i in 1:20) hetero(), 3) / 20, goal = "at most 12 iterations to 1e-8")

# Quantiles: against kernlab --------------------------------------------------------------------
set.seed(4)
n <- 500
x <- matrix(ifelse(runif(n) < 0.5, runif(n) / 3, 2 / 3 + runif(n) / 3))
y <- ifelse(x < 1 / 2, 1 / 3 - x, x - 2 / 3) * rnorm(n)
taus <- c(0.25, 0.5, 0.75)
quantiles <- function() {
  control <- psd_control(tol = 1e-5)
  features <- psd_features(x, 0.1, control = control)
  fit_psd(list(linear_block(features, 0.1), psd_block(features, 1e-3, 1e-5),
               psd_block(features, 1e-3, 1e-5)),
          lapply(taus, function(tau) list(name = "pinball", tau = tau)), cbind(y, y, y),
          mixing = cbind(1, c(-1, 0, 0), c(0, 0, 1)), control = control)
}
fit <- quantiles()
t_fit <- seconds(quantiles(), 5)
if (requireNamespace("kernlab", quietly = TRUE)) {
  t_kqr <- seconds(for (tau in taus) {
    kernlab::kqr(x, y[, 1], tau = tau, C = 1, kernel = "rbfdot", kpar = list(sigma = 50))
  })
  line("quantiles, n = 500", "%d steps, gap %.1e, %.0f ms; three kqr fits %.0f ms: ratio %.3f",
       fit$iterations, fit$gap, 1e3 * t_fit, 1e3 * t_kqr, t_fit / t_kqr,
       goal = "at most 60 steps and a tenth of kqr's time")
}
