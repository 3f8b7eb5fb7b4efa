# Arguments that came later than the rest: drawn after the verbs of a case.

# The call with some of the arguments that it does not have yet.
with_more <- function(call, data, d) {
  fun <- as.character(call[[1]])
  regression <- fun %in% c("psd_quantreg", "psd_hetero", "psd_regression")
  more <- c(if (regression && chance(0.4)) list(shape = regression_shape(d)),
            if (chance(0.1)) list(tune = random_rule()),
            if (chance(0.05)) list(ridge = c(0.01, 1)),
            if (fun == "psd_density" && chance(0.1)) list(constraints = random_constraints()),
            if (fun == "psd_regression" && chance(0.1)) list(constraints = random_integral()))
  more <- more[setdiff(names(more), names(call))]
  for (name in names(more)) call[[name]] <- more[[name]]
  if (fun %in% c("psd_quantreg", "psd_hetero") && chance(0.15)) call <- with_parts(call)
  if (regression && chance(0.1) && d > 0) call <- without_formula(call, d)
  call
}

# Relative widths, by number or by name, right and wrong.
regression_shape <- function(d) {
  widths <- signif(10^stats::runif(max(d, 1), -1, 1), 3)
  names <- sprintf("x%d", seq_along(widths))
  one_of("auto", "auto", "auto", "round", "axes", "axes", widths, stats::setNames(widths, names),
         stats::setNames(widths, rev(names)), "full", -1, c(x1 = 1, nosuch = 2), numeric())
}

random_rule <- function() {
  one_of(quote(psd_tune(rule = "stack")), quote(psd_tune(rule = "mean")),
         quote(psd_tune(rule = "average")), quote(psd_tune(folds = 2, repeats = 2, rule = "stack")))
}

# A width or a penalty for each of the two parts.
with_parts <- function(call) {
  name <- one_of("sigma", "lambda")
  one <- power_of_ten(-2, 1)
  call[[name]] <- one_of(list(linear = one, psd = 1), list(psd = one, linear = c(1, 0.3)),
                         list(linear = one), list(1, 2))
  call
}

random_constraints <- function() {
  one_of(quote(psd_constraint("mean", 0, "<=", columns = 1)),
         quote(psd_constraint("mean", 0, ">=", columns = 1)),
         quote(psd_constraint("prob", 0.5, lower = 0, columns = 1)),
         quote(list(psd_constraint("second", 2, "<=", columns = 1), psd_constraint("mean", 0))))
}

random_integral <- function() {
  one_of(quote(psd_integral(1, "<=", lower = -1, upper = 1)),
         quote(psd_integral(1, ">=", base = psd_gaussian(0, 1))),
         quote(psd_integral(-1, lower = 0, upper = 1)))
}

# Predictors and response as x and y.
without_formula <- function(call, d) {
  response <- call[[2]][[2]]
  call[[2]] <- NULL
  call[[2]] <- NULL
  call$x <- bquote(data[.(sprintf("x%d", seq_len(d)))])
  call$y <- bquote(with(data, .(response)))
  call
}
