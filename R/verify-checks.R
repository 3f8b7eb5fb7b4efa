# What psd_verify() looks at, one function a kind.

# predict() and friends evaluate by the core; here by the definition of the kernel.
value_checks <- function(fit, rows) {
  found <- all_plain_values(fit$functions, rows$t)
  claimed <- all_values(fit$functions, rows$t)
  worst <- max(abs(found - claimed)) / max(abs(claimed), .Machine$double.xmin)
  verified("values of the functions at the data, largest difference", worst, 0)
}

# Objective and gap; of an average those of its parts.
optimum_checks <- function(fit, rows, steps, tol) {
  why <- no_optimum(fit)
  if (!is.null(why)) return(verified(paste0("gap (", why, ")"), NA_real_, 0))
  members <- restated_members(fit, rows)
  if (is.null(members)) {
    return(verified("gap (kernels so far apart in width that integrals take too many nodes)",
                    NA_real_, 0))
  }
  if (any(vapply(members, function(member) logs_are_lost(member$problem), NA))) {
    return(verified("gap (a value at the data is zero up to rounding)", NA_real_, 0))
  }
  parts <- lapply(members, function(member) {
    primal <- plain_primal(member$problem)
    dual <- if (has_linear_dual(fit)) best_dual(member$problem, fit, steps)
            else list(value = NA, found = FALSE)
    c(primal + member$problem$log_norm, member$objective, primal - dual$value, dual$found)
  })
  parts <- do.call(rbind, parts)
  worst <- which.max(abs(parts[, 1] - parts[, 2]))
  of <- if (nrow(parts) > 1) paste(" of", nrow(parts), "parts, the worst") else ""
  gaps <- parts[, 3] / max(1, abs(fit$objective))
  # Far from the optimum of the dual there is no telling.
  lost <- !parts[, 4] & gaps > tol
  gap <- if (isFALSE(any(lost))) max(gaps) else NA
  c(verified(paste0("objective", of), parts[worst, 1], parts[worst, 2]),
    verified(paste0("gap", of, if (is.na(gap)) why_no_gap(lost)), gap, 0),
    if (!is.na(gap)) verified("gap is not negative", gap, 0, "least"))
}

why_no_gap <- function(lost) {
  if (anyNA(lost)) " (its dual is not a closed form)"
  else " (the optimum of its dual was not found)"
}

# Why the objective cannot be computed again, or NULL.
no_optimum <- function(fit) {
  if (fit$model == "glm") "glm: the points drawn are not kept"
  else if (fit$model == "ncm") "ncm: its features are not kept"
  else if (fit$solved$halfspaces) "half-spaces: a solver of its own"
  else if (!all(vapply(fit$solved$losses, is_plain_loss, NA))) "a loss that is not known in plain R"
  else if (!is.null(fit$average) && any(vapply(fit$functions, `[[`, "", "type") != "psd")) {
    "an average of linear functions, which does not keep its parts"
  } else if (!is.null(fit$average) && length(fit$functions) > 1) {
    "an average of several functions"
  }
}

# Of functions that are only asked to be non-negative at the data the dual has further variables;
# where the solver's point is not kept, as of an average, it is found again for densities only.
has_linear_dual <- function(fit) {
  solved <- fit$solved
  known <- !is.null(solved$dual) ||
    identical(solved$losses[[1]]$name, "neg_log") && identical(solved$total, "one")
  known && (fit$model == "psd" || solved$positive)
}

# list(value =, found =): the dual value at the solver's point or, for a density, at one found here,
# if the search came to an end.
best_dual <- function(problem, fit, steps) {
  dual <- fit$solved$dual
  if (is.null(dual)) return(recovered_dual(problem, steps))
  n <- length(problem$weights)
  outputs <- nrow(problem$mixing)
  a <- t(matrix(dual[seq_len(n * outputs)], outputs))
  list(value = plain_dual(problem, a, dual[-seq_len(n * outputs)])$value, found = TRUE)
}

# For the loss -log u: at an optimum a_i = -weight_i / u_i. With these the best multipliers, one
# after the other; from there upwards, in log(-a), by L-BFGS, where the multipliers of inequalities
# stay non-negative.
recovered_dual <- function(problem, steps) {
  weights <- problem$weights
  block <- problem$blocks[[1]]
  inner <- crossprod(block$values, block$coefficients)
  u <- if (block$square) rowSums(inner^2) else inner[, 1]
  if (!all(u > 0)) return(list(value = NA, found = FALSE))
  equality <- vapply(problem$rows, `[[`, NA, "equality")
  n <- length(weights)
  at <- function(z) plain_dual(problem, matrix(-weights * exp(z[seq_len(n)])), z[-seq_len(n)])
  slope <- function(z) {
    point <- at(z)$parts[[1]]$point
    values <- if (block$square) colSums(block$values * (point %*% block$values))
              else drop(crossprod(block$values, point))
    integrals <- vapply(problem$rows, function(row) sum(point * row$integrals[[1]]), 0)
    bound <- vapply(problem$rows, `[[`, 0, "bound")
    c(weights * (1 - exp(z[seq_len(n)]) * values), integrals - bound)
  }
  # Steps may go where exp(z) is no number.
  value <- function(z) max(at(z)$value, -1e200, na.rm = TRUE)
  finite_slope <- function(z) ifelse(is.finite(out <- slope(z)), out, 0)
  start <- c(-log(u), likely_multipliers(problem, -weights / u))
  for (m in rep(n + seq_along(equality), 2)) {
    along <- function(nu) value(replace(start, m, nu))
    near <- start[m] + c(-1, 1) * (1.5 + 0.01 * abs(start[m]))
    if (!equality[m - n]) near <- pmax(near, 0)
    start[m] <- stats::optimize(along, near, maximum = TRUE, tol = 1e-10)$maximum
  }
  lower <- c(rep(-Inf, n), ifelse(equality, -Inf, 0))
  found <- stats::optim(start, function(z) -value(z), function(z) -finite_slope(z), lower = lower,
                        method = "L-BFGS-B",
                        control = list(maxit = steps, factr = 1, pgtol = 0, lmm = 20))
  # A search may come to an end for rounding as well: at an optimum the slopes are zero.
  steepest <- max(abs(slope(found$par)[seq_len(n)] / weights))
  list(value = -found$value, found = found$convergence == 0 && isTRUE(steepest <= 0.01))
}

