# Points without a response, as densities and intensities take them: what they may be, and where
# they may lie.

tell_discrete <- function(x) {
  values <- apply(x, 2, function(column) length(unique(column)))
  few <- values > 1 & values < pmin(20, nrow(x) / 3)
  if (any(few)) {
    cli::cli_inform(
      c("{.field {colnames(x)[few]}} {?has/have} few different values, as counts or groups do.",
        i = "The density is that of a continuous variable recorded to the distance of its values."),
      class = "psd_discrete"
    )
  }
}

# As mold(), for points without a response.
mold_points <- function(x, data, weights, subset, na.action, name, call = rlang::caller_env()) {
  check_numeric_variables(x, data, call)
  mold(x, data, weights = weights, subset = subset, na.action = na.action, name = name, arg = "x",
       call = call)
}

# Factors have no density; a formula would turn them into columns of zeros and ones.
check_numeric_variables <- function(x, data, call = rlang::caller_env()) {
  formula <- inherits(x, "formula")
  if (formula && length(x) == 3) {
    abort("{.arg x} must be a one-sided formula such as {.code ~ a + b}, not
           {.code {deparse1(x)}}.", call = call)
  }
  if (formula) check_no_bar(x, "x", call)
  if (is.factor(x)) {
    abort(c("{.arg x} must be numbers, not a factor.",
            i = "The shares of its levels are {.code prop.table(table(x))}."), call = call)
  }
  columns <- if (formula) as.list(data)[named_columns(x, data)]
             else if (is.data.frame(x)) as.list(x)
  bad <- vapply(columns, function(column) is.factor(column) || is.character(column), NA)
  if (any(bad)) {
    abort(c("{.arg x} must have numeric columns only; {.field {names(columns)[bad][1]}} is
             {.obj_type_friendly {columns[bad][[1]]}}.",
            i = "Fit one density per level by a formula such as {.code ~ x | group}, or give an
                 ordered variable as numbers and fix it with {.fn psd_conditional}."), call = call)
  }
}

# The names, a dot standing for all columns.
named_columns <- function(formula, data) {
  names <- all.vars(formula)
  intersect(if ("." %in% names) c(names, names(data)) else names, names(data))
}

check_inside <- function(x, measure, call = rlang::caller_env()) {
  for (column in seq_len(ncol(x))) {
    outside <- which(x[, column] < measure$lower[column] | x[, column] > measure$upper[column])
    if (length(outside) > 0) {
      abort("The data must lie inside the support [{measure$lower[column]}, {measure$upper[column]}]
             given by {.arg lower} and {.arg upper}; {.field {colnames(x)[column]}} is
             {.val {x[outside[1], column]}} in row {outside[1]}.", call = call)
    }
  }
}
