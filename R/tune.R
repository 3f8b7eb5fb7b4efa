#' How sigma, lambda and ridge are chosen
#'
#' Settings of the cross-validation that chooses among several values of `sigma`, `lambda` and
#' `ridge`, for the `tune` argument of the fitting functions.
#'
#' Each candidate is scored by the model's own loss on rows that were held out: minus the log
#' density, the pinball loss, or the Gaussian negative log-likelihood. All candidates share the same
#' folds, drawn from R's random numbers (`set.seed()` fixes them).
#'
#' @param folds Number of folds, or a vector of fold numbers with one entry an observation.
#' @param repeats How often the folds (or the random splits) are drawn anew.
#' @param train If given, random splits instead of folds: the share of rows to fit on. The paper
#'   uses `train = 0.7, repeats = 7`.
#' @param rule `"min"` takes the candidate with the lowest mean score; `"1se"` the one with the
#'   largest penalty whose score is within one standard error of that.
#' @return A list of class `psd_tune`.
#' @export
#' @examples
#' psd_tune(folds = 10)
#' psd_tune(train = 0.7, repeats = 7)
psd_tune <- function(folds = 5, repeats = 1, train = NULL, rule = c("min", "1se")) {
  folds <- check_numbers(folds, min = 1)
  if (length(folds) == 1) folds <- check_number(folds, min = 2)
  repeats <- check_number(repeats, min = 1)
  if (!is.null(train)) train <- check_number(train, above = 0, below = 1)
  rule <- check_choice(rule, c("min", "1se"))
  structure(list(folds = folds, repeats = repeats, train = train, rule = rule),
            class = "psd_tune")
}

# One list of held-out rows a split.
make_splits <- function(n, tune) {
  if (!is.null(tune$train)) {
    held <- max(1, round((1 - tune$train) * n))
    return(lapply(seq_len(tune$repeats), function(i) sort(sample.int(n, held))))
  }
  if (length(tune$folds) > 1) {
    if (length(tune$folds) != n) {
      abort("{.arg folds} must have one fold number an observation ({n}), not {length(tune$folds)}.",
            call = NULL)
    }
    return(unname(split(seq_len(n), tune$folds)))
  }
  folds <- min(tune$folds, n)
  draws <- lapply(seq_len(tune$repeats), function(i) {
    unname(split(seq_len(n), sample(rep_len(seq_len(folds), n))))
  })
  do.call(c, draws)
}

# The parameters to fit with: list(sigma =, lambda =, ridge =, tuning =), by cross-validation where
# the user left a choice.
choose_parameters <- function(engine, sigma, lambda, ridge, tune, call = rlang::caller_env()) {
  if (!inherits(tune, "psd_tune")) {
    abort("{.arg tune} must be made by {.fn psd_tune}, not {.obj_type_friendly {tune}}.", call = call)
  }
  sigma <- if (is.null(sigma)) default_sigma(engine) else check_numbers(sigma, above = 0, call = call)
  lambda <- if (is.null(lambda)) default_lambda(engine) else check_numbers(lambda, above = 0, call = call)
  ridge <- check_numbers(ridge, above = 0, call = call)
  if (length(sigma) * length(lambda) * length(ridge) == 1) {
    return(list(sigma = sigma, lambda = lambda, ridge = ridge))
  }
  splits <- make_splits(length(engine$rows), tune)
  tasks <- expand.grid(split = seq_along(splits), sigma = sigma, ridge = ridge)
  scores <- Map(function(split, sigma, ridge) {
    path_scores(engine, splits[[split]], sigma, sort(lambda, decreasing = TRUE), ridge)
  }, tasks$split, tasks$sigma, tasks$ridge)
  table <- do.call(rbind, scores)
  means <- stats::aggregate(score ~ sigma + lambda + ridge, table, mean)
  best <- means[which.min(means$score), ]
  list(sigma = best$sigma, lambda = best$lambda, ridge = best$ridge, tuning = means)
}

# Held-out scores along a path of penalties, from large to small, each fit starting from the last.
path_scores <- function(engine, held, sigma, lambda, ridge) {
  problem <- engine$prepare(setdiff(engine$rows, held), sigma)
  control <- engine$control
  control$tol <- max(control$tol, 1e-4)
  start <- NULL
  score <- numeric(length(lambda))
  for (i in seq_along(lambda)) {
    solution <- engine$solve(problem, lambda[i], ridge, control, start)
    start <- solution$dual
    score[i] <- stats::weighted.mean(engine$score(solution, held), engine$weights[held])
  }
  data.frame(sigma = sigma, lambda = lambda, ridge = ridge, score = score)
}

default_sigma <- function(engine) exp(seq(log(0.15), log(1.5), length.out = 5)) * sqrt(engine$dim)
default_lambda <- function(engine) 10^seq(-1, -5)
