# From what the solver found to a fitted function (R/function.R).

# The function of a block with these coefficients of the features.
fitted_function <- function(block, coefficients) {
  features <- block$features
  if (block$type == "conic") return(fitted_mixture(block, coefficients))
  if (!is.null(features$rotation)) coefficients <- features$rotation %*% coefficients
  on_anchors <- cpp_coefficients(features, coefficients)
  new_function(if (block$type == "partial") "linear" else block$type, features$kernel,
               features$anchors, on_anchors$coefficients, on_anchors$slopes)
}

# Of the sections in use: no more than there are features, as the same function has such a
# representation. A constant of size c is the section c * c, as its feature is c.
fitted_mixture <- function(block, coefficients) {
  features <- block$features
  generators <- block$generators
  lost <- is.na(coefficients[, 1])  # which check_solution() will see
  if (!any(lost) && sum(coefficients > 0) > nrow(generators)) {
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
  used <- if (any(lost)) lost else coefficients[, 1] > 0
  if (!any(used)) used[1] <- TRUE
  new_function("linear", features$kernel,
               list(at = rows[used, , drop = FALSE], width = width[used, , drop = FALSE]),
               coefficients[used, , drop = FALSE])
}
