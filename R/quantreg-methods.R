# What a regression user asks of a quantile fit, in the order of the levels the user gave.

#' @importFrom stats fitted
#' @export
fitted.psd_quantreg <- function(object, ...) {
  check_dots()
  predict_quantiles(object, function_values(object, object$x), object$tau)
}

#' @importFrom stats residuals
#' @export
residuals.psd_quantreg <- function(object, ...) {
  check_dots()
  object$y - fitted(object)
}

#' @export
print.psd_quantreg <- function(x, digits = 3, ...) {
  check_dots()
  cat("<psd_quantreg> quantiles ", paste(x$tau, collapse = ", "), " of ", x$recipe$response,
      " given ", shown_predictors(x), " (", x$n, " observations)\n", sep = "")
  if (x$base$bounded) {
    cat("all ", if (x$base$sign > 0) "at least " else "at most ", format(x$units$y$center), "\n",
        sep = "")
  }
  print_certificate(x, digits)
  invisible(x)
}

#' Summary of a quantile regression
#'
#' @param object A fit by [psd_quantreg()].
#' @param ... Not used.
#' @return A list of class `summary.psd_quantreg`; its element `levels` is a data frame with one row
#'   per level: `tau`, the mean `pinball` loss in the units of the response, and `coverage`, the
#'   share of observations at or below the quantile, all on the training data and weighted.
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' summary(psd_quantreg(accel ~ times, MASS::mcycle, sigma = 0.4, lambda = 1e-3))
summary.psd_quantreg <- function(object, ...) {
  check_dots()
  q <- fitted(object)
  levels <- data.frame(tau = object$tau,
                       pinball = psd_pinball(object$y, q, object$tau, object$weights),
                       coverage = psd_coverage(object$y, q, object$weights), row.names = NULL)
  structure(list(fit = object, levels = levels), class = "summary.psd_quantreg")
}

#' @export
print.summary.psd_quantreg <- function(x, digits = 3, ...) {
  print(x$fit, digits)
  print_choice(x$fit, digits)
  cat("\nOn the training data:\n")
  print(x$levels, digits = digits, row.names = FALSE)
  invisible(x)
}

#' Tidy data frames of a quantile regression
#'
#' `tidy()` describes the functions the model is made of, `augment()` gives the fitted quantiles in
#' long form, one row per observation and level, and `glance()` the fit in one row, with the width
#' and the penalty of each part; `sigma` and `lambda` are those of the gaps (`psd`).
#'
#' @param x A fit by [psd_quantreg()].
#' @param data,newdata A data frame to add the quantiles to. By default the training data as the
#'   model sees them, the numeric columns and the response.
#' @param ... Not used.
#' @return `tidy()`: one row for the middle quantile (under a bound, the one next to it) and one
#'   per gap, with `term`, `type` (`"linear"` or `"psd"`), `sigma`, `lambda`, `landmarks` and
#'   `rank`. `augment()`: `data` repeated for each level with the columns `.tau`, `.fitted` and,
#'   where the response is there, `.resid`.
#' @name tidy.psd_quantreg
#' @export
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' fit <- psd_quantreg(accel ~ times, MASS::mcycle, sigma = 0.4, lambda = 1e-3)
#' tidy(fit)
#' glance(fit)
#' head(augment(fit, MASS::mcycle))
tidy.psd_quantreg <- function(x, ...) {
  check_dots()
  part <- c("linear", rep("psd", length(x$functions) - 1))
  gaps <- if (length(x$levels) > 1) sprintf("q%s - q%s", x$levels[-1], x$levels[-length(x$levels)])
  data.frame(term = c(paste0("q", x$levels[x$base$level]), gaps),
             type = vapply(x$functions, `[[`, "", "type"),
             sigma = unname(x$parameters$sigma[part]), lambda = unname(x$parameters$lambda[part]),
             landmarks = vapply(x$functions, landmarks_of, 0L), rank = x$rank)
}

#' @rdname tidy.psd_quantreg
#' @export
glance.psd_quantreg <- function(x, ...) cbind(NextMethod(), glance_parts(x))

#' @rdname tidy.psd_quantreg
#' @export
augment.psd_quantreg <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots()
  given <- augmented_data(x, data, newdata)
  y <- given$y
  q <- predict(x, given$newdata)
  rows <- rep(seq_len(nrow(q)), ncol(q))
  out <- given$frame[rows, , drop = FALSE]
  rownames(out) <- NULL
  out$.tau <- rep(x$tau, each = nrow(q))
  out$.fitted <- as.vector(q)
  if (!is.null(y)) out$.resid <- y[rows] - out$.fitted
  out
}
