# The dearer verbs, on the cheapest settings: those that the plan of a case names.

check_verbs <- function(log, fit, data, plan) {
  if (fit$problem == "density") density_verbs(log, fit, data, plan)
  if (fit$problem %in% c("quantreg", "hetero")) response_verbs(log, fit, data, plan)
  few <- fit$n <= 50
  if ("boot" %in% plan && few) boot_checks(log, fit, data)
  if ("cv" %in% plan && few) watched(log, "cv", psd_cv(fit, psd_tune(folds = 2, repeats = 1)))
  if ("verify" %in% plan && few && fit$status == "converged" && log$lost == 0) {
    verify_checks(log, fit, data)
  }
  if ("rest" %in% plan) rest_checks(log, fit, data)
}

# What no other check asks for.
rest_checks <- function(log, fit, data) {
  check_values(log, "fitted", fitted(fit), no_nan)
  watched(log, "augment", augment(fit))
  watched(log, "simulate", simulate(fit, 2, seed = 1))
  watched(log, "coef", coef(fit))
  watched(log, "nobs", nobs(fit))
  watched(log, "formula", formula(fit))
  if (fit$n <= 50) watched(log, "update", update(fit, sigma = 1, lambda = 0.5))
  watched(log, "tuning", plot(fit, which = "tuning"))
}

density_verbs <- function(log, fit, data, plan) {
  d <- ncol(fit$range)
  if ("regions" %in% plan) {
    check_frame(log, "hdr", psd_hdr(fit, c(0.5, 0.9), n = if (d == 2) 31 else 100), "level")
  }
  if ("modes" %in% plan) check_frame(log, "mode", psd_mode(fit), "density")
  if ("product" %in% plan) product_checks(log, fit, data)
  if ("distribution" %in% plan) {
    whole <- watched(log, "distribution", predict(fit, type = "distribution"))
    check_distribution(log, whole, d)
    if (d > 1) {
      given <- stats::setNames(as.data.frame(fit$range[, 1, drop = FALSE]), fit$recipe$columns[1])
      rest <- watched(log, "distribution", predict(fit, given, type = "distribution"))
      check_distribution(log, rest, d - 1)
    }
  }
}

# A data frame of finite numbers with at least one row, and one column above zero. Ends of intervals
# may be those of a support without bounds.
check_frame <- function(log, what, expression, above_zero) {
  frame <- watched(log, what, expression)
  if (inherits(frame, "failed")) return(invisible())
  ends <- names(frame) %in% c("lower", "upper")
  if (nrow(frame) == 0) log$add(what, "no rows")
  if (!all(is.finite(as.matrix(frame[!ends]))) || anyNA(frame)) log$add(what, "not finite")
  else if (any(frame[[above_zero]] <= 0)) log$add(what, c(above_zero, "not above zero"))
}

# With itself, and with another density of one variable: that of the next column.
product_checks <- function(log, fit, data) {
  is_one <- function(p) abs(p - 1) <= max(1e-6, 10 * log$lost)
  none <- function(x) !is.na(x) & x >= 0
  d <- ncol(fit$range)
  pairs <- list(list(fit, fit))
  if (d > 1 && fit$model != "glm") {
    one <- watched(log, "marginal", psd_marginal(fit, 1))
    two <- watched(log, "marginal", psd_marginal(fit, 2))
    known <- !inherits(one, "failed") && !inherits(two, "failed")
    if (known) pairs <- c(pairs, list(list(one, two)))
  } else {
    other <- watched(log, "other", psd_density(data$z, sigma = 1, lambda = 0.1))
    if (!inherits(other, "failed")) pairs <- c(pairs, list(list(fit, other), list(other, fit)))
  }
  for (pair in pairs) {
    product <- watched(log, "product", psd_product(pair[[1]], pair[[2]]))
    if (!inherits(product, "failed")) {
      check_values(log, "product", psd_prob(product), is_one)
      check_values(log, "product", predict(product, matching_newdata(product, product$range)),
                   non_negative)
    }
    for (type in c("L2", "KL")) {
      check_values(log, type, psd_divergence(pair[[1]], pair[[2]], type, draws = 50), none)
    }
  }
}

response_verbs <- function(log, fit, data, plan) {
  if ("distribution" %in% plan) {
    whole <- watched(log, "distribution", predict(fit, type = "distribution"))
    check_distribution(log, whole, 1)
  }
  if ("conformal" %in% plan && fit$n <= 50) {
    for (calibration in list(data, "cv+")) {
      safe <- watched(log, "conformal", psd_conformal(fit, calibration, level = 0.6, folds = 2))
      if (inherits(safe, "failed")) next
      watched(log, "conformal", utils::capture.output(print(safe)))
      ends <- check_values(log, "conformal", predict(safe), no_nan)
      ends <- matrix(ends, ncol = 3)
      if (!anyNA(ends) && fit$model != "pnm" && any(ends[, 2] > ends[, 3])) {
        log$add("conformal", "lower above upper")
      }
    }
  }
}

# Elements of package 'distributional'; quantiles and moments are those of one variable.
check_distribution <- function(log, distribution, d) {
  if (inherits(distribution, "failed") || d > 1) return(invisible())
  check_values(log, "distribution mean", mean(distribution), no_nan)
  q <- check_values(log, "distribution quantile", quantile(distribution, 0.4), no_nan)
  if (!is.null(q) && all(is.finite(q))) {
    check_values(log, "distribution cdf", unlist(distributional::cdf(distribution, q)), in_unit)
  }
  check_values(log, "distribution generate",
               unlist(distributional::generate(distribution, 2)), no_nan)
}

boot_checks <- function(log, fit, data) {
  boot <- watched(log, "boot", psd_boot(fit, R = 3, seed = 1))
  if (inherits(boot, "failed")) return(invisible())
  watched(log, "boot", utils::capture.output(print(boot)))
  newdata <- if (fit$problem == "density") matching_newdata(fit, fit$range)
  for (band in c("pointwise", "simultaneous")) {
    out <- watched(log, "boot", predict(boot, newdata, band = band))
    if (inherits(out, "failed")) next
    check_values(log, paste("boot", band), out[setdiff(names(out), "column")],
                 if (fit$problem == "hetero") no_nan else is.finite)
  }
}

# Everything that the certificate says, computed once more.
verify_checks <- function(log, fit, data) {
  weights <- if (!is.null(fit$call$weights)) data$w
  columns <- data[grepl("^x", names(data))]
  kept <- is.null(fit$call$subset) && all(stats::complete.cases(columns))
  if (fit$problem == "density" && !kept) return(invisible())
  points <- if (fit$problem == "density") data
  if (fit$recipe$type == "vector") points <- data$x1
  checks <- watched(log, "verify", psd_verify(fit, points, weights, steps = 2000))
  if (inherits(checks, "failed")) return(invisible())
  bad <- which(!checks$holds)
  for (i in bad) {
    log$add("verify", sprintf("%s: found %g, claimed %g", checks$check[i], checks$found[i],
                              checks$claimed[i]))
  }
}
