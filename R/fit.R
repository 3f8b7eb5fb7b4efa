# The entry to the convex solvers of the core, fit_psd(), and the blocks it takes: plain lists.

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
#' @param y The response: a matrix with one column per loss (recycled from a vector).
#' @param mixing A matrix with one row per output and one column per block.
#' @param weights Observation weights; normalised to sum to one.
#' @param constraints A list of lists `(integrals, bound, equality)`, integrals being one matrix or
#'   vector a block (`NULL` where a block takes no part): see `functional_row()`.
#' @param control See [psd_control()].
#' @param start A dual point to start from, such as the `dual` of an earlier solution.
#' @param root The coefficients of a PSD block to start from, where the solver can.
#' @param leverages Compute how much each observation decides about its own value? For one output.
#' @param blur Compute how the outputs at each observation change if it is left out, with losses
#'   blurred by this share of their mean error (`changes`, one column per observation)? 0: no.
#' @return A list: `functions` (one fitted function a block), `dual`, `primal_value`,
#'   `dual_value`, `gap`, `iterations`, `status`, `converged`, `rank`, `seconds`, and `trace`,
#'   `leverages` and `changes` if asked for.
#' @keywords internal
#' @noRd
fit_psd <- function(blocks, losses, y, mixing = diag(length(blocks)), weights = NULL,
                    constraints = list(), control = psd_control(), start = NULL,
                    leverages = FALSE, blur = 0, root = NULL) {
  begin <- proc.time()[["elapsed"]]
  n <- ncol(blocks[[1]]$features$values)
  weights <- weights %||% rep(1, n)
  y <- matrix(as.numeric(y), n, length(losses))
  spec <- list(
    blocks = lapply(blocks, function(b) {
      list(type = b$type, values = b$features$values, nodes = b$features$nodes, l1 = b$l1,
           l2 = b$l2, offset = b$offset, generators = b$generators)
    }),
    integrals = lapply(seq_along(blocks), function(k) {
      lapply(constraints, function(constraint) constraint$integrals[[k]])
    }),
    bound = vapply(constraints, `[[`, 0, "bound"),
    equality = vapply(constraints, `[[`, NA, "equality"),
    losses = losses, y = y, mixing = mixing, weights = weights / sum(weights),
    leverages = leverages, blur = blur, certified = control$certified %||% TRUE,
    root = root %||% matrix(0, nrow(blocks[[1]]$features$values), 0)
  )
  out <- cpp_solve(spec, control, start)
  finish_solution(out, Map(fitted_function, blocks, out$coefficients), control, begin)
}

# What all solvers return; `coefficients` are those of the features.
finish_solution <- function(out, functions, control, begin) {
  out$functions <- functions
  out$rank <- out$rank %||% vapply(functions, rank_of, NA_integer_)
  out$converged <- out$status == "converged"
  out$seconds <- proc.time()[["elapsed"]] - begin
  if (!control$trace) out$trace <- NULL
  out
}
