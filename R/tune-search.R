# Scoring cells by cross-validation, and the search over them.

# Cells in, scores out: `evaluate(cells)` scores those not yet seen on the splits `first`;
# `settle()` scores the `leaders` on the others too, until all leaders have been; `table()` is all
# so far.
cell_scorer <- function(problem, control, axes, splits, first, leaders) {
  seen <- matrix(0, 0, length(axes), dimnames = list(NULL, names(axes)))
  scores <- matrix(0, 0, length(splits))
  settled <- logical()
  evaluate <- function(cells) {
    cells <- unique(cells)
    cells <- cells[!cell_key(cells) %in% cell_key(seen), , drop = FALSE]
    if (nrow(cells) == 0) return(FALSE)
    added <- matrix(NA_real_, nrow(cells), length(splits))
    added[, first] <- score_cells(problem, control, axes, splits[first], cells)
    seen <<- rbind(seen, cells)
    scores <<- rbind(scores, added)
    settled <<- c(settled, rep(length(first) == length(splits), nrow(cells)))
    TRUE
  }
  settle <- function() {
    repeat {
      best <- leaders(mean_scores(scores, settled, first), seen)
      open <- best[!settled[best] & is.finite(rowSums(scores[best, first, drop = FALSE]))]
      if (length(open) == 0) break
      scores[open, -first] <<- score_cells(problem, control, axes, splits[-first],
                                           seen[open, , drop = FALSE])
      settled[open] <<- TRUE
    }
  }
  table <- function() score_table(axes, seen, scores, settled, first)
  best <- function() {
    mean <- mean_scores(scores, settled, first)
    if (all(is.na(mean))) seen[1, ] else seen[which.min(mean), ]
  }
  list(evaluate = evaluate, settle = settle, table = table, best = best, cells = function() seen,
       scores = function() mean_scores(scores, settled, first))
}

# One row a cell: its parameters, score, standard error, and the score of each split.
score_table <- function(axes, seen, scores, settled, first) {
  values <- t(apply(seen, 1, function(cell) cell_values(axes, cell)))
  dim(values) <- dim(seen)
  colnames(values) <- names(axes)
  out <- as.data.frame(values)
  out$score <- mean_scores(scores, settled, first)
  out$by_split <- lapply(seq_len(nrow(scores)), function(i) {
    if (settled[i]) scores[i, ] else scores[i, first]
  })
  out$se <- vapply(out$by_split, function(s) stats::sd(s) / sqrt(length(s)), 0)
  out[c(names(axes), "score", "se", "by_split")]
}

# One number a cell. For a cell known on the first splits only, that on these, plus how much the
# others change the score of the cells known on all.
mean_scores <- function(scores, settled, first) {
  whole <- rowMeans(scores)
  part <- rowMeans(scores[, first, drop = FALSE])
  known <- settled & is.finite(whole) & whole < sqrt(loss_cap)
  shift <- if (any(known)) mean(whole[known] - part[known]) else 0
  ifelse(settled, whole, part + shift)
}

cell_key <- function(cells) apply(cells, 1, paste, collapse = " ")

# The best cell is surrounded until nothing beside it is better; then, where parts share their
# parameters, once more with each axis alone; and again if it is another one on all splits.
search_cells <- function(scorer, axes, max_rounds = 12) {
  surround <- function(together) {
    around <- neighbours(axes, scorer$best(), together)
    !is.null(around) && scorer$evaluate(around)
  }
  scorer$evaluate(first_cells(axes))
  phases <- if (anyDuplicated(axis_groups(axes))) c(TRUE, FALSE) else TRUE
  for (together in phases) {
    for (round in seq_len(max_rounds)) if (!surround(together)) break
  }
  for (round in seq_len(max_rounds)) {
    scorer$settle()
    if (!surround(together)) break
  }
}

# A matrix of held-out scores, cells by splits. One task is one split and one width: the features
# are computed once, and the penalties follow each other from large to small.
score_cells <- function(problem, control, axes, splits, cells) {
  parameters <- lapply(seq_len(nrow(cells)), function(i) cell_parameters(axes, cells[i, ]))
  width <- vapply(parameters, function(p) paste(c(p$sigma, p$ridge), collapse = " "), "")
  weight <- vapply(parameters, function(p) sum(log(p$lambda)), 0)
  paths <- lapply(split(seq_along(parameters), width), function(i) i[order(-weight[i])])
  tasks <- expand.grid(path = seq_along(paths), split = seq_along(splits))
  results <- run_tasks(seq_len(nrow(tasks)), function(k) {
    path_scores(problem, control, splits[[tasks$split[k]]], parameters[paths[[tasks$path[k]]]])
  })
  out <- matrix(NA_real_, nrow(cells), length(splits))
  for (k in seq_len(nrow(tasks))) out[paths[[tasks$path[k]]], tasks$split[k]] <- results[[k]]
  out
}

# Held-out scores along a path of penalties. Once the score is clearly worse than the best on the
# path, smaller penalties only overfit further and are left out (NA).
path_scores <- function(problem, control, held, path) {
  # Landmarks among the rows held out would tell where these are.
  prepared <- prepare(problem, setdiff(rows_of(problem), held), path[[1]]$sigma,
                      tuning_control(control))
  weights <- problem$weights[held]
  score <- rep(NA_real_, length(path))
  previous <- best <- NULL
  for (i in seq_along(path)) {
    solution <- solve_at(prepared, path[[i]]$lambda, path[[i]]$ridge, previous = previous)
    previous <- solution
    losses <- pmin(held_out(problem, solution, held), loss_cap)
    losses[is.na(losses)] <- loss_cap  # where there is no solution
    score[i] <- stats::weighted.mean(losses, weights)
    if (is.null(best) || score[i] < stats::weighted.mean(best, weights)) best <- losses
    else if (clearly_worse(losses - best)) break
  }
  score
}

tuning_rank <- 200

# Stands for an infinite loss, so that infinite scores can be told apart.
loss_cap <- .Machine$double.xmax^0.25

# Scores need not be known better than they differ between candidates: a few landmarks say whether a
# width is any good, and a primal point near the optimum does without a certificate.
tuning_control <- function(control) {
  control$tol <- max(control$tol, 1e-3)
  control$rank_tol <- max(control$rank_tol, 1e-5)  # NULL too
  control$max_rank <- min(control$max_rank, tuning_rank)
  control$certified <- FALSE
  control$trace <- FALSE
  control
}

clearly_worse <- function(difference) {
  n <- length(difference)
  n > 10 && mean(difference) > 4 * stats::sd(difference) / sqrt(n) && mean(difference) > 0
}
