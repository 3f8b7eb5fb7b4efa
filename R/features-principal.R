# Features of fits that need not be exact: only the directions that the penalty lets the data see.

# Features in their principal directions at the data, each with its `size`, the mean square there.
principal_features <- function(features, weights) {
  spectrum <- spectrum_of(cpp_lower_square(features$values, weights / sum(weights)))
  features$rotation <- spectrum$vectors
  features$values <- cpp_product(spectrum$vectors, features$values, TRUE, FALSE)
  features$size <- spectrum$values
  features
}

# A direction in which the loss cannot gain what the penalty costs stays out of a function that is
# non-negative; a linear one makes some use of it, but below a small share that hardly matters.
seen_share <- c(linear = 0.05, psd = 0.5)

# Those of `features` that a function with this penalty can make use of, if they are principal ones.
seen_features <- function(features, penalty, steepest, free) {
  if (is.null(features$size)) return(features)
  seen <- features$size * steepest > seen_share[[if (free) "linear" else "psd"]] * penalty
  seen[1] <- TRUE
  features$values <- features$values[seen, , drop = FALSE]
  features$rotation <- features$rotation[, seen, drop = FALSE]
  features
}
