#' Scores of predicted quantiles
#'
#' `psd_pinball()` is the mean pinball (check, quantile) loss of each level,
#' `max(tau (y - q), (tau - 1) (y - q))`: the loss whose expectation the true quantile minimises, so
#' lower is better. `psd_coverage()` is the share of observations at or below each predicted
#' quantile; a calibrated prediction has the level itself.
#'
#' The two answer different questions: an empirical quantile that ignores the predictors has perfect
#' coverage but a poor pinball loss. In-sample both are optimistic; use held-out data to compare
#' models. The coverage of an interval is the difference of the coverages of its ends.
#'
#' @param y A numeric vector of observations.
#' @param q Predicted quantiles: a matrix with one row per observation and one column per level, as
#'   `predict()` returns it, or a vector for a single level.
#' @param tau The levels of the columns of `q`, in (0, 1).
#' @param weights Non-negative observation weights.
#' @param na.rm Leave out observations that are missing in `y` or `q`?
#' @return A numeric vector with one value per column of `q`, named like it.
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' train <- seq(1, 133, by = 2)
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, tau = c(0.1, 0.5, 0.9), subset = train,
#'                     sigma = 0.4, lambda = 1e-3)
#' test <- MASS::mcycle[-train, ]
#' q <- predict(fit, test)
#' psd_pinball(test$accel, q, c(0.1, 0.5, 0.9))
#' psd_coverage(test$accel, q)
psd_pinball <- function(y, q, tau, weights = NULL, na.rm = FALSE) {
  tau <- check_numbers(tau, above = 0, below = 1)
  q <- check_predictions(y, q)
  if (length(tau) != ncol(q)) {
    abort("{.arg tau} must have one level per column of {.arg q} ({ncol(q)}), not {length(tau)}.")
  }
  column_means(pinball_losses(y, q, tau), check_weights(weights, length(y), rlang::current_env()),
               check_flag(na.rm))
}

#' @rdname psd_pinball
#' @export
psd_coverage <- function(y, q, weights = NULL, na.rm = FALSE) {
  q <- check_predictions(y, q)
  column_means(q >= y, check_weights(weights, length(y), rlang::current_env()), check_flag(na.rm))
}

# One row per observation, one column per level.
pinball_losses <- function(y, q, tau) {
  residual <- y - q
  tau <- rep(tau, each = length(y))
  pmax(tau * residual, (tau - 1) * residual)
}

check_predictions <- function(y, q, call = rlang::caller_env()) {
  if (!is.numeric(y) || NCOL(y) != 1) {
    abort("{.arg y} must be a numeric vector, not {.obj_type_friendly {y}}.", call = call)
  }
  if (!is.numeric(q) || NROW(q) != length(y)) {
    abort("{.arg q} must be numeric with one row per value of {.arg y} ({length(y)}), not
           {.obj_type_friendly {q}} with {NROW(q)}.", call = call)
  }
  if (is.matrix(q)) q else matrix(q, ncol = 1)
}

column_means <- function(values, weights, na.rm) {
  if (na.rm) {
    known <- rowSums(is.na(values)) == 0
    values <- values[known, , drop = FALSE]
    weights <- weights[known]
  }
  colSums(values * weights) / sum(weights)
}
