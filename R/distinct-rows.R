# Rows that are equal, taken together.

# Equal rows once, with their weights added: the same fit, and copies of a value are held out
# together. Not where the user has numbered the folds of the rows.
distinct_rows <- function(x, weights, tune) {
  if (length(tune$folds) > 1) return(list(x = x, weights = weights))
  key <- row_numbers(x)
  if (!anyDuplicated(key)) return(list(x = x, weights = weights))
  list(x = x[!duplicated(key), , drop = FALSE], weights = as.vector(rowsum(weights, key)))
}

# Equal rows have the same number, in the order in which they come first.
row_numbers <- function(x) {
  out <- rep(1, nrow(x))
  for (column in seq_len(ncol(x))) {
    out <- out + (match(x[, column], unique(x[, column])) - 1) * max(out)
    out <- match(out, unique(out))
  }
  out
}
