# Features of the data, phi(x) = L^{-1} v(x), v the kernel's sections at landmarks: the way from the
# data to what the solvers see, and back to functions.

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

# W (or q, for a linear form) with int g x^power dmeasure = exp(log_scale) <A, W>.
feature_integral <- function(features, form, measure, power) {
  power <- as.integer(power)
  if (form == "psd") {
    out <- cpp_gram(features$kernel, features$anchors, measure, power)
    out$value <- cpp_to_features(features$factor, out$value)
  } else {
    out <- cpp_mean_section(features$kernel, features$anchors, measure, power)
    out$value <- forwardsolve(features$factor, out$value)
  }
  out
}

# The function of a block with these coefficients of the features.
fitted_function <- function(block, coefficients) {
  features <- block$features
  if (block$type == "conic") return(fitted_mixture(block, coefficients))
  new_function(if (block$type == "partial") "linear" else block$type, features$kernel,
               features$anchors, cpp_to_anchors(features$factor, coefficients))
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
