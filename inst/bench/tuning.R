# Rscript tuning.R [samples]: what the default choice of sigma and lambda costs and what it is
# worth.
suppressPackageStartupMessages(library(psdmodels))
samples <- c(as.integer(commandArgs(TRUE)), 10L)[1]
seconds <- function(expr) system.time(expr)[["elapsed"]]
line <- function(case, time, goal) cat(sprintf("%-44s %7.2f s   goal: %s\n", case, time, goal))

# Time of a fit with no parameter given -----------------------------------------------------------
set.seed(1)
x <- rnorm(200)
line("psd_density, 1-d, n = 200", seconds(psd_density(x)), "under 1 s")
x <- rnorm(2000)
line("psd_density, 1-d, n = 2000", seconds(psd_density(x)), "under 5 s")
quantile_data <- psd_toy("quantile", 500)
line("psd_quantreg, n = 500, three levels",
     seconds(psd_quantreg(y ~ x, quantile_data, tau = c(0.25, 0.5, 0.75))), "under 20 s")
hetero_data <- psd_toy("hetero", 80)
line("psd_hetero, n = 80", seconds(psd_hetero(y ~ x, hetero_data)), "under 3 s")

# Newton iterations along a path of penalties, each fit started from the ones before or afresh ----
iterations <- function(x, sigma) {
  d <- ncol(x)
  everywhere <- list(lower = rep(-Inf, d), upper = rep(Inf, d), mean = rep(0, d), sd = rep(Inf, d))
  engine <- psdmodels:::density_engine(x, rep(1, nrow(x)), everywhere, "gaussian", "scaled",
                                       psd_control(tol = 2e-3), list())
  problem <- engine$prepare(engine$rows, sigma * sqrt(d))
  count <- c(warm = 0, cold = 0)
  previous <- NULL
  for (lambda in sqrt(10)^-(0:6)) {
    previous <- engine$solve(problem, lambda, 0.01, previous = previous)
    count <- count + c(previous$iterations, engine$solve(problem, lambda, 0.01)$iterations)
  }
  count
}
set.seed(9)
one <- matrix(rnorm(160))
two <- matrix(rnorm(400), 200)
count <- rowSums(sapply(c(0.3, 0.6, 1.2), function(s) iterations(one, s) + iterations(two, s)))
cat(sprintf("Newton iterations: %d warm, %d cold, %.2f   goal: 0.50\n", count[["warm"]],
            count[["cold"]], count[["warm"]] / count[["cold"]]))

# Ten dimensions: the paper's mixture, a grid of 5 by 6, 5 folds, 2 workers where possible ----
if (requireNamespace("future.apply", quietly = TRUE)) {
  future::plan(future::multisession, workers = 2)
}
x10 <- as.matrix(psd_toy("mixture10d", 1000))
time <- seconds(psd_density(x10, sigma = 0.6 * 2^((-2:2) / 2), lambda = 10^-(0:5), ridge = 0.01,
                            standardize = FALSE, base = psd_gaussian(0, 5)))
line("psd_density, 10-d, n = 1000, 30 candidates", time, "under 600 s")
if (requireNamespace("future.apply", quietly = TRUE)) future::plan(future::sequential)

# Held-out loss of the default against the best of a grid, on Marron and Wand's mixtures (1992) ----
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "accuracy", "mixtures.R"))
mixtures <- mixtures[1:10]
draw <- function(m, n) {
  k <- sample.int(length(m$weight), n, TRUE, m$weight)
  rnorm(n, m$mean[k], m$sd[k])
}
# The expected loss by quadrature: the midpoints of equal shares of each component.
quadrature <- function(m, size = 1000) {
  z <- qnorm((seq_len(size) - 0.5) / size)
  list(at = as.vector(outer(z, m$sd) + rep(m$mean, each = size)),
       weight = rep(m$weight / size, each = size))
}
loss_of <- function(fit, nodes) {
  -sum(nodes$weight * pmax(predict(fit, nodes$at, type = "log"), -1e3))
}
# Two readings of "the best of the grid", both with hindsight: the best cell of each sample, and the
# cell that is best on average over the samples of a mixture.
sigmas <- exp(seq(log(0.1), log(8), length.out = 10))
lambdas <- 10^seq(0, -4.5, by = -0.5)
cells <- expand.grid(sigma = sigmas, lambda = lambdas)
loose <- psd_control(tol = 1e-3, rank_tol = 1e-6)
excess <- vapply(names(mixtures), function(name) {
  nodes <- quadrature(mixtures[[name]])
  losses <- vapply(seq_len(samples), function(i) {
    set.seed(i)
    x <- draw(mixtures[[name]], 200)
    tuned <- loss_of(psd_density(x), nodes)
    grid <- mapply(function(sigma, lambda) {
      loss_of(psd_density(x, sigma = sigma, lambda = lambda, control = loose), nodes)
    }, cells$sigma, cells$lambda)
    c(tuned, grid)
  }, numeric(1 + nrow(cells)))
  own <- losses[1, ] - apply(losses[-1, , drop = FALSE], 2, min)
  fixed <- mean(losses[1, ]) - min(rowMeans(losses[-1, , drop = FALSE]))
  cat(sprintf(paste0("%-16s loses %.4f (se %.4f) to the best of each sample, ",
                     "%.4f to the best on average\n"),
              name, mean(own), sd(own) / sqrt(samples), fixed))
  c(mean(own), fixed)
}, c(0, 0))
cat(sprintf("mean over the mixtures %.4f and %.4f, largest %.4f and %.4f; goal: at most 0.02\n",
            mean(excess[1, ]), mean(excess[2, ]), max(excess[1, ]), max(excess[2, ])))
