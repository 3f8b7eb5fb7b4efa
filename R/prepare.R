# What does not depend on the penalty: the features of each part at some rows, and the integrals of
# the functions. Done once for a whole path of penalties, in one call of the core.

# list(problem =, sigma =, features = by part, y =, weights =, control =, rows =): `rows` are the
# constraints as the solver takes them. With a measure also `total`, the matrix or vector of the
# integral, of norm one, and `log_norm`, the log of its norm.
prepare <- function(problem, rows, sigma, control) {
  x <- problem$x[rows, , drop = FALSE]
  used <- unique(problem$blocks)
  recipes <- lapply(stats::setNames(nm = used), function(name) {
    feature_recipe(problem, problem$parts[[name]], x, problem$weights[rows], of_part(sigma, name),
                   control)
  })
  requests <- integral_requests(problem, used)
  made <- make_features(x, recipes, do.call(c, requests))
  if (by_principal_features(problem, control)) {
    made$features <- lapply(made$features, principal_features, problem$weights[rows])
  }
  out <- list(problem = problem, sigma = sigma, features = made$features,
              y = problem$y[rows, , drop = FALSE], weights = problem$weights[rows],
              control = control, log_norm = 0)
  of_request <- factor(rep(seq_along(requests), lengths(requests)), seq_along(requests))
  integrals <- unname(split(made$integrals, of_request))
  if (length(integrals[[1]]) > 0) {
    kernels <- seq_along(made$features[[1]]$landmarks)
    total <- unit_integral(integrals[[1]][[1]], if (problem$parts[[used]]$parametric) kernels)
    out$total <- total$value
    out$log_norm <- total$log_norm
  }
  one <- if (identical(problem$total, "one") && problem$model$closed_form) {
    list(list(integrals = list(out$total), bound = 1, equality = TRUE))
  }
  out$rows <- c(one, Map(functional_row, problem$constraints, integrals[-1],
                         MoreArgs = list(problem = problem, log_norm = out$log_norm)))
  problem$model$prepare(out)
}

# Where no certificate is asked for, and no integral is known in other features.
by_principal_features <- function(problem, control) {
  isFALSE(control$certified) && is.finite(problem$steepest) && length(problem$constraints) == 0 &&
    problem$model$form == "psd"
}

# The integrals that are asked of the core: that of the only function, if it matters, then those of
# each constraint.
integral_requests <- function(problem, used) {
  request <- function(name, measure, power) {
    form <- if (problem$parts[[name]]$free) "linear" else problem$model$form
    list(part = match(name, used), form = form, measure = measure,
         power = rep_len(as.integer(power), ncol(problem$x)))
  }
  total <- if (!is.null(problem$measure) && problem$model$closed_form) {
    list(request(problem$blocks, problem$measure, 0))
  }
  c(list(total), lapply(problem$constraints, function(functional) {
    do.call(c, lapply(functional_parts(functional, problem), function(name) {
      Map(request, name, functional$measures, functional$powers)
    }))
  }))
}

# exp(log_norm) value with |value|_F = 1: in ten dimensions the integral itself is of size 1e-10.
# Where there is a parametric part the norm is that of the kernel's features alone, so that the
# penalty means the same with it.
unit_integral <- function(integral, kernels = NULL) {
  counted <- if (is.null(kernels)) integral$value
             else integral$value[kernels, if (ncol(integral$value) > 1) kernels else 1]
  size <- sqrt(sum(counted^2))
  list(value = integral$value / size, log_norm = integral$log_scale + log(size))
}
