# Arguments and verbs that came last, for seeds from 8000 on: groups, lists of losses, cones with a
# lineality space, named windows, and what two fits of the same variables have in common.

# The data with a column of groups.
with_groups <- function(data) {
  n <- nrow(data)
  data$g <- one_of(sample(c("a", "b"), n, replace = TRUE),
                   sample(c("a", "b", NA), n, replace = TRUE), rep_len(1:3, n),
                   factor(rep_len("all", n)), seq_len(n))
  data
}

with_late <- function(call, data, d) {
  fun <- as.character(call[[1]])
  if (fun == "psd_density" && chance(0.15)) call <- by_groups(call)
  if (fun == "psd_regression" && chance(0.35)) call <- with_outputs(call)
  if (fun == "psd_intensity" && d > 0 && chance(0.3)) call <- with_named_window(call, d)
  call
}

# Only where the points are a formula.
by_groups <- function(call) {
  points <- call[[2]]
  if (!is.call(points) || !identical(points[[1]], as.name("~"))) return(call)
  groups <- one_of(quote(g), quote(g), quote(interaction(g, g)), quote(nosuch))
  call[[2]] <- base::call("~", base::call("|", points[[2]], groups))
  call
}

# Two outputs, each with a loss of its own, in a cone with lines.
with_outputs <- function(call) {
  if (!is.null(call$y)) call$y <- quote(with(data, cbind(y, z)))
  else call[[2]][[2]] <- quote(cbind(y, z))
  call$loss <- one_of(quote(list("squared", "absolute")), quote(c("huber", "squared")),
                      quote(list("squared")), quote(list(psd_loss("huber"), "absolute")), NULL)
  call$cone <- one_of(quote(psd_cone(generators = c(1, 0), lineality = c(1, 1))),
                      quote(psd_cone(generators = c(1, 1), lineality = c(1, 1))),
                      quote(psd_cone(generators = diag(2), lineality = c(1, -1))), "ordered",
                      quote(psd_cone(generators = cbind(c(1, 0)))))
  call
}

# Bounds by name, in any order, right and wrong.
with_named_window <- function(call, d) {
  order <- sample.int(d)
  names <- sprintf("x%d", seq_len(d))
  if (chance(0.1)) names[1] <- "nosuch"
  for (end in c("lower", "upper")) {
    bounds <- rep_len(eval(call[[end]]), d)
    call[[end]] <- stats::setNames(bounds, names)[order]
  }
  call
}

# Verbs ------------------------------------------------------------------------------------------

late_checks <- function(log, fit) {
  if (fit$problem == "intensity") window_checks(log, fit)
  if (fit$problem == "density" && ncol(fit$range) > 1) two_checks(log, fit)
}

# Parts of a window have the counts of the whole together.
window_checks <- function(log, fit) {
  cut <- (fit$window$lower[1] + fit$window$upper[1]) / 2
  rest <- length(fit$window$lower) - 1
  low <- c(cut, rep(-Inf, rest))
  high <- c(cut, rep(Inf, rest))
  parts <- check_values(log, "count", c(psd_count(fit), psd_count(fit, upper = high),
                                        psd_count(fit, lower = low)), non_negative)
  if (is.null(parts)) return(invisible())
  off <- abs(parts[1] - parts[2] - parts[3])
  if (!isTRUE(off <= max(1e-6, 10 * log$lost) * parts[1])) log$add("count", c("parts off by", off))
  watched(log, "simulate", simulate(fit, 1, seed = 1))
}

# The marginals of the first two columns, in both orders.
two_checks <- function(log, fit) {
  if (!fit$model %in% c("psd", "ncm")) return(invisible())
  one <- watched(log, "marginal", psd_marginal(fit, 1:2))
  other <- watched(log, "marginal", psd_marginal(fit, 2:1))
  if (inherits(one, "failed") || inherits(other, "failed")) return(invisible())
  at <- points_near(one$range, 5)
  here <- check_values(log, "two", predict(one, matching_newdata(one, at)), non_negative)
  turned <- matching_newdata(other, at[, 2:1])
  there <- check_values(log, "two", predict(other, turned), non_negative)
  if (!isTRUE(all.equal(here, there, tolerance = max(1e-6, 10 * log$lost)))) {
    log$add("two", "marginals differ by the order of their columns")
  }
}

# Densities of groups: each is a density, and together they have all rows.
check_groups <- function(log, fits, data) {
  watched(log, "print", utils::capture.output(print(fits)))
  watched(log, "summary", utils::capture.output(print(summary(fits))))
  for (verb in list(tidy, glance, mean, logLik, nobs, coef)) watched(log, "groups", verb(fits))
  watched(log, "plot", plot(fits))
  watched(log, "autoplot", ggplot2::ggplot_build(autoplot(fits)))
  watched(log, "simulate", simulate(fits, 2, seed = 1))
  for (fit in fits) {
    density_checks(log, fit)
    late_checks(log, fit)
  }
}
