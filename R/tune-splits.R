# The rows that cross-validation holds out: folds that are fixed by the data, drawn or given.

default_folds <- 5

# One vector of held-out rows a split, of the rows of x.
make_splits <- function(x, tune, call = rlang::caller_env()) {
  n <- nrow(x)
  if (n < 2) {
    abort("Cross-validation needs two different rows; give {.arg sigma} and {.arg lambda}.",
          call = call)
  }
  if (!is.null(tune$train)) {
    held <- min(n - 1, max(1, round((1 - tune$train) * n)))
    return(lapply(seq_len(tune$repeats %||% 1), function(i) sort(sample.int(n, held))))
  }
  if (length(tune$folds) > 1) {
    if (length(tune$folds) != n) {
      abort("{.arg folds} must have one fold number an observation used ({n}), not
             {length(tune$folds)}.", call = call)
    }
    return(unname(split(seq_len(n), tune$folds)))
  }
  folds <- min(tune$folds %||% default_folds, n)
  repeats <- tune$repeats %||% if (folds < n) min(2, ceiling(1000 / n)) else 1
  fixed <- is.null(tune$folds) && is.null(tune$repeats)
  draws <- lapply(seq_len(repeats), function(draw) {
    fold <- if (fixed) spread_folds(x, folds, draw) else sample(rep_len(seq_len(folds), n))
    unname(split(seq_len(n), fold))
  })
  do.call(c, draws)
}

# Folds without random numbers, so that the same data give the same fit: in the order of the columns
# each row and its next neighbours go to different folds, in an order that changes all along.
spread_folds <- function(x, folds, draw) {
  n <- nrow(x)
  sorted <- do.call(order, unname(as.data.frame(x)))
  place <- (seq_len(n)^2 * sqrt(c(2, 3)[draw])) %% 1
  fold <- stats::ave(place, (seq_len(n) - 1) %/% folds, FUN = rank)
  fold[order(sorted)]
}

# Of the folds of a large sample, unless the user asked for folds, those that hold out enough rows
# to tell candidates apart: what more of them tell is worth less than the fits cost.
enough_splits <- function(splits, tune, rows = 2000) {
  if (asks_for_splits(tune)) return(splits)
  before <- cumsum(lengths(splits)) - lengths(splits)
  splits[before < rows]
}

asks_for_splits <- function(tune) {
  !is.null(tune$folds) || !is.null(tune$repeats) || !is.null(tune$train) || isTRUE(tune$always)
}

# The splits on which all candidates are scored: all that the user asked for, else one draw of
# folds.
first_splits <- function(tune, splits, n) {
  one_draw <- is.null(tune$repeats) && is.null(tune$train) && length(tune$folds) <= 1
  seq_len(if (one_draw) min(tune$folds %||% default_folds, n) else length(splits))
}
