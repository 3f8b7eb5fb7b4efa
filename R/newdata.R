# The rows a prediction is for, the same for all regressions: `newdata` as the fit took its data, or
# the training data if it is NULL; a row with a missing or infinite predictor gives NA; one warning
# where rows leave the range of the data.

# A matrix in the units of the data.
predictors <- function(fit, newdata, call = rlang::caller_env()) {
  if (is.null(newdata)) return(fit$x)
  x <- forge(fit$recipe, newdata, call = call)
  warn_extrapolation(x, fit$range, call = call)
  x
}

# Far from the data a kernel model knows nothing: prediction says so, once a call. `range` has the
# smallest and the largest value of each column in its two rows.
warn_extrapolation <- function(x, range, arg = "newdata", call = rlang::caller_env()) {
  slack <- 1e-8 * (range[2, ] - range[1, ])
  outside <- t(t(x) < range[1, ] - slack | t(x) > range[2, ] + slack)
  rows <- sum(rowSums(outside, na.rm = TRUE) > 0)
  if (rows == 0) return(invisible())
  columns <- colnames(x)[colSums(outside, na.rm = TRUE) > 0]
  cli::cli_warn(
    c("{rows} row{?s} of {.arg {arg}} {cli::qty(rows)}{?is/are} outside the range of the data, in
       {.field {columns}}.",
      i = "The fit knows nothing of the function there."),
    class = "psd_extrapolation", call = call
  )
}

# The functions of a fit at the rows of x, one column per function, far from the data those of its
# simple model (R/far.R); NA where a predictor is missing or infinite.
function_values <- function(fit, x) {
  known <- rowSums(!is.finite(x)) == 0
  out <- matrix(NA_real_, nrow(x), length(fit$functions))
  t <- standardized(x[known, , drop = FALSE], fit$units$x)
  values <- all_values(fit$functions, t)
  out[known, ] <- if (is.null(fit$pilot)) beyond_data(values, fit$far, fit$functions, t)
                  else beyond_pilot(values, fit$pilot, fit$far, fit$functions, t)
  out
}

# The type of a prediction; "response", which R has for all models, is the first choice.
check_type <- function(type, choices, call = rlang::caller_env()) {
  if (identical(type, "response")) choices[1] else check_choice(type, choices, "type", call)
}

# Arguments that only some types of prediction take are an error with the others: ignored, `level`
# or `tau` without a `type` would give a mean where an interval or a quantile was meant. `takers`
# has the types that take each argument of the method in `env`.
check_takers <- function(type, takers, env = rlang::caller_env()) {
  given <- vapply(names(takers), function(arg) {
    !eval(call("missing", as.name(arg)), env) && !is.null(env[[arg]])
  }, NA)
  idle <- names(takers)[given & !vapply(takers, function(types) type %in% types, NA)]
  if (length(idle) > 0) {
    abort("{.arg {idle[1]}} must come with {.arg type} {.or {.val {takers[[idle[1]]]}}}, not
           {.val {type}}.", call = env)
  }
}

# A matrix with one column as a vector.
simplify_columns <- function(out) if (ncol(out) == 1) as.vector(out) else out

# What augment() adds columns to: a data frame, from what the user gave, or from the data of the
# fit.
augmented_data <- function(fit, data, newdata) {
  given <- newdata %||% data
  if (is.null(given)) {
    variables <- shown_variables(fit)
    frame <- data.frame(variables, fit$y, check.names = FALSE)
    names(frame) <- c(names(variables), colnames(fit$y) %||% fit$recipe$response)
    return(list(frame = frame, newdata = NULL, y = fit$y))
  }
  frame <- as.data.frame(given)
  if (!is.data.frame(given)) names(frame) <- fit$recipe$columns
  list(frame = frame, newdata = given, y = response_in(fit$recipe, frame))
}
