# The scores of cells by cross-validation, as a search asks for them.

# Cells in, scores out: `evaluate(cells)` scores those not yet seen on the splits `first`;
# `settle()` scores the `leaders` on the others too, until all leaders have been; `table()` is all
# so far. In a `race` a cell whose losses are clearly above those of the best on the same rows is
# not scored on further splits. `score_cells(held, cells)` gives the losses of rows held out, one
# column per cell. With `groups` of rows the only split has all rows, each left out by itself, and
# the table their scores. `apart(i, j)`: how much the losses of rows held out differ between two
# cells, in the root of the mean square. Once the search has `spent()` what it may, it stays with
# what is known.
cell_scorer <- function(score_cells, weights, axes, splits, first, leaders, race,
                        spent = function() FALSE, groups = NULL) {
  s <- list2env(list(
    score_cells = score_cells, weights = weights, splits = splits, race = race, spent = spent,
    seen = matrix(0, 0, length(axes), dimnames = list(NULL, names(axes))),
    scores = matrix(0, 0, length(splits)),
    losses = lapply(splits, function(held) matrix(0, length(held), 0)),  # a column per cell
    running = logical(),
    at = 1,  # where the search stands
    beaten = list()  # cells out of the race, the last first, with the `rival` they ran behind
  ), parent = emptyenv())
  evaluate <- function(cells) {
    if (s$spent()) return(FALSE)
    cells <- unique(cells)
    cells <- cells[!cell_key(cells) %in% cell_key(s$seen), , drop = FALSE]
    if (nrow(cells) == 0) return(FALSE)
    score_on(s, add_cells(s, cells), first)
    TRUE
  }
  settle <- function() {
    repeat {
      best <- leaders(cell_scores(s), s$seen)
      open <- best[s$running[best] & is.na(rowSums(s$scores[best, , drop = FALSE]))]
      if (length(open) == 0 || s$spent()) break
      score_on(s, open, seq_along(splits)[-first])
    }
  }
  list(evaluate = evaluate, settle = settle, best = function() where_it_stands(s),
       scores = function() cell_scores(s), cells = function() s$seen,
       apart = function(i, j) losses_apart(s, i, j),
       table = function() {
         parts <- if (is.null(groups)) s$scores
                  else group_scores(s$losses[[1]], weights[splits[[1]]], groups)
         score_table(axes, s$seen, parts, cell_scores(s))
       })
}

# The mean losses of groups of rows, one row a cell: where rows were left out one by one they stand
# for splits.
group_scores <- function(losses, weights, groups) {
  t(rowsum(losses * weights, groups)) / rep(as.vector(rowsum(weights, groups)), each = ncol(losses))
}

losses_apart <- function(s, i, j) {
  squares <- unlist(lapply(s$losses, function(known) (known[, i] - known[, j])^2))
  sqrt(stats::weighted.mean(squares, s$weights[unlist(s$splits)], na.rm = TRUE))
}

# Row numbers of the new cells.
add_cells <- function(s, cells) {
  before <- nrow(s$seen)
  unknown <- function(rows) matrix(NA_real_, rows, nrow(cells))
  s$seen <- rbind(s$seen, cells)
  s$scores <- rbind(s$scores, t(unknown(length(s$splits))))
  s$losses <- lapply(s$losses, function(known) cbind(known, unknown(nrow(known))))
  s$running <- c(s$running, rep(TRUE, nrow(cells)))
  before + seq_len(nrow(cells))
}

score_on <- function(s, cells, some) {
  for (split in some) {
    left <- cells[s$running[cells]]
    known <- rowSums(!is.na(s$scores[left, , drop = FALSE])) > 0
    if (length(left) == 0 || s$spent() && all(known)) break
    held <- s$splits[[split]]
    found <- s$score_cells(held, s$seen[left, , drop = FALSE])
    s$losses[[split]][, left] <- found
    s$scores[left, split] <- apply(found, 2, stats::weighted.mean, s$weights[held])
    stopped <- left[is.na(found[1, ])]
    s$scores[stopped, ] <- NA
    s$running[stopped] <- FALSE
    if (s$race) drop_beaten(s, left[s$running[left]], seq_len(split))
  }
}

# Those clearly worse than the best on these splits. On a single one all rows are judged by one fit
# each, of which the errors do not know.
drop_beaten <- function(s, cells, some) {
  best <- which.min(rowMeans(s$scores[, some, drop = FALSE]))
  errors <- if (length(some) == 1) 5 else 2.5
  for (cell in cells) {
    if (!is_worse(s, cell, best, some, errors)) next
    s$running[cell] <- FALSE
    s$beaten <- c(list(list(cell = cell, rival = best)), s$beaten)
  }
}

is_worse <- function(s, cell, other, some, ...) {
  losses <- do.call(rbind, s$losses[some])
  clearly_worse(losses[, cell] - losses[, other], s$weights[unlist(s$splits[some])], ...)
}

# A cell out of the race is as far above its rival as it was then.
cell_scores <- function(s) {
  out <- mean_scores(s$scores)
  for (pair in s$beaten) {
    above <- s$scores[pair$cell, ] - s$scores[pair$rival, ]
    out[pair$cell] <- out[pair$rival] + mean(above, na.rm = TRUE)
  }
  out
}

# Asked after each evaluation: the search moves only for what is more than noise.
where_it_stands <- function(s) {
  lowest <- which.min(cell_scores(s))
  if (length(lowest) > 0 && lowest != s$at) {
    shared <- which(!is.na(s$scores[lowest, ] + s$scores[s$at, ]))
    convincing <- length(shared) == 0 ||
      is_worse(s, s$at, lowest, shared, errors = 0.5, least = 0)
    if (convincing) s$at <- lowest
  }
  s$seen[s$at, ]
}

cell_key <- function(cells) apply(cells, 1, paste, collapse = " ")

# One row a cell: its parameters, score, standard error, and the score of each split.
score_table <- function(axes, seen, scores, means) {
  values <- t(apply(seen, 1, function(cell) cell_values(axes, cell)))
  dim(values) <- dim(seen)
  colnames(values) <- names(axes)
  out <- as.data.frame(values)
  out$score <- means
  out$by_split <- lapply(seq_len(nrow(scores)), function(i) scores[i, !is.na(scores[i, ])])
  out$se <- vapply(out$by_split, function(s) stats::sd(s) / sqrt(length(s)), 0)
  out[c(names(axes), "score", "se", "by_split")]
}

# One number a cell. For a cell known on some splits only, how much it is above the cells that are
# known on all, plus what these cost.
mean_scores <- function(scores) {
  scores <- scores[, colSums(!is.na(scores)) > 0, drop = FALSE]
  usual <- rowSums(is.na(scores) | scores >= sqrt(loss_cap)) == 0
  cost <- if (any(usual)) colMeans(scores[usual, , drop = FALSE]) else rep(0, ncol(scores))
  above <- rowMeans(sweep(scores, 2, cost), na.rm = TRUE)
  above[is.nan(above)] <- NA
  mean(cost) + above
}
