# Time against the number of rows, parameters given: CPU seconds (user and system) of densities, of
# quantiles and of mean and variance, with rivals in the same run. A series stops at the first n
# that took more than `limit` seconds. The table is written as it grows, and gone on with if it is
# there: remove it to begin anew.
#   Rscript inst/bench/growth.R [table.csv] [figure.png] [limit]
library(psdmodels)
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))),
                 "timing", "timing.R"))
given <- commandArgs(TRUE)
table <- if (length(given) > 0) given[1] else file.path(tempdir(), "growth.csv")
figure <- if (length(given) > 1) given[2] else file.path(tempdir(), "growth.png")
limit <- if (length(given) > 2) as.numeric(given[3]) else 60

two_bumps <- function(n) ifelse(runif(n) < 0.5, rnorm(n, -1, 0.3), rnorm(n, 1, 0.6))
plane <- function(n) cbind(a = two_bumps(n), b = rnorm(n))
curve <- function(n) {
  x <- runif(n, 0, 3)
  data.frame(x, y = sin(2 * x) + (0.2 + 0.2 * x) * rnorm(n))
}
tau <- c(0.1, 0.5, 0.9)
exact <- psd_control(bin_from = Inf)

series <- list(
  "density 1-d" = list(
    draw = two_bumps, n = 10^(2:6),
    psdmodels = function(x) psd_density(x, sigma = 0.3, lambda = 1e-3),
    "psdmodels, not binned" = function(x) {
      psd_density(x, sigma = 0.3, lambda = 1e-3, control = exact)
    },
    logspline = if (has("logspline")) function(x) logspline::logspline(x),
    ks = if (has("ks")) function(x) ks::kde(x)
  ),
  "density 2-d" = list(
    draw = plane, n = 10^(2:6),
    psdmodels = function(x) psd_density(x, sigma = 1, lambda = 1e-2),
    ks = if (has("ks")) function(x) ks::kde(x)
  ),
  "mean and variance" = list(
    draw = curve, n = 10^(2:6),
    psdmodels = function(d) psd_hetero(y ~ x, d, sigma = 0.3, lambda = 1e-3),
    mgcv = if (has("mgcv")) {
      function(d) mgcv::gam(list(y ~ s(x), ~ s(x)), family = mgcv::gaulss(), data = d)
    }
  ),
  "three quantiles" = list(
    draw = curve, n = 10^(2:6),
    psdmodels = function(d) psd_quantreg(y ~ x, d, tau = tau, sigma = 0.3, lambda = 1e-3),
    rqss = if (has("quantreg")) {
      qss <- quantreg::qss
      function(d) for (t in tau) quantreg::rqss(y ~ qss(x, lambda = 1), tau = t, data = d)
    }
  )
)

# Without bins a million rows take gigabytes.
most <- function(method) if (grepl("not binned", method)) 1e5 else Inf

results <- begun_timing(table)
known <- function(case, method, n) {
  results[results$case == case & results$method == method & results$n == n, ]
}
for (case in names(series)) {
  one <- series[[case]]
  for (method in setdiff(names(one), c("draw", "n"))) {
    if (is.null(one[[method]])) next
    for (n in one$n[one$n <= most(method)]) {
      row <- known(case, method, n)
      if (NROW(row) == 0) {
        set.seed(1)
        data <- one$draw(n)
        row <- timing_row(case, n, method, timed(one[[method]](data)))
        results <- rbind(results, row)
        write_timing(results, table)
        show_row(row)
      }
      if (row$seconds > limit) break
    }
  }
}

# Slopes of log time in log n, from a thousand rows on.
for (case in names(series)) {
  one <- results[results$case == case & results$method == "psdmodels" & results$n >= 1000, ]
  if (nrow(one) > 1) {
    cat(sprintf("%-20s slope %.2f\n", case, coef(lm(log(seconds) ~ log(n), one))[[2]]))
  }
}

picture <- ggplot2::ggplot(results, ggplot2::aes(n, seconds, colour = method)) +
  ggplot2::geom_line() + ggplot2::geom_point(size = 1) +
  ggplot2::facet_wrap(~ case, nrow = 1) +
  ggplot2::scale_x_log10(labels = function(n) sprintf("1e%d", log10(n))) +
  ggplot2::scale_y_log10(labels = function(s) format(s, drop0trailing = TRUE, trim = TRUE)) +
  ggplot2::scale_colour_brewer(palette = "Dark2") +
  ggplot2::labs(x = "rows", y = "CPU seconds", colour = NULL) +
  ggplot2::theme_minimal(base_size = 10) +
  ggplot2::theme(legend.position = "bottom", panel.spacing = ggplot2::unit(1.2, "lines"))
ggplot2::ggsave(figure, picture, width = 8, height = 3, dpi = 110, bg = "white")
