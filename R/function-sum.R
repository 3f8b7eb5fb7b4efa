# Sums of functions of one type: again a function of that type, with the anchors of all of them.

# sum_k weights_k functions_k.
average_functions <- function(functions, weights) {
  stopifnot(functions[[1]]$type != "exp")
  sum_of <- if (functions[[1]]$type == "psd") sum_of_squares else sum_of_lines
  sum_of(functions, weights)
}

# For each function the number of the first with the same anchors.
shared_anchors <- function(functions) {
  vapply(seq_along(functions), function(k) {
    Position(function(f) identical(f$anchors, functions[[k]]$anchors), functions)
  }, 0L)
}

# |R' v|^2 with R = (sqrt(w_1) R_1, sqrt(w_2) R_2, ...): one column for each of theirs, in their
# order, and zero at the anchors of the others.
sum_of_squares <- function(functions, weights) {
  out <- functions[[1]]
  out$anchors <- stacked_anchors(functions[unique(shared_anchors(functions))])
  out$coefficients <- do.call(cbind, Map(function(f, weight, own) {
    column <- matrix(0, nrow(out$anchors$at), ncol(f$coefficients))
    column[own, ] <- sqrt(weight) * f$coefficients
    column
  }, functions, weights, anchor_rows(functions)))
  out
}

# The rows that each function has among the anchors of the sum.
anchor_rows <- function(functions) {
  shared <- shared_anchors(functions)
  sizes <- vapply(functions[unique(shared)], function(f) nrow(f$anchors$at), 0L)
  last <- cumsum(sizes)
  lapply(match(shared, unique(shared)), function(k) last[k] - sizes[k] + seq_len(sizes[k]))
}

stacked_anchors <- function(functions) {
  anchors <- lapply(functions, `[[`, "anchors")
  if (length(anchors) == 1) return(anchors[[1]])
  list(at = do.call(rbind, lapply(anchors, `[[`, "at")),
       width = do.call(rbind, lapply(anchors, `[[`, "width")))
}

# Coefficients of the same section add up.
sum_of_lines <- function(functions, weights) {
  out <- functions[[1]]
  all <- stacked_anchors(functions)
  coefficients <- unlist(Map(function(f, weight) weight * f$coefficients, functions, weights))
  key <- apply(cbind(all$at, all$width), 1, function(row) paste(sprintf("%a", row), collapse = " "))
  first <- which(!duplicated(key))
  out$anchors <- lapply(all, function(x) x[first, , drop = FALSE])
  out$coefficients <- unname(rowsum(coefficients, factor(key, unique(key))))
  if (!is.null(out$slopes)) {
    out$slopes <- Reduce(`+`, Map(function(f, weight) weight * f$slopes, functions, weights))
  }
  out
}

# Which rows of R belong together, as those of one summand do: those that share a column.
summands <- function(root) {
  label <- seq_len(nrow(root))
  repeat {
    before <- label
    for (column in seq_len(ncol(root))) {
      shared <- which(root[, column] != 0)
      label[shared] <- min(label[shared], Inf)
    }
    if (identical(label, before)) break
  }
  unname(split(seq_along(label), label))
}
