#' Scores of Gaussian predictions
#'
#' Proper scores of predictions of `y` by a normal distribution with mean `mean` and standard
#' deviation `sd`, one per row and the smaller the better; take the mean over rows that were not
#' used in the fit. They work with the predictions of any model.
#'
#' `psd_nlpd()` is the negative log predictive density,
#' `log(2 pi) / 2 + log(sd) + z^2 / 2` with `z = (y - mean) / sd`. It asks most for the right `sd`,
#' and one observation far out in a tail can dominate it.
#'
#' `psd_crps()` is the continuous ranked probability score, the integral over `t` of
#' `(F(t) - 1{y <= t})^2` with `F` the predicted distribution function. For a normal distribution it
#' is `sd (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi))` with `Phi` and `phi` the standard normal
#' distribution function and density. It has the units of `y`, and is the absolute error when the
#' prediction is a single point (`sd = 0`).
#'
#' @param y Observed values.
#' @param mean,sd Predicted means and standard deviations: one per value of `y`, or one for all.
#' @return A numeric vector with one score per value of `y`.
#' @references Gneiting and Raftery (2007), Strictly proper scoring rules, prediction, and
#'   estimation. \doi{10.1198/016214506000001437}
#' @export
#' @examples
#' psd_nlpd(y = c(0, 2), mean = 0, sd = 1)
#' psd_crps(y = c(0, 2), mean = 0, sd = 1)
psd_nlpd <- function(y, mean, sd) {
  at <- check_gaussian(y, mean, sd)
  -stats::dnorm(at$y, at$mean, at$sd, log = TRUE)
}

#' @rdname psd_nlpd
#' @export
psd_crps <- function(y, mean, sd) {
  at <- check_gaussian(y, mean, sd)
  error <- at$y - at$mean
  z <- ifelse(error == 0, 0, error / at$sd)
  # z * sd is the error, also where sd is zero and z infinite.
  error * (2 * stats::pnorm(z) - 1) + at$sd * (2 * stats::dnorm(z) - 1 / sqrt(pi))
}

# Missing values are allowed, and stay missing in the score.
check_gaussian <- function(y, mean, sd, call = rlang::caller_env()) {
  at <- list(y = y, mean = mean, sd = sd)
  for (arg in names(at)) {
    value <- at[[arg]]
    # `NA` alone is logical.
    if (!is.numeric(value) && !all(is.na(value)) || !is.null(dim(value)) && NCOL(value) > 1) {
      abort("{.arg {arg}} must be a numeric vector, not {.obj_type_friendly {value}}.", call = call)
    }
    if (arg != "y" && !length(value) %in% c(1, length(y))) {
      abort("{.arg {arg}} must have one value, or one per value of {.arg y} ({length(y)}), not
             {length(value)}.", call = call)
    }
    at[[arg]] <- rep_len(as.numeric(value), length(y))
  }
  if (any(at$sd < 0, na.rm = TRUE)) {
    abort("{.arg sd} must be at least 0, not {.val {at$sd[which(at$sd < 0)[1]]}}.", call = call)
  }
  at
}