# At an optimum the slopes of likelihood, penalty and constraints, all applied to the function's
# coefficients, add up to zero.
likely_multipliers <- function(problem, a) {
  block <- problem$blocks[[1]]
  by <- plain_penalty(problem, block)
  root <- block$coefficients
  slope <- if (block$square) {
    block$values %*% (a * crossprod(block$values, root)) + by[["l1"]] * root +
      by[["l2"]] * root %*% crossprod(root)
  } else {
    block$values %*% a + by[["l2"]] * root
  }
  pulls <- vapply(problem$rows, function(row) {
    as.vector(if (block$square) row$integrals[[1]] %*% root else row$integrals[[1]])
  }, numeric(length(root)))
  found <- stats::lm.fit(matrix(pulls, length(root)), -as.vector(slope))$coefficients
  ifelse(is.na(found), 0, unname(found))
}

# The integral of a density, and the user's constraints on integrals.
integral_checks <- function(fit) {
  out <- list()
  f <- fit$functions[[1]]
  if (!is.null(fit$measure) && f$type != "exp") {
    mass <- function_integral(f, fit$measure) * exp(fit$log_scale)
    if (fit$problem == "density") out <- verified("integral", mass, 1)
    else out <- verified("integral", fit$total * mass, fit$total * (1 - fit$shrinkage))
  }
  constraints <- lapply(fit$solved$functionals, function(functional) {
    of_functions <- Map(function(f, share) {
      if (share == 0) return(0)
      terms <- Map(function(measure, power, weight) weight * function_integral(f, measure, power),
                   functional$measures, functional$powers, functional$weights)
      share * Reduce(`+`, terms)
    }, fit$functions, rep_len(functional$mixing, length(fit$functions)))
    scale <- if (is.null(fit$measure)) 1 else exp(fit$log_scale)
    found <- scale * Reduce(`+`, of_functions)
    if (functional$relation == "==") return(verified("constraint", found, functional$bound)[[1]])
    sign <- if (functional$relation == ">=") 1 else -1
    verified("constraint", sign * found, sign * functional$bound, "least")[[1]]
  })
  c(out, constraints)
}

function_integral <- function(f, measure, power = 0) {
  integral <- plain_integral(f, measure, power, f$type == "psd")
  if (anyNA(integral)) return(NA_real_)
  sum((if (f$type == "psd") tcrossprod(f$coefficients) else f$coefficients) * integral)
}

# Non-negative functions, ordered quantiles and outputs in their cone: at the data, between and
# beyond them.
sign_checks <- function(fit, rows) {
  t <- spread_points(rows$t)
  values <- all_plain_values(fit$functions, t)
  size <- max(abs(values), .Machine$double.xmin)
  lowest <- function(x) min(x) / size
  squares <- vapply(fit$functions, `[[`, "", "type") == "psd"
  made <- (fit$solved$blocks != "linear" | squares) & !fit$solved$halfspaces
  where <- "at 500 points"
  if (fit$model == "pnm") {
    values <- all_plain_values(fit$functions, rows$t)
    where <- "at the data"
  }
  out <- if (any(made)) {
    verified(paste("lowest value of a non-negative function", where), lowest(values[, made]), 0,
             "least")
  }
  outputs <- mix(values, fit$mixing)
  if (fit$problem == "quantreg" && ncol(outputs) > 1) {
    steps <- outputs[, -1] - outputs[, -ncol(outputs)]
    out <- c(out, verified(paste("smallest distance of two quantiles", where), lowest(steps), 0,
                           "least"))
  }
  if (fit$problem == "regression") {
    inside <- cone_margins(fit$cone, outputs)
    out <- c(out, verified(paste("least margin of the outputs in their cone", where),
                           lowest(inside), 0, "least"))
  }
  out
}

# How far outputs (rows) are inside each face of a cone.
cone_margins <- function(cone, outputs) {
  switch(cone$type, nonnegative = outputs, halfspaces = outputs %*% cone$normals,
         ordered = outputs[, -1, drop = FALSE] - outputs[, -ncol(outputs), drop = FALSE],
         generators = 0)
}

# The data, and points spread over a box twice as large, without touching the random numbers:
# multiples of irrational numbers.
spread_points <- function(t, count = 500) {
  box <- vapply(seq_len(ncol(t)), function(column) {
    range <- range(t[, column])
    place <- (seq_len(count) * sqrt(column + 0.5)) %% 1
    mean(range) + (2 * place - 1) * max(diff(range), 1)
  }, numeric(count))
  rbind(t, box)
}
