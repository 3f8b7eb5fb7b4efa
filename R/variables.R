# The variables of a fit as the user knows them, for pictures: those of the formula, before factors
# became columns of zeros and ones; or the columns of a matrix.

# Of the right side of a formula: a data frame with the rows of the data, or NULL where there is
# none, as with a matrix among the variables.
formula_variables <- function(terms, data, n) {
  variables <- tryCatch(stats::get_all_vars(stats::delete.response(terms), data),
                        error = function(e) NULL)
  plain <- vapply(variables, function(v) is.null(dim(v)) && is.atomic(v), NA)
  if (is.null(variables) || nrow(variables) != n || !all(plain)) return(NULL)
  rownames(variables) <- NULL
  variables
}

# Those of a fit. They are kept only where they are not the columns themselves.
shown_variables <- function(fit) {
  fit$variables %||% stats::setNames(as.data.frame(fit$x), fit$recipe$columns)
}

# The predictors in a line of print(): the terms of the formula, or the columns.
shown_predictors <- function(fit) {
  paste(attr(fit$recipe$terms, "term.labels") %||% fit$recipe$columns, collapse = ", ")
}

# What must be kept of them.
kept_variables <- function(molded) {
  variables <- molded$variables
  same <- identical(names(variables), molded$recipe$columns) &&
    all(vapply(variables, function(v) is.numeric(v) && is.null(attributes(v)), NA))
  if (!same) variables
}

# The names of the variables that have levels: factors, strings, TRUE or FALSE, numbers inside
# factor() in the formula, and numbers of at most two values.
with_levels <- function(variables, recipe) {
  in_factor <- unlist(lapply(names(recipe$xlevels), function(term) all.vars(str2lang(term))))
  few <- vapply(variables, function(v) {
    is.factor(v) || is.character(v) || is.logical(v) || is.numeric(v) && length(unique(v)) <= 2
  }, NA)
  union(names(variables)[few], intersect(in_factor, names(variables)))
}

levels_of <- function(values) {
  if (is.factor(values)) factor(levels(droplevels(values)), levels(values))
  else sort(unique(values))
}

# Where a variable is held: the median, or the most frequent level (the first of several).
typical_value <- function(values, discrete) {
  if (!discrete) return(stats::median(values))
  known <- levels_of(values)
  known[which.max(tabulate(match(values, known), length(known)))]
}

# The point at which variables are held while another moves: a data frame with one row.
held_point <- function(variables, discrete, at, call) {
  held <- variables[1, , drop = FALSE]
  for (name in names(held)) held[[name]] <- typical_value(variables[[name]], name %in% discrete)
  if (is.null(at)) return(held)
  if (is.null(names(at)) || !all(lengths(at) == 1)) {
    shown <- if (is.numeric(held[[1]])) signif(held[[1]], 3) else deparse1(format(held[[1]]))
    abort("{.arg at} must be values named by variable, such as
           {.code list({names(held)[1]} = {shown})}, one for each.", call = call)
  }
  check_columns(names(at), names(held), arg = "names(at)", call = call)
  for (name in names(at)) {
    held[[name]] <- held_value(at[[name]], variables[[name]], name %in% discrete, name, call)
  }
  held
}

# One value of a variable, of its type.
held_value <- function(value, values, discrete, name, call) {
  if (discrete) {
    known <- levels_of(values)
    at <- match(as.character(value), as.character(known))
    if (is.na(at)) {
      abort("{.arg at} must have a level of {.field {name}}, {.or {.val {as.character(known)}}},
             not {.val {as.character(value)}}.", call = call)
    }
    return(known[at])
  }
  if (inherits(values, "Date")) value <- as.Date(value)
  else if (inherits(values, "POSIXct")) value <- as.POSIXct(value)
  else value <- check_number(value, arg = paste0("at$", name), call = call)
  value
}
