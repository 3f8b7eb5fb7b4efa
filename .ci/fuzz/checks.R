# What every fit and each of its verbs promises: numbers that are numbers, or a classed condition.

# The problems of one case, as data frame(what, message); none if all is well.
new_log <- function() {
  found <- list()
  list(
    add = function(what, message) {
      message <- gsub("\\s+", " ", paste(message, collapse = " "))
      found[[length(found) + 1]] <<- data.frame(what = what, message = substr(message, 1, 200))
    },
    found = function() unique(do.call(rbind, found)),
    lost = 0, conditions = character()
  )
}

# R's own word on axes of plots whose range is subnormal.
axis_warning <- "R_pretty|not pretty[(]|CreateAtVector"

# The value of an expression, or "failed" with what was wrong in the log. Conditions of classes
# psd_* are all right.
watched <- function(log, what, expression) {
  begin <- used_seconds()
  on.exit({
    seconds <- used_seconds() - begin
    if (seconds > limit) log$add(what, sprintf("took %.1f s", seconds))
  })
  tryCatch(
    withCallingHandlers(
      expression,
      warning = function(w) {
        known <- any(grepl("^psd_", class(w))) || grepl(axis_warning, conditionMessage(w))
        if (!known) log$add(what, c("warning:", conditionMessage(w)))
        if (known) log$conditions <- c(log$conditions, class(w)[1])
        if (inherits(w, "psd_not_converged")) log$stopped <- TRUE
        if (inherits(w, "psd_rounding")) log$lost <- max(log$lost, w$lost)
        invokeRestart("muffleWarning")
      },
      message = function(m) invokeRestart("muffleMessage")
    ),
    error = function(e) {
      if (!inherits(e, "psd_error")) log$add(what, c("error:", conditionMessage(e)))
      else if (!grepl("`|column|response|data|support", conditionMessage(e), TRUE)) {
        log$add(what, c("names no argument:", conditionMessage(e)))
      }
      structure(list(), class = "failed")
    }
  )
}

# A value that is finite (or as `good` says) everywhere.
check_values <- function(log, what, expression, good = is.finite) {
  value <- watched(log, what, expression)
  if (inherits(value, "failed")) return(NULL)
  value <- as.vector(as.matrix(value))
  bad <- which(!good(value))
  if (length(bad) > 0) log$add(what, c(length(bad), "bad values, first:", value[bad[1]]))
  invisible(value)
}

non_negative <- function(x) is.finite(x) & x >= 0
no_nan <- function(x) !is.nan(x) & !is.na(x)
in_unit <- function(x) !is.na(x) & x >= 0 & x <= 1
up_to <- function(whole) function(x) non_negative(x) & x <= max(whole) * (1 + 1e-9)

check_fit <- function(log, fit, data) {
  common_checks(log, fit, data)
  switch(fit$problem, density = density_checks(log, fit), intensity = intensity_checks(log, fit),
         quantreg = quantreg_checks(log, fit, data), hetero = hetero_checks(log, fit, data),
         regression = regression_checks(log, fit, data))
}

common_checks <- function(log, fit, data) {
  row <- watched(log, "glance", glance(fit))
  if (row$converged && !is.na(row$gap)) {
    tol <- eval(fit$call$control %||% quote(psd_control()))$tol
    each <- fit$average %||% row  # those of an average each by its own objective
    if (!isTRUE(all(each$gap <= 1.001 * tol * pmax(1, abs(each$objective)) * 10))) {
      log$add("gap", c("converged with gap", row$gap))
    }
  }
  watched(log, "print", utils::capture.output(print(fit)))
  watched(log, "summary", utils::capture.output(print(summary(fit))))
  watched(log, "tidy", tidy(fit))
  watched(log, "plot", plot(fit))
  watched(log, "autoplot", ggplot2::ggplot_build(autoplot(fit)))
  if (fit$problem != "density") watched(log, "augment", augment(fit))
}

# Points at, between and beyond the data.
points_near <- function(range, n = 20) {
  low <- range[1, ]
  width <- range[2, ] - low
  out <- vapply(seq_along(low), function(k) low[k] + width[k] * stats::runif(n, -1, 2), numeric(n))
  rbind(range, matrix(out, n))
}

matching_newdata <- function(fit, points) {
  dimnames(points) <- list(NULL, fit$recipe$columns)
  if (ncol(points) == 1 && fit$recipe$type == "vector") points[, 1] else as.data.frame(points)
}

