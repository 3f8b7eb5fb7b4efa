# Conformal intervals at new rows: the base intervals moved by the scores.

#' Predictions of conformal intervals
#'
#' @param object,x A [psd_conformal()].
#' @param newdata As for `predict()` of the fit; its training data if `NULL`, on which intervals
#'   say little.
#' @param ... Not used.
#' @return A matrix with columns `fit` (the mean or the quantile nearest the median), `lwr` and
#'   `upr`, as for [stats::predict.lm()]. Where an interval would be empty both ends are the point
#'   in its middle.
#' @export
predict.psd_conformal <- function(object, newdata = NULL, ...) {
  check_dots()
  fit <- object$fit
  x <- predictors(fit, newdata)
  ends <- if (object$method == "split") split_ends(object, x) else fold_ends(object, x)
  middle <- if (is.null(object$ends)) gaussian_at(fit, x)$mean
            else predict_quantiles(fit, function_values(fit, x),
                                   fit$levels[middle_level(fit$levels)])
  ends <- uncrossed(ends, response_bounds(fit))
  cbind(fit = as.vector(middle), lwr = ends$lower, upr = ends$upper)
}

# Inside the bounds of the response. Scores inside the intervals draw the ends together, past each
# other where an interval is narrower than most: what would be empty is a point, which covers no
# less.
uncrossed <- function(ends, bounds) {
  ends <- lapply(ends, function(end) pmin(pmax(end, bounds[1]), bounds[2]))
  crossed <- which(ends$lower > ends$upper)
  ends$lower[crossed] <- ends$upper[crossed] <- (ends$lower[crossed] + ends$upper[crossed]) / 2
  ends
}

# The smallest value that is at least as large as the share `level` of n + 1, the new one included.
conformal_quantile <- function(scores, level) {
  rank <- ceiling(level * (length(scores) + 1) - 1e-9)
  if (rank > length(scores)) Inf else sort(scores)[rank]
}

# The base interval moved by each score: one row a row of x. Where its unit is infinite, for nothing
# is known there, so is the interval, whatever the score.
moved_ends <- function(base, scores) {
  reach <- outer(base$unit, scores)
  reach[is.infinite(base$unit), ] <- Inf
  list(lower = base$lower - reach, upper = base$upper + reach)
}

split_ends <- function(object, x) {
  base <- base_interval(object$fit, object$ends, x)
  lapply(moved_ends(base, conformal_quantile(object$scores, object$level)), drop)
}

fold_ends <- function(object, x) {
  reached <- Map(function(fold, scores) {
    moved_ends(base_interval(without_fold(object$fit, fold), object$ends, x), scores)
  }, object$fits, object$scores)
  end <- function(side, sign) {
    each <- do.call(cbind, lapply(reached, `[[`, side))
    apply(sign * each, 1, function(row) {
      if (anyNA(row)) NA_real_ else sign * conformal_quantile(row, object$level)
    })
  }
  list(lower = end("lower", -1), upper = end("upper", 1))
}

#' @rdname predict.psd_conformal
#' @export
print.psd_conformal <- function(x, ...) {
  check_dots()
  cat("<psd_conformal> intervals of ", x$fit$recipe$response, " with probability ", x$level,
      " around a ", class(x$fit)[1], "\n", sep = "")
  how <- if (x$method == "split") "calibration observations"
         else paste("observations in", length(x$fits), "folds (cv+)")
  cat(x$n, how, "\n")
  invisible(x)
}
