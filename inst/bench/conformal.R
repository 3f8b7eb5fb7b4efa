# Coverage and width of conformal intervals at 90 % over many samples, on a homoscedastic and a
# heteroscedastic design: psd_conformal() around quantiles and around mean and variance, with
# calibration data and by cv+, against split conformal around lm() and, where ranger is installed,
# around its quantiles. Kernel widths and penalties are tuned once, on a sample of their own.
#   Rscript inst/bench/conformal.R [samples] [table.csv]
library(psdmodels)
given <- commandArgs(TRUE)
samples <- if (length(given) > 0) as.integer(given[1]) else 200
level <- 0.9
tau <- c(0.05, 0.5, 0.95)

designs <- list(
  homoscedastic = function(x) 0.3 + 0 * x,
  heteroscedastic = function(x) 0.1 + 0.5 * x
)
draw <- function(n, sd) {
  x <- runif(n)
  data.frame(x, y = sin(6 * x) + sd(x) * rnorm(n))
}

# Each from training data (all of it, for cv+) and calibration data to a function of new data that
# gives a matrix with columns lwr and upr.
split_reach <- function(score, n) sort(score)[ceiling(level * (n + 1))]
around_lm <- function(train, calibration) {
  fit <- lm(y ~ x, train)
  reach <- split_reach(abs(calibration$y - predict(fit, calibration)), nrow(calibration))
  function(new) cbind(lwr = predict(fit, new) - reach, upr = predict(fit, new) + reach)
}
around_ranger <- function(train, calibration) {
  fit <- ranger::ranger(y ~ x, train, quantreg = TRUE, num.trees = 300, min.node.size = 20,
                        num.threads = 1)
  ends <- function(new) {
    predict(fit, new, type = "quantiles", quantiles = tau[c(1, 3)], num.threads = 1)$predictions
  }
  q <- ends(calibration)
  reach <- split_reach(pmax(q[, 1] - calibration$y, calibration$y - q[, 2]), nrow(calibration))
  function(new) cbind(lwr = ends(new)[, 1] - reach, upr = ends(new)[, 2] + reach)
}
around_psd <- function(fitting, set, cv) {
  function(train, calibration) {
    if (cv) train <- rbind(train, calibration)
    fit <- do.call(fitting, c(list(y ~ x, train), set))
    safe <- psd_conformal(fit, if (cv) "cv+" else calibration, level)
    function(new) suppressWarnings(predict(safe, new), classes = "psd_extrapolation")
  }
}

run_design <- function(name) {
  sd <- designs[[name]]
  set.seed(1)
  first <- draw(400, sd)
  chosen <- function(fit) {
    as_given <- function(p) if (length(p) > 1) as.list(p) else p
    lapply(fit$parameters[c("sigma", "lambda", "ridge")], as_given)
  }
  quantiles <- c(chosen(psd_quantreg(y ~ x, first, tau = tau)), list(tau = tau))
  normal <- chosen(psd_hetero(y ~ x, first))
  methods <- list(
    "psd_quantreg, split" = around_psd(psd_quantreg, quantiles, FALSE),
    "psd_quantreg, cv+" = around_psd(psd_quantreg, quantiles, TRUE),
    "psd_hetero, split" = around_psd(psd_hetero, normal, FALSE),
    "psd_hetero, cv+" = around_psd(psd_hetero, normal, TRUE),
    "lm, split" = around_lm
  )
  if (requireNamespace("ranger", quietly = TRUE)) methods$"ranger quantiles, split" <- around_ranger
  rows <- lapply(seq_len(samples), function(i) {
    set.seed(1000 + i)
    train <- draw(200, sd)
    calibration <- draw(200, sd)
    new <- draw(500, sd)
    do.call(rbind, lapply(names(methods), function(method) {
      ends <- methods[[method]](train, calibration)(new)
      inside <- new$y >= ends[, "lwr"] & new$y <= ends[, "upr"]
      data.frame(design = name, method, coverage = mean(inside),
                 width = mean(ends[, "upr"] - ends[, "lwr"]))
    }))
  })
  do.call(rbind, rows)
}

results <- do.call(rbind, lapply(names(designs), run_design))
groups <- split(results, list(results$method, results$design), drop = TRUE)
table <- do.call(rbind, lapply(groups, function(rows) {
  data.frame(rows[1, c("design", "method")], samples = nrow(rows),
             coverage = 100 * mean(rows$coverage),
             coverage_se = 100 * sd(rows$coverage) / sqrt(nrow(rows)), width = mean(rows$width),
             row.names = NULL)
}))
table <- table[order(table$design != "homoscedastic", table$method), ]
rownames(table) <- NULL
print(format(table, digits = 3), row.names = FALSE)
if (length(given) > 1) write.csv(table, given[2], row.names = FALSE)
