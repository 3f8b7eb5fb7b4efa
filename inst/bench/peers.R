# Against rivals in one run, CPU seconds and their ratio: fits with given parameters, and default
# calls with all tuning. What has no rival is compared with its goal in seconds, or with an
# eigendecomposition.
#   Rscript inst/bench/peers.R [table.csv]
library(psdmodels)
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))),
                 "timing", "timing.R"))
given <- commandArgs(TRUE)
table <- if (length(given) > 0) given[1] else file.path(tempdir(), "peers.csv")

two_bumps <- function(n) ifelse(runif(n) < 0.5, rnorm(n, -1, 0.3), rnorm(n, 1, 0.6))
curve <- function(n) {
  x <- runif(n, 0, 3)
  data.frame(x, y = sin(2 * x) + (0.2 + 0.2 * x) * rnorm(n))
}
tau <- c(0.1, 0.5, 0.9)

set.seed(1)
x200 <- two_bumps(200)
x5 <- two_bumps(1e5)
x6 <- two_bumps(1e6)
plane3 <- cbind(a = two_bumps(1e3), b = rnorm(1e3))
plane5 <- cbind(a = two_bumps(1e5), b = rnorm(1e5))
x10 <- matrix(rnorm(1e4, sd = 1 / sqrt(2 * pi)), ncol = 10)
x10[, 1] <- x10[, 1] + sample(c(-2, 2), 1000, TRUE)
five <- matrix(rnorm(5e4), ncol = 5)
line5 <- curve(1e5)
distances <- exp(-as.matrix(dist(x10))^2 / (2 * 0.6^2))

# Our call, then the rival's (NULL: none) and what is asked for: a ratio, or seconds.
cases <- list(
  list("density 1-d, n = 200", 200, quote(psd_density(x200, sigma = 0.3, lambda = 1e-3)),
       "logspline", quote(logspline::logspline(x200)), ratio = 1),
  list("density 1-d, n = 1e5", 1e5, quote(psd_density(x5, sigma = 0.3, lambda = 1e-3)),
       "logspline", quote(logspline::logspline(x5)), ratio = 1),
  list("density 1-d, n = 1e6", 1e6, quote(psd_density(x6, sigma = 0.3, lambda = 1e-3)),
       "logspline", quote(logspline::logspline(x6)), seconds = 5),
  list("density 2-d, n = 1000, sigma 0.3", 1e3,
       quote(psd_density(plane3, sigma = 0.3, lambda = 1e-2)),
       "ks", quote(ks::kde(plane3)), ratio = 1),
  list("density 2-d, n = 1e5, sigma 1", 1e5, quote(psd_density(plane5, sigma = 1, lambda = 1e-2)),
       "ks", quote(ks::kde(plane5)), seconds = 30),
  list("density 5-d, n = 1e4, 100 landmarks", 1e4,
       quote(psd_density(five, sigma = 2, lambda = 1e-2, control = psd_control(max_rank = 100))),
       "none", NULL, seconds = 60),
  list("density 10-d, n = 1000", 1e3,
       quote(psd_density(x10, sigma = 0.6, lambda = 0.01, standardize = FALSE,
                         base = psd_gaussian(0, 5))),
       "eigen", quote(eigen(distances, symmetric = TRUE)), ratio = 15),
  list("mean and variance, n = 1e5", 1e5, quote(psd_hetero(y ~ x, line5, sigma = 0.3,
                                                           lambda = 1e-3)),
       "mgcv", quote(mgcv::gam(list(y ~ s(x), ~ s(x)), family = mgcv::gaulss(), data = line5)),
       seconds = 2),
  list("three quantiles, n = 1e5", 1e5, quote(psd_quantreg(y ~ x, line5, tau = tau, sigma = 0.3,
                                                           lambda = 1e-3)),
       "quantreg", quote({
         qss <- quantreg::qss
         for (t in tau) quantreg::rqss(y ~ qss(x, lambda = 1), tau = t, data = line5)
       }), seconds = 5),
  list("default, faithful", 272, quote(psd_density(faithful)), "ks", quote(ks::kde(faithful)),
       seconds = 1),
  list("default, five quantiles of mcycle", 133,
       quote(psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.25, 0.5, 0.75, 0.9))),
       "quantreg", quote({
         qss <- quantreg::qss
         for (t in c(0.1, 0.25, 0.5, 0.75, 0.9)) {
           quantreg::rqss(accel ~ qss(times), tau = t, data = MASS::mcycle)
         }
       }), seconds = 1.5),
  list("default, 1-d n = 2000", 2000, quote(psd_density(x5[1:2000])), "logspline",
       quote(logspline::logspline(x5[1:2000])), seconds = 5),
  list("default, 1-d n = 1e5", 1e5, quote(psd_density(x5)), "logspline",
       quote(logspline::logspline(x5)), seconds = 30)
)

compared <- function(case) {
  ours <- timed(eval(case[[3]], globalenv()))
  rival <- NA
  if (!is.null(case[[5]]) && (case[[4]] == "eigen" || has(case[[4]]))) {
    rival <- timed(eval(case[[5]], globalenv()))$seconds
  }
  row <- timing_row(case[[1]], case[[2]], "psdmodels", ours)
  row <- cbind(row[names(row) != "method"], rival = case[[4]],
               rival_seconds = signif(max(rival, 1e-3), 3),
               ratio = signif(row$seconds / max(rival, 1e-3), 3),
               goal = if (is.null(case$ratio)) paste(case$seconds, "s")
                      else paste(case$ratio, "times the rival"),
               reached = if (is.null(case$ratio)) row$seconds <= case$seconds
                         else row$seconds <= case$ratio * rival)
  cat(sprintf("%-36s %8.3f s   %s %.3f s   goal: %s%s\n", row$case, row$seconds, row$rival,
              row$rival_seconds, row$goal, if (isTRUE(row$reached)) "" else "   NOT REACHED"))
  row
}
# Written as it grows, as the rivals take minutes, and gone on with if it is there: remove it to
# begin anew.
results <- begun_timing(table)
for (case in cases) {
  if (case[[1]] %in% results$case) next
  results <- rbind(results, compared(case))
  write_timing(results, table)
}
