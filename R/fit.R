# The engine's entry: everything the package fits is one call of fit_psd(). A *problem* is made of
# features, blocks, losses and integral constraints, all plain lists.

# Features of the rows of x: anchors, factor L and values V (one column a row of x). `sigma` has one
# width a column; `constant` > 0 appends a constant feature of that size; `nodes` = TRUE finds the
# nodes of PSD blocks now, for features that serve several fits.
psd_features <- function(x, sigma, kernel = "gaussian", control = psd_control(), constant = 0,
                         nodes = FALSE) {
  sigma <- rep_len(as.numeric(sigma), ncol(x))
  features <- cpp_features(x, kernel, sigma, control$rank_tol, control$max_rank, constant)
  features$kernel <- kernel
  features$x <- x
  features$rank_tol <- control$rank_tol
  if (nodes && control$solver == "newton") features$nodes <- cpp_nodes(features$values)
  features
}

# A block is a function of the model: g = phi' A phi with penalty l1 tr A + (l2 / 2) |A|^2 + <A, Q>,
# Q the `offset` if there is one, ...
psd_block <- function(features, l1, l2, offset = NULL) {
  list(type = "psd", features = features, l1 = l1, l2 = l2, offset = offset)
}

# ... or g = w' phi with penalty (l2 / 2) |w|^2.
linear_block <- function(features, l2) {
  list(type = "linear", features = features, l2 = l2)
}

# ... or the same with g non-negative at the data, ...
partial_block <- function(features, l2) {
  list(type = "partial", features = features, l2 = l2)
}

# ... or with w = G a, a >= 0, the columns of G being the features of kernel sections at the
# data, all that the features represent (those at landmarks exactly, the others up to rank_tol), and
# the constant if there is one. The fitted function has its coefficients on the sections themselves.
conic_block <- function(features, l2) {
  kernels <- is.finite(features$anchors$width[, 1])
  values <- features$values[kernels, , drop = FALSE]
  at <- which(1 - colSums(values^2) <= 2 * features$rank_tol)
  constant <- features$values[!kernels, 1]
  generators <- rbind(values[, at, drop = FALSE], if (length(constant) > 0) 0)
  if (length(constant) > 0) generators <- cbind(generators, constant * !kernels)
  list(type = "conic", features = features, l2 = l2, generators = generators, at = at)
}

# The constraint sum_k weight_k * int g_k x^power dmeasure == or <= bound. `weights` has one number
# a block; `measure` is a list of lower, upper, mean, sd with one number a coordinate (sd = Inf:
# Lebesgue measure), `power` one integer a coordinate.
integral_constraint <- function(measure, bound, weights = 1, power = 0, equality = TRUE) {
  list(measure = measure, bound = bound, weights = weights,
       power = rep_len(power, length(measure$lower)), equality = equality)
}

# W (or q for a linear block) with int g x^power dmeasure = exp(log_scale) <A, W>.
block_integral <- function(block, measure, power) {
  features <- block$features
  power <- as.integer(power)
  if (block$type != "psd") {
    out <- cpp_mean_section(features$kernel, features$anchors, measure, power)
    out$value <- forwardsolve(features$factor, out$value)
  } else {
    out <- cpp_gram(features$kernel, features$anchors, measure, power)
    out$value <- cpp_to_features(features$factor, out$value)
  }
  out
}

