# Features of the data: the way from the data to what the solvers see, and back to functions. The
# kernel is a sum over scales, each with a width and a weight; phi(x) = L^{-1} (sections of the sum at
# landmarks), L L' = K on the landmarks, and besides a few sections of fixed size that are hardly
# penalised, such as the constant.

# What cpp_prepare() takes for a part of a problem, at the width sigma.
feature_recipe <- function(problem, part, sigma, control) {
  model <- problem$model
  rank_tol <- control$rank_tol
  if (!is.null(problem$measure)) rank_tol <- model$integral_tol(rank_tol)
  nodes <- !part$free && model$form == "psd" && is.null(problem$halfspaces) &&
    control$solver == "newton"
  recipe(ncol(problem$x), sigma, problem$kernel, part$constant, rank_tol, control$max_rank, nodes)
}

recipe <- function(d, sigma, kernel, constant, rank_tol, max_rank, nodes) {
  extra <- if (constant > 0) list(at = matrix(0, 1, d), width = matrix(Inf, 1, d), size = constant)
  list(kernel = kernel, width = matrix(rep_len(as.numeric(sigma), d), 1), weight = 1, extra = extra,
       slope = 0, rank_tol = rank_tol, max_rank = max_rank, nodes = nodes)
}

# list(features =, integrals =). Features are anchors, landmarks, factor L and values V (one column a
# row of x), nodes of PSD blocks if asked for, and what made them.
make_features <- function(x, recipes, requests) {
  out <- cpp_prepare(x, unname(recipes), unname(requests))
  out$features <- Map(function(features, recipe) {
    c(features, recipe[c("kernel", "rank_tol")], list(x = x))
  }, out$features, recipes)
  names(out$features) <- names(recipes)
  out
}

# The function of a block with these coefficients of the features.
fitted_function <- function(block, coefficients) {
  features <- block$features
  if (block$type == "conic") return(fitted_mixture(block, coefficients))
  on_anchors <- cpp_coefficients(features, coefficients)
  new_function(if (block$type == "partial") "linear" else block$type, features$kernel,
               features$anchors, on_anchors$coefficients, on_anchors$slopes)
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
  new_function("linear", features$kernel,
               list(at = rows[used, , drop = FALSE], width = width[used, , drop = FALSE]),
               coefficients[used, , drop = FALSE])
}
