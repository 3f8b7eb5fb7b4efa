# Checks of the rows and columns that a fit is made of: weights, subset, missing values, names and
# types.

check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(rep(1, n))
  if (!is.numeric(weights) || length(weights) != n) {
    abort("{.arg weights} must be a numeric vector with one weight per observation ({n}), not
           {.obj_type_friendly {weights}} of length {length(weights)}.", call = call)
  }
  bad <- is.na(weights) | weights < 0 | is.infinite(weights)
  if (any(bad)) {
    abort("{.arg weights} must be non-negative and finite, not {.val {weights[bad][1]}}
           (observation {which(bad)[1]}).", call = call)
  }
  if (sum(weights) > largest_number) {
    abort("{.arg weights} must have a sum of at most {largest_number}; the largest is
           {.val {max(weights)}}.", call = call)
  }
  as.numeric(weights)
}

# Which observations count: a weight that is lost in the sum of all is as good as none.
counted <- function(weights) weights > .Machine$double.eps * sum(weights)

# NULL, or positive numbers, one per observation or one for all.
check_exposure <- function(exposure, n, call) {
  if (is.null(exposure)) return(NULL)
  exposure <- check_numbers(exposure, above = 0, call = call)
  if (!length(exposure) %in% c(1, n)) {
    abort("{.arg exposure} must have one value, or one per observation ({n}), not
           {length(exposure)}.", call = call)
  }
  rep_len(exposure, n)
}

check_subset <- function(subset, n, call) {
  if (is.null(subset)) return(seq_len(n))
  if (is.logical(subset) && length(subset) == n) return(which(subset))
  if (!is.numeric(subset) || anyNA(subset)) {
    abort("{.arg subset} must be a logical vector of length {n} or row numbers, not
           {.obj_type_friendly {subset}} of length {length(subset)}.", call = call)
  }
  if (any(subset != round(subset))) {
    abort("{.arg subset} must be whole numbers, not {.val {subset[subset != round(subset)][1]}}.",
          call = call)
  }
  if (any(abs(subset) > n)) {
    abort("{.arg subset} must have row numbers up to {n}, not {.val {subset[abs(subset) > n][1]}}.",
          call = call)
  }
  if (any(subset < 0) && any(subset > 0)) {
    abort("{.arg subset} must be row numbers to keep or, all negative, to leave out, not both.",
          call = call)
  }
  seq_len(n)[subset]
}

# A function, or the name of one.
check_na_action <- function(na.action, call) {
  known <- is.function(na.action) ||
    rlang::is_string(na.action) && exists(na.action, mode = "function")
  if (!known) {
    shown <- if (rlang::is_string(na.action)) "{.val {na.action}}" else
      "{.obj_type_friendly {na.action}}"
    abort(paste0("{.arg na.action} must be a function such as {.fn na.omit}, not ", shown, "."),
          call = call)
  }
}

# Columns are found by their names, in newdata and in marginals.
check_names <- function(x, arg, call) {
  names <- colnames(x)
  twice <- names[duplicated(names) & !is.na(names) & nzchar(names)]
  if (length(twice) > 0) {
    abort("{.arg {arg}} must have different column names; {.field {twice[1]}} is there twice.",
          call = call)
  }
}

# `a | b` is no grouping here, but "a or b", a column of truth values.
check_no_bar <- function(formula, arg, call) {
  for (variable in as.list(attr(stats::terms(formula, allowDotAsName = TRUE), "variables"))) {
    if (!is.call(variable) || !identical(variable[[1]], as.name("|"))) next
    abort(c("{.arg {arg}} must not have a bar, as in {.code {deparse1(variable)}}.",
            i = "Only {.fn psd_density} fits groups so, by {.code ~ x | g}; elsewhere fit each of
                 those of {.field {deparse1(variable[[3]])}}, or make it a predictor."),
          call = call)
  }
}

# Of a formula that could not be evaluated: a column that is misspelt may be the name of a function,
# which R then takes for it.
check_no_functions <- function(formula, data, arg, call) {
  others <- setdiff(all.vars(formula), c(names(data), "."))
  is_function <- vapply(others, function(name) {
    is.function(get0(name, environment(formula), ifnotfound = NULL))
  }, NA)
  wrong <- others[is_function]
  if (length(wrong) == 0) return(invisible())
  if (is.null(data)) {
    abort("{.arg {arg}} must name variables; {.field {wrong[1]}} is a function, not a variable, and
           there is no {.arg data}.", call = call)
  }
  abort(c("{.arg {arg}} must name columns of {.arg data}; {.field {wrong[1]}} is not one of them,
           but a function of R.", i = "The columns are {.field {names(data)}}."), call = call)
}

# The variables of a model frame beside the response: numbers, or factors of two levels or more.
check_predictors <- function(terms, frame, arg, call) {
  response <- attr(terms, "response")
  factors <- attr(terms, "factors")
  if (response > 0 && length(factors) > 0 && any(factors[response, ] > 0)) {
    abort("{.arg {arg}} must not have its response {.field {names(frame)[response]}} among the
           predictors.", call = call)
  }
  for (name in names(frame)[setdiff(seq_along(frame), response)]) {
    variable <- frame[[name]]
    grouped <- is.factor(variable) || is.character(variable)
    if (!grouped && !typeof(variable) %in% c("double", "integer", "logical")) {
      abort("{.arg {arg}} must have numbers and factors as predictors; {.field {name}} is
             {.obj_type_friendly {variable}}.", call = call)
    }
    values <- unique(stats::na.omit(as.character(variable)))
    if (grouped && length(values) < 2) {
      abort("{.arg {arg}} must have factors of at least two levels; {.field {name}} has
             {if (length(values) == 0) 'none' else 'only'} {.val {values}}.", call = call)
    }
  }
}

# Rows with a missing value go the way of `na.action`, and the user is told.
drop_missing <- function(molded, na.action, call) {
  missing <- rowSums(is.na(molded$x)) > 0
  if (!is.null(molded$y)) missing <- missing | rowSums(is.na(as.matrix(molded$y))) > 0
  if (!any(missing)) return(molded)
  na.action <- match.fun(na.action)
  kept <- tryCatch(na.action(data.frame(value = ifelse(missing, NA, 0))),
                   error = function(e) NULL)
  if (is.null(kept) || nrow(kept) == length(missing)) {
    abort(c("The data must not have missing values when {.arg na.action} keeps or refuses them.",
            x = "{sum(missing)} row{?s} of {.arg {molded$arg}} {?has/have} a missing value."),
          call = call)
  }
  cli::cli_inform("Dropped {sum(missing)} row{?s} with missing values.", class = "psd_missing")
  if (all(missing)) abort("{.arg {molded$arg}} must have at least one complete row.", call = call)
  keep_rows(molded, !missing)
}

# Squares and differences of larger numbers would not be finite.
largest_number <- 1e300

check_finite <- function(x, arg, call) {
  if (!is.numeric(x)) {
    abort("{.arg {arg}} must be numeric, not {.obj_type_friendly {x}}.", call = call)
  }
  where <- which(abs(x) > largest_number)[1]
  if (!is.na(where)) {
    must <- if (is.infinite(x[where])) "finite" else "at most {largest_number} in size"
    abort(paste0("{.arg {arg}} must be ", must, ", not {.val {x[where]}} (row
                 {(where - 1) %% NROW(x) + 1})."), call = call)
  }
}
