# Widths among candidates, for rules that average over them: each counts by its best penalty.

# Row numbers of the best cell of each of the few best widths.
best_of_widths <- function(scores, cells, few = 6) {
  ranked <- order(scores)
  utils::head(ranked[!duplicated(cells[ranked, "sigma"])], few)
}

# The penalties beside the best of every width that counts in the average, until none is better.
search_widths <- function(scorer, axes, n, max_rounds = 12) {
  along <- function(steps) outer(steps, names(axes) == "lambda")
  beside <- function(cell) {
    moves <- if (is_searched(axes$lambda)) c(-1, 1)
             else seq_len(axes$lambda$size) - cell[["lambda"]]
    moved_cells(axes, cell, along(moves))
  }
  for (round in seq_len(max_rounds)) {
    widths <- width_weights(scorer, n)
    cells <- scorer$cells()[widths$row[widths$weight > 0.02], , drop = FALSE]
    around <- lapply(seq_len(nrow(cells)), function(i) beside(cells[i, ]))
    if (!scorer$evaluate(do.call(rbind, around))) break
  }
  scorer$settle()
}

# The best cell of each width (row numbers), and the width's weight in the average.
width_weights <- function(scorer, n) {
  scores <- scorer$scores()
  row <- best_of_widths(scores, scorer$cells(), Inf)
  row <- row[!is.na(scores[row])]
  weight <- exp(-n * (scores[row] - min(scores[row])) / 5)
  list(row = row, weight = weight / sum(weight))
}

# Row number of the best cell at the average width.
at_average_width <- function(scorer, n) {
  widths <- width_weights(scorer, n)
  at <- scorer$cells()[widths$row, "sigma"]
  widths$row[which.min(abs(at - sum(widths$weight * at)))]
}

# Weights where densities that are nearly the same at the rows held out have become one, that of the
# wider kernel, which takes less time: where a parametric part says it all, any width will do.
without_doubles <- function(weight, width, apart, least = 0.05) {
  used <- which(weight > 0)
  kept <- integer()
  for (cell in used[order(-width[used])]) {
    same <- kept[vapply(kept, function(other) isTRUE(apart(cell, other) < least), NA)]
    if (length(same) == 0) kept <- c(kept, cell)
    else weight[same[1]] <- weight[same[1]] + weight[cell]
  }
  weight[setdiff(used, kept)] <- 0
  weight
}
