# What does not depend on the penalty: the features of each part at some rows, and the integrals of
# the functions. Done once for a whole path of penalties.

# list(problem =, features = by part, y =, weights =, control =), and with a measure `total` (the
# matrix or vector of the integral, of norm one), `log_norm` (the log of its norm) and `rows`, the
# constraints as the solver takes them.
prepare <- function(problem, rows, sigma, control) {
  x <- problem$x[rows, , drop = FALSE]
  used <- unique(problem$blocks)
  features <- lapply(stats::setNames(nm = used), function(name) {
    part_features(problem, problem$parts[[name]], x, of_part(sigma, name), control)
  })
  out <- list(problem = problem, features = features, y = problem$y[rows, , drop = FALSE],
              weights = problem$weights[rows], control = control, log_norm = 0, rows = list())
  if (!is.null(problem$measure) && problem$model$closed_form) {
    total <- unit_integral(part_integral(out, problem$blocks, problem$measure, 0))
    out$total <- total$value
    out$log_norm <- total$log_norm
  }
  one <- if (identical(problem$total, "one")) {
    list(list(integrals = list(out$total), bound = 1, equality = TRUE))
  }
  out$rows <- c(one, lapply(problem$constraints, functional_row, out))
  problem$model$prepare(out)
}

part_features <- function(problem, part, x, sigma, control) {
  model <- problem$model
  if (!is.null(problem$measure)) control$rank_tol <- model$integral_tol(control$rank_tol)
  nodes <- !part$free && model$form == "psd" && is.null(problem$halfspaces)
  psd_features(x, sigma, problem$kernel, control, part$constant, nodes)
}

# int g x^power dmeasure of a function of this part, as exp(log_scale) <A, value>.
part_integral <- function(prepared, name, measure, power) {
  problem <- prepared$problem
  form <- if (problem$parts[[name]]$free) "linear" else problem$model$form
  feature_integral(prepared$features[[name]], form, measure, rep_len(power, ncol(problem$x)))
}

# exp(log_norm) value with |value|_F = 1: in ten dimensions the integral itself is of size 1e-10.
unit_integral <- function(integral) {
  size <- norm(integral$value, "F")
  list(value = integral$value / size, log_norm = integral$log_scale + log(size))
}