#' Solve one problem (internal)
#'
#' The one entry to the solvers, on which [psd_density()] and its sisters stand. Minimises
#' `sum_i w_i l(u_i, y_i)` plus the penalties of the blocks, with outputs
#' `u_i = mixing %*% g(x_i)`, over the functions `g` of the blocks, subject to constraints on their
#' integrals.
#'
#' @param blocks A list of blocks made by `psd_block()`, `linear_block()`, `partial_block()` or
#'   `conic_block()`.
#' @param losses A list of losses, each a list with `name` (one of `cpp_loss_names()`) and its
#'   parameters; each takes its number of outputs in turn and one column of `y`.
#' @param y The response: a matrix with one column a loss (recycled from a vector).
#' @param mixing A matrix with one row an output and one column a block.
#' @param weights Observation weights; normalised to sum to one.
#' @param constraints A list of integral constraints, or of lists `(integrals, bound, equality)`
#'   with the matrices already computed, one a block (`NULL` where a block takes no part).
#' @param control See [psd_control()].
#' @param start A dual point to start from, such as the `dual` of an earlier solution.
#' @return A list: `functions` (one fitted function a block), `dual`, `primal_value`,
#'   `dual_value`, `gap`, `iterations`, `status`, `converged`, `rank`, `seconds`, and `trace` if
#'   asked for.
#' @keywords internal
#' @noRd
fit_psd <- function(blocks, losses, y, mixing = diag(length(blocks)), weights = NULL,
                    constraints = list(), control = psd_control(), start = NULL) {
  begin <- proc.time()[["elapsed"]]
  n <- ncol(blocks[[1]]$features$values)
  weights <- weights %||% rep(1, n)
  y <- matrix(as.numeric(y), n, length(losses))
  constraints <- lapply(constraints, resolve_constraint, blocks = blocks)
  spec <- list(
    blocks = lapply(blocks, function(b) {
      list(type = b$type, values = b$features$values, nodes = b$features$nodes, l1 = b$l1, l2 = b$l2,
           offset = b$offset, generators = b$generators)
    }),
    integrals = lapply(seq_along(blocks), function(k) {
      lapply(constraints, function(constraint) constraint$integrals[[k]])
    }),
    bound = vapply(constraints, `[[`, 0, "bound"),
    equality = vapply(constraints, `[[`, NA, "equality"),
    losses = losses, y = y, mixing = mixing, weights = weights / sum(weights)
  )
  out <- cpp_solve(spec, control, start)
  finish_solution(out, Map(fitted_function, blocks, out$coefficients), control, begin)
}

finish_solution <- function(out, functions, control, begin) {
  out$functions <- functions
  out$coefficients <- NULL
  out$rank <- vapply(functions, function(f) if (f$type == "psd") ncol(f$coefficients) else NA,
                     NA_integer_)
  out$converged <- out$status == "converged"
  out$seconds <- proc.time()[["elapsed"]] - begin
  if (!control$trace) out$trace <- NULL
  out
}

resolve_constraint <- function(constraint, blocks) {
  if (!is.null(constraint$integrals)) return(constraint)
  weights <- rep_len(constraint$weights, length(blocks))
  constraint$integrals <- Map(function(block, weight) {
    if (weight == 0) return(NULL)
    integral <- block_integral(block, constraint$measure, constraint$power)
    weight * exp(integral$log_scale) * integral$value
  }, blocks, weights)
  constraint
}

# f(x) = |R' v(x)|^2, w' v(x) or, of type "exp", exp(w' v(x)), v_j(x) = k((x - at_j) / width_j): a
# plain list, all that prediction needs.
fitted_function <- function(block, coefficients) {
  features <- block$features
  if (block$type == "conic") return(fitted_mixture(block, coefficients))
  list(type = if (block$type == "partial") "linear" else block$type, kernel = features$kernel,
       anchors = features$anchors, coefficients = cpp_to_anchors(features$factor, coefficients))
}

# Of the sections in use: no more than there are features, as the same function has such a
# representation. A constant of size c is the section c * c, as its feature is c.
fitted_mixture <- function(block, coefficients) {
  features <- block$features
  generators <- block$generators
  if (sum(coefficients > 0) > nrow(generators)) {
    coefficients <- matrix(cpp_nnls(generators, drop(generators %*% coefficients)))
  }
  last <- nrow(features$anchors$at)
  rows <- features$x[block$at, , drop = FALSE]
  width <- matrix(features$anchors$width[1, ], nrow(rows), ncol(rows), byrow = TRUE)
  if (ncol(generators) > nrow(rows)) {
    rows <- rbind(rows, features$anchors$at[last, ])
    width <- rbind(width, features$anchors$width[last, ])
    at_constant <- nrow(coefficients)
    coefficients[at_constant] <- coefficients[at_constant] * features$values[last, 1]^2
  }
  used <- coefficients[, 1] > 0
  if (!any(used)) used[1] <- TRUE
  list(type = "linear", kernel = features$kernel,
       anchors = list(at = rows[used, , drop = FALSE], width = width[used, , drop = FALSE]),
       coefficients = coefficients[used, , drop = FALSE])
}
