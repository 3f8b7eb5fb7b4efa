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
