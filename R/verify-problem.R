# The convex problem of a fit in plain R, for psd_verify(): its functions on their features, the
# penalties, the constraints, and primal and dual values.

# list(blocks =, rows =, log_norm =, ...): a block has `values` and `coefficients` of its features;
# a row is a constraint as the solver sees it, one matrix or vector per block. NULL where integrals
# are out of reach (plain_integral()).
restated <- function(fit, rows) {
  solved <- fit$solved
  functions <- Map(function(f, floor) {
    if (floor > 0) f$coefficients <- f$coefficients[, -ncol(f$coefficients), drop = FALSE]
    f
  }, fit$functions, solved$floors)
  blocks <- Map(function(f, part) {
    out <- plain_features(f, solved$features[[part]], rows$t)
    square <- f$type == "psd"  # also of the quantile next to a bound, in the part "linear"
    c(out, list(f = f, free = part == "linear" && !square, square = square,
                lambda = of_part(fit$parameters$lambda, part)))
  }, functions, solved$blocks)
  out <- list(blocks = blocks, rows = list(), log_norm = 0, mixing = fit$mixing,
              losses = solved$losses, weights = rows$weights, ridge = fit$parameters$ridge,
              raw = fit$parameters$penalty == "raw", y = plain_response(fit, rows$y))
  if (!is.null(fit$measure)) out <- with_total(out, fit)
  out$rows <- c(out$rows, lapply(solved$functionals, plain_row, out))
  if (!anyNA(c(out$log_norm, unlist(lapply(out$rows, `[[`, "bound"))))) out
}

# One column an output; the solver sees functions without their floors.
plain_response <- function(fit, y) {
  if (is.null(y)) return(NULL)
  shift <- drop(fit$mixing %*% fit$solved$floors)
  if (fit$problem == "quantreg") outer(y[, 1], shift, "-") else y
}

# int x^power of a block's features (squared), over features.
feature_integral <- function(block, measure, power = 0) {
  integral <- plain_integral(block$f, measure, power, block$square)
  if (anyNA(integral)) return(NA)
  if (block$square) block$mix %*% integral %*% t(block$mix) else block$mix %*% integral
}

# The integral, in units of its own norm (over the kernel's features where there is a parametric
# part): a constraint, or part of the penalty. Out of reach where the norm has no square.
with_total <- function(problem, fit) {
  block <- problem$blocks[[1]]
  total <- feature_integral(block, fit$measure)
  if (anyNA(total)) return(utils::modifyList(problem, list(log_norm = NA_real_)))
  parametric <- fit$parameters$parametric %||% !is.null(fit$parameters$widths)
  counted <- if (parametric) block$kernels else seq_len(nrow(total))
  norm <- sqrt(sum(total[counted, if (block$square) counted else 1]^2))
  if (norm < 1e-150 || norm > 1e150) {
    return(utils::modifyList(problem, list(log_norm = NA_real_)))
  }
  problem$log_norm <- log(norm)
  total <- total / norm
  if (identical(fit$solved$total, "one")) {
    problem$rows <- list(list(integrals = list(total), bound = 1, equality = TRUE))
  } else {
    problem$blocks[[1]]$offset <- total
  }
  problem
}

plain_row <- function(functional, problem) {
  integrals <- Map(function(block, share) {
    if (share == 0) return(NULL)
    terms <- Map(function(measure, power, weight) weight * feature_integral(block, measure, power),
                 functional$measures, functional$powers, functional$weights)
    share * Reduce(`+`, terms) / exp(problem$log_norm)
  }, problem$blocks, rep_len(functional$mixing, length(problem$blocks)))
  size <- sqrt(sum(unlist(integrals)^2))
  if (functional$relation == ">=") size <- -size
  list(integrals = unname(lapply(integrals, function(w) if (!is.null(w)) w / size)),
       bound = functional$bound / size, equality = functional$relation == "==")
}

# l1 and l2 of a block's penalty.
plain_penalty <- function(problem, block) {
  norm <- if (problem$raw) exp(problem$log_norm) else 1
  if (block$free) c(l1 = 0, l2 = block$lambda)
  else if (!block$square) c(l1 = 0, l2 = block$lambda / norm^2)
  else c(l1 = block$lambda / norm, l2 = block$lambda * problem$ridge / norm^2)
}

plain_primal <- function(problem) {
  values <- lapply(problem$blocks, function(block) {
    inner <- crossprod(block$values, block$coefficients)
    if (block$square) rowSums(inner^2) else inner[, 1]
  })
  penalties <- lapply(problem$blocks, function(block) {
    by <- plain_penalty(problem, block)
    root <- block$coefficients
    if (!block$square) return(by[["l2"]] * sum(root^2) / 2)
    paid <- if (is.null(block$offset)) 0 else sum(root * (block$offset %*% root))
    by[["l1"]] * sum(root^2) + by[["l2"]] * sum(crossprod(root)^2) / 2 + paid
  })
  u <- do.call(cbind, values) %*% t(problem$mixing)
  plain_risk(problem$losses, "value", u, problem$y, problem$weights) + do.call(sum, penalties)
}

# Could rounding alone have made a value whose log counts, of a linear function? At rows of next to
# no weight such a function may be zero.
logs_are_lost <- function(problem) {
  is_log <- vapply(problem$losses, function(loss) identical(loss$name, "neg_log"), NA)
  any(is_log) && any(vapply(problem$blocks, function(block) {
    if (block$square) return(FALSE)
    terms <- block$values * as.vector(block$coefficients)
    any(abs(colSums(terms)) <= 1e-12 * colSums(abs(terms)))
  }, NA))
}

# The dual value at a (one row per observation, one column per output) and nu (one per constraint),
# with the slopes of its second part: the primal point that belongs to it.
plain_dual <- function(problem, a, nu) {
  parts <- lapply(seq_along(problem$blocks), function(k) {
    block <- problem$blocks[[k]]
    b <- drop(a %*% problem$mixing[, k])
    pull <- lapply(seq_along(nu), function(m) {
      w <- problem$rows[[m]]$integrals[[k]]
      if (is.null(w)) 0 else nu[m] * w
    })
    plain_conjugate(block, plain_penalty(problem, block), b, Reduce(`+`, pull, 0))
  })
  bound <- vapply(problem$rows, `[[`, 0, "bound")
  risk <- plain_risk(problem$losses, "conjugate", a / problem$weights, problem$y, problem$weights)
  value <- -risk - sum(vapply(parts, `[[`, 0, "value")) - sum(nu * bound)
  list(value = value, parts = parts)
}

# PSD: |[S]_-|^2 / (2 l2), S = l1 I + offset + V diag(b) V' + pull. Linear: |V b + pull|^2 / (2 l2).
plain_conjugate <- function(block, by, b, pull) {
  if (!block$square) {
    s <- block$values %*% b + pull
    return(list(value = sum(s^2) / (2 * by[["l2"]]), point = -s / by[["l2"]]))
  }
  s <- block$values %*% (b * t(block$values)) + pull + (block$offset %||% 0)
  diag(s) <- diag(s) + by[["l1"]]
  if (!all(is.finite(s))) return(list(value = Inf, point = NaN * s))
  spectrum <- eigen((s + t(s)) / 2, symmetric = TRUE)
  negative <- pmin(spectrum$values, 0)
  list(value = sum(negative^2) / (2 * by[["l2"]]),
       point = spectrum$vectors %*% (-negative / by[["l2"]] * t(spectrum$vectors)))
}
