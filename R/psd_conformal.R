# Intervals with a coverage that holds whatever the distribution: conformal prediction around a fit.

#' Conformal intervals
#'
#' Intervals around a quantile fit or a heteroscedastic fit that hold a new response with
#' probability at least `level`, on average over data and predictors, whatever their distribution
#' and however well the model fits: all that is asked is that old and new observations are
#' exchangeable. The fit decides about their shape: wide where it says that the response varies.
#'
#' The intervals of a quantile fit, from its quantile at `(1 - level) / 2` to that at
#' `(1 + level) / 2` (or its outermost levels), are moved outwards, or inwards, by the same distance
#' everywhere (conformalised quantile regression, Romano, Patterson and Candes, 2019); those of a
#' heteroscedastic fit are the mean plus and minus a multiple of the standard deviation.
#'
#' With `calibration` data, which the fit must not have seen, distance or multiple is that within
#' which the share `level` of them lies, with the correction for a finite sample. With `"cv+"`
#' (Barber, Candes, Ramdas and Tibshirani, 2021) all data are used for both: the fit is repeated
#' without one fold after the other, with its own kernel widths and penalties, and an interval takes
#' the fits and errors of all folds into account. It then covers with probability about `level`, and
#' certainly at least about `2 * level - 1`. Observation weights of the fit do not count in the
#' calibration.
#'
#' @param fit A [psd_quantreg()] with at least two levels, or a [psd_hetero()], not of model `"glm"`
#'   for `"cv+"`.
#' @param calibration A data frame like that of the fit, with the response; for a fit from `x` and
#'   `y` a list with these. Or `"cv+"`.
#' @param level Probability that the intervals hold a new response.
#' @param folds For `"cv+"`: the number of folds, or the fold number of each observation.
#' @return An object of class `psd_conformal`, for `predict()`.
#' @seealso [predict.psd_conformal()]
#' @export
#' @examples
#' train <- seq(1, 272, by = 2)
#' fit <- psd_hetero(waiting ~ eruptions, faithful[train, ], sigma = 1, lambda = 1e-2)
#' safe <- psd_conformal(fit, faithful[-train, ], level = 0.9)
#' predict(safe, data.frame(eruptions = c(2, 4.5)))
psd_conformal <- function(fit, calibration, level = 0.9, folds = 10) {
  if (!inherits(fit, c("psd_quantreg", "psd_hetero"))) {
    abort("{.arg fit} must be a {.fn psd_quantreg} or {.fn psd_hetero}, not
           {.obj_type_friendly {fit}}.")
  }
  level <- check_number(level, above = 0, below = 1)
  if (missing(calibration)) {
    abort("{.arg calibration} must be given: data that the fit has not seen, or {.val cv+}.")
  }
  ends <- base_levels(fit, level)
  out <- if (identical(calibration, "cv+")) conformal_folds(fit, ends, folds, parent.frame())
         else conformal_split(fit, ends, calibration)
  rank <- ceiling(level * (out$n + 1))
  if (rank > out$n) {
    cli::cli_warn("{out$n} observation{?s} are too few to calibrate intervals of probability
                   {level}: they are the whole line.", class = "psd_few_observations")
  }
  structure(c(list(fit = fit, level = level, ends = ends), out), class = "psd_conformal")
}

# The levels between which the fit puts its own interval; NULL for a heteroscedastic fit.
base_levels <- function(fit, level, call = rlang::caller_env()) {
  if (!inherits(fit, "psd_quantreg")) return(NULL)
  if (length(fit$levels) < 2) {
    abort("{.arg fit} must have at least two levels.", call = call)
  }
  wanted <- c((1 - level) / 2, (1 + level) / 2)
  pmin(pmax(wanted, fit$levels[1]), fit$levels[length(fit$levels)])
}

# list(lower =, upper =, unit =): the fit's own interval at rows of x and what its errors are
# measured in: an interval of width zero around the mean, in units of the standard deviation.
base_interval <- function(fit, ends, x) {
  if (is.null(ends)) {
    at <- gaussian_at(fit, x)
    return(list(lower = at$mean, upper = at$mean, unit = at$sd))
  }
  q <- predict_quantiles(fit, function_values(fit, x), ends)
  list(lower = unname(q[, 1]), upper = unname(q[, 2]), unit = rep(1, nrow(x)))
}

# How far outside its interval a response is, negative inside.
conformal_scores <- function(base, y) pmax(base$lower - y, y - base$upper) / base$unit

conformal_split <- function(fit, ends, calibration, call = rlang::caller_env()) {
  known <- calibration_data(fit, calibration, call)
  scores <- conformal_scores(base_interval(fit, ends, known$x), known$y)
  scores <- scores[!is.na(scores)]
  list(method = "split", n = length(scores), scores = scores)
}

calibration_data <- function(fit, calibration, call) {
  from_formula <- fit$recipe$type == "formula"
  good <- if (from_formula) is.data.frame(calibration) else all(c("x", "y") %in% names(calibration))
  if (!good) {
    wanted <- if (from_formula) "a data frame" else "a list with {.field x} and {.field y}"
    abort(paste0("{.arg calibration} must be ", wanted, " like the data of the fit, or {.val cv+},
                  not {.obj_type_friendly {calibration}}."), call = call)
  }
  newdata <- if (from_formula) calibration else calibration$x
  y <- if (from_formula) response_in(fit$recipe, calibration) else calibration$y
  x <- forge(fit$recipe, newdata, "calibration", call)
  if (!is.numeric(y) || length(y) != nrow(x)) {
    abort("{.arg calibration} must have the response {.field {fit$recipe$response}}, one number
           per row.", call = call)
  }
  list(x = x, y = y)
}

# The fits without each fold, and the scores of its rows under them.
conformal_folds <- function(fit, ends, folds, env, call = rlang::caller_env()) {
  check_bootable(fit, call)
  held <- make_splits(fit$x, psd_tune(folds, repeats = 1), call)
  problem <- problem_of_fit(fit, NULL, env, call)
  control <- call_argument(fit, "control", env, call) %||% psd_control()
  groups <- groups_of(fit)
  fits <- with_progress(run_tasks(held, function(rows) {
    kept <- setdiff(rows_of(problem), rows)
    problem <- piloted_without(problem, rows)
    solution <- solve_groups(groups, prepare_groups(groups, problem, kept, control))
    list(functions = solution$functions, pilot = problem$pilot$model)
  }), "Folds")
  scores <- lapply(seq_along(held), function(fold) {
    rows <- held[[fold]]
    base <- base_interval(without_fold(fit, fits[[fold]]), ends, fit$x[rows, , drop = FALSE])
    conformal_scores(base, fit$y[rows])
  })
  list(method = "cv+", n = fit$n, scores = scores, fits = fits)
}

without_fold <- function(fit, fold) {
  fit$functions <- fold$functions
  fit$pilot <- fold$pilot
  fit
}