density_checks <- function(log, fit) {
  signed <- fit$model == "pnm"
  # No better than the fit says that its integrals are known.
  is_one <- function(p) abs(p - 1) <= max(1e-6, 10 * log$lost)
  at <- matching_newdata(fit, points_near(fit$range))
  check_values(log, "predict", predict(fit, at), if (signed) is.finite else non_negative)
  check_values(log, "log", predict(fit, at, type = "log"), no_nan)
  check_values(log, "gradient", predict(fit, at, type = "gradient"))
  # The integral of an exponential is one up to the error of a mean over draws, which is several per
  # cent where it is much narrower than its base, and its cdf is left as it is.
  share <- if (signed) is.finite
           else if (fit$model == "glm") up_to(watched(log, "integral", psd_prob(fit))) else in_unit
  check_values(log, "cdf", predict(fit, at, type = "cdf"), share)
  if (fit$model %in% c("psd", "ncm")) {
    check_values(log, "integral", psd_prob(fit), is_one)
  }
  q <- if (ncol(fit$range) == 1) {
    check_values(log, "quantile", quantile(fit, c(0.001, 0.25, 0.5, 0.9, 0.999)))
  }
  if (!is.null(q) && !anyNA(q) && is.unsorted(q)) log$add("quantile", "not ordered")
  if (!is.null(q) && fit$model != "glm") {  # whose integral is not quite one
    at <- matching_newdata(fit, matrix(q))
    check_values(log, "cdf of quantile", predict(fit, at, "cdf"), function(p) {
      # Between two numbers of double precision there is no quantile.
      step <- 4 * .Machine$double.eps * abs(q) * predict(fit, at)
      abs(p - c(0.001, 0.25, 0.5, 0.9, 0.999)) < pmax(1e-3, step)
    })
  }
  check_values(log, "simulate", simulate(fit, 5, seed = 1))
  check_values(log, "moments", unlist(psd_moments(fit)), no_nan)
  if (ncol(fit$range) > 1) {
    one <- watched(log, "marginal", psd_marginal(fit, 1))
    if (!inherits(one, "failed")) {
      check_values(log, "marginal", psd_prob(one), function(p) signed | is_one(p))
    }
    given <- stats::setNames(fit$range[1, 1], fit$recipe$columns[1])
    two <- watched(log, "conditional", psd_conditional(fit, given))
    if (!inherits(two, "failed")) {
      check_values(log, "conditional", psd_prob(two), function(p) signed | is_one(p))
    }
  }
}

intensity_checks <- function(log, fit) {
  at <- matching_newdata(fit, points_near(fit$range))
  check_values(log, "predict", predict(fit, at), non_negative)
  check_values(log, "fitted", fitted(fit), function(x) is.finite(x) & x > 0)
  check_values(log, "log", predict(fit, at, type = "log"), no_nan)
  check_values(log, "gradient", predict(fit, at, type = "gradient"))
  check_values(log, "count", psd_count(fit), non_negative)
  check_values(log, "logLik", logLik(fit))
}

# Rows of the data the fit was made of, and the same far away.
far_rows <- function(fit, data) {
  numeric <- vapply(data, is.numeric, NA)
  far <- data
  far[numeric] <- lapply(data[numeric], function(x) x + 100 * (max(x, 1, na.rm = TRUE)))
  utils::head(far[stats::complete.cases(data[vapply(data, is.atomic, NA)]), ], 5)
}

# Of a function that is asked to be non-negative at the data. The linear ones of model "pnm" are so
# by constraints, which hold up to rounding, all others by construction. An integral of one makes
# functions large beside a response of 1e-60, and rounding with them.
least_value <- function(fit) {
  if (fit$model != "pnm") return(0)
  sizes <- vapply(fit$functions, function(f) sum(abs(f$coefficients)), 0)
  -max(1e-12 * abs(fit$y), 1e-14 * fit$units$y$scale * sizes)
}

quantreg_checks <- function(log, fit, data) {
  check_values(log, "fitted", fitted(fit))
  check_values(log, "residuals", residuals(fit))
  q <- watched(log, "predict", predict(fit, tau = fit$levels))
  if (!inherits(q, "failed") && !anyNA(q)) {
    steps <- q[, -1, drop = FALSE] - q[, -ncol(q), drop = FALSE]
    if (any(steps < least_value(fit))) log$add("predict", "levels cross")
  }
  far <- far_rows(fit, data)
  check_values(log, "far", predict(fit, far))
  if (length(fit$levels) > 1) {
    check_values(log, "gap", predict(fit, type = "gap"),
                 if (fit$model == "pnm") is.finite else non_negative)
    check_values(log, "cdf", predict(fit, type = "cdf"), in_unit)
  }
}

hetero_checks <- function(log, fit, data) {
  check_values(log, "fitted", fitted(fit))
  check_values(log, "sd", predict(fit, type = "sd"), function(x) !is.na(x) & x > 0)
  check_values(log, "residuals", residuals(fit, "pearson"), no_nan)
  far <- far_rows(fit, data)
  for (type in c("mean", "variance", "interval", "quantile", "natural")) {
    check_values(log, paste("far", type), predict(fit, far, type = type), no_nan)
  }
  check_values(log, "density", predict(fit, type = "density", y = 0), non_negative)
  check_values(log, "simulate", simulate(fit, 1, seed = 1), no_nan)
  check_values(log, "logLik", logLik(fit), no_nan)
}

regression_checks <- function(log, fit, data) {
  least <- if (identical(fit$cone$type, "nonnegative")) least_value(fit) else -Inf
  check_values(log, "fitted", fitted(fit), function(x) is.finite(x) & x >= least)
  check_values(log, "far", predict(fit, far_rows(fit, data)))
  check_values(log, "gradient", predict(fit, type = "gradient"))
  check_values(log, "residuals", residuals(fit))
  if (identical(fit$cone$type, "ordered")) {
    values <- as.matrix(fitted(fit))
    if (any(apply(values, 1, is.unsorted))) log$add("fitted", "not ordered")
  }
}
