# Training data: from what the user passes to a numeric matrix, and the recipe by which newdata goes
# the same way (R/forge.R). A recipe is a plain list: `type` ("vector", "matrix" or "formula"),
# `columns` (names of the numeric columns), and for formulas the terms (without their environment),
# factor levels and contrasts.

# list(x =, y =, weights =, variables =, recipe =, groups =, arg =, response_arg =): the rows used
# (also of the variables of a formula), the recipe, of a formula which columns belong to one factor,
# and what the user calls `x` and `y`. `x` is a vector,
# matrix, data frame or formula, which the user knows as `arg`; `y` a response unless the formula
# has one; `weights`, `subset` and `exposure` are quosures, looked up in `data` first, or in a data
# frame `x`.
mold <- function(x, data = NULL, y = NULL, weights = NULL, subset = NULL,
                 na.action = stats::na.omit, name = "x", arg = "formula", exposure = NULL,
                 call = rlang::caller_env()) {
  if (!is.null(data) && !is.data.frame(data)) {
    abort("{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call = call)
  }
  check_na_action(na.action, call)
  check_names(data, "data", call)
  molded <- if (inherits(x, "formula")) {
    mold_formula(x, data, arg, call)
  } else {
    mold_matrix(x, y, name, call)
  }
  n <- nrow(molded$x)
  if (n == 0) abort("{.arg {molded$arg}} must have at least one row.", call = call)
  if (!is.null(molded$y) && NROW(molded$y) != n) {
    abort("{.arg y} must have one value per row of {.arg x} ({n}), not {NROW(molded$y)}.",
          call = call)
  }
  columns <- data %||% (if (is.data.frame(x)) x)
  weights <- check_weights(eval_in(weights, columns, "weights", call), n, call)
  kept <- check_subset(eval_in(subset, columns, "subset", call), n, call)
  if (length(kept) == 0) abort("{.arg subset} must keep at least one row.", call = call)
  molded$weights <- weights
  molded$exposure <- check_exposure(eval_in(exposure, columns, "exposure", call), n, call)
  molded <- keep_rows(molded, kept)
  molded <- drop_missing(molded, na.action, call)
  check_finite(molded$x, molded$arg, call)
  if (!is.null(molded$y)) check_finite(molded$y, molded$response_arg, call)
  if (all(molded$weights == 0)) abort("{.arg weights} must not be all zero.", call = call)
  keep_rows(molded, counted(molded$weights))
}

keep_rows <- function(molded, rows) {
  molded$x <- molded$x[rows, , drop = FALSE]
  molded$y <- take_rows(molded$y, rows)
  molded$weights <- molded$weights[rows]
  molded$exposure <- molded$exposure[rows]
  molded$variables <- molded$variables[rows, , drop = FALSE]
  molded
}

# What the single column of a vector is called: after the variable the user passed.
argument_name <- function(expression) if (is.symbol(expression)) deparse1(expression) else "x"

eval_in <- function(quosure, data, arg, call) {
  if (!rlang::is_quosure(quosure)) return(quosure)
  tryCatch(rlang::eval_tidy(quosure, as.list(data)), error = function(e) {
    abort(c("{.arg {arg}} could not be evaluated.", x = "{conditionMessage(e)}"), call = call)
  })
}

take_rows <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]

mold_formula <- function(formula, data, arg, call) {
  check_no_bar(formula, arg, call)
  frame <- tryCatch(
    stats::model.frame(formula, data, na.action = stats::na.pass, drop.unused.levels = TRUE),
    error = function(e) {
      check_no_functions(formula, data, arg, call)
      smooth <- grepl("function \"(s|te|ti|t2|lo|pb)\"", conditionMessage(e))
      abort(c("{.arg {arg}} could not be evaluated in {.arg data}.", x = "{conditionMessage(e)}",
              i = if (smooth) "No smooth terms: a fit is smooth in all its variables together."),
            call = call)
    }
  )
  terms <- stats::terms(frame)
  if (!is.null(attr(terms, "offset"))) {
    abort(c("{.arg {arg}} must not have an {.fn offset}: these models have no linear predictor.",
            i = "The exposure of counts is given as {.arg exposure} to {.fn psd_regression}."),
          call = call)
  }
  check_predictors(terms, frame, arg, call)
  attr(terms, "intercept") <- 1L  # full contrasts; the column itself is dropped below
  design <- stats::model.matrix(terms, frame)
  recipe <- list(type = "formula", columns = setdiff(colnames(design), "(Intercept)"),
                 terms = strip_environment(stats::delete.response(terms)),
                 xlevels = stats::.getXlevels(terms, frame), contrasts = attr(design, "contrasts"),
                 dates = date_classes(frame))
  x <- design[, recipe$columns, drop = FALSE]
  if (ncol(x) == 0) abort("{.arg {arg}} must have at least one predictor.", call = call)
  dimnames(x) <- list(NULL, recipe$columns)
  y <- stats::model.response(frame)
  y_name <- if (length(formula) == 3) deparse1(formula[[2]]) else NULL
  if (is.matrix(y)) rownames(y) <- NULL else y <- unname(y)
  list(x = x, y = y, variables = formula_variables(terms, data, nrow(x)), recipe = recipe,
       groups = factor_groups(design, terms, recipe$columns), arg = arg, response_arg = y_name)
}

# A number per column, the same for those of one term with a factor in it.
factor_groups <- function(design, terms, columns) {
  term <- attr(design, "assign")[match(columns, colnames(design))]
  factors <- names(attr(design, "contrasts"))
  with_factor <- colSums(attr(terms, "factors")[factors, , drop = FALSE]) > 0
  own <- ifelse(with_factor[term], term, length(with_factor) + seq_along(term))
  match(own, unique(own))
}

# An environment would drag everything in it into saveRDS().
strip_environment <- function(terms) {
  attr(terms, ".Environment") <- globalenv()
  terms
}

mold_matrix <- function(x, y, name, call) {
  type <- if (is.data.frame(x) || is.matrix(x)) "matrix" else "vector"
  dates <- date_classes(if (is.data.frame(x)) x else stats::setNames(list(x), name))
  x <- numeric_matrix(x, "x", call)
  check_names(x, "x", call)
  columns <- if (ncol(x) == 1) name else paste0("x", seq_len(ncol(x)))
  given <- which(!colnames(x) %in% c("", NA))
  columns[given] <- colnames(x)[given]
  recipe <- list(type = type, columns = columns, named = length(given) == ncol(x), dates = dates)
  dimnames(x) <- list(NULL, columns)
  list(x = x, y = y, recipe = recipe, arg = "x", response_arg = "y")
}

# A numeric matrix from a vector, matrix or data frame, or an error that says which column is not.
numeric_matrix <- function(x, arg, call) {
  if (is.data.frame(x)) {
    x[] <- lapply(x, function(column) if (is_date(column)) as.numeric(column) else column)
    bad <- !vapply(x, function(column) is.numeric(column) || is.logical(column), NA)
    if (any(bad)) {
      column <- names(x)[bad][1]
      abort(c("{.arg {arg}} must have numeric columns only.",
              x = "Column {.field {column}} is {.obj_type_friendly {x[[column]]}}."), call = call)
    }
    x <- as.matrix(x)
  }
  if (is.table(x)) {
    abort(c("{.arg {arg}} must have one row per observation, not a table of counts.",
            i = "Give the values, and how often they occur as {.arg weights}."), call = call)
  }
  if (is_date(x)) x <- as.numeric(x)
  if (!(is.numeric(x) || is.logical(x)) || length(dim(x)) > 2) {
    abort("{.arg {arg}} must be a numeric vector, matrix or data frame, not
           {.obj_type_friendly {x}}.", call = call)
  }
  if (!is.matrix(x)) x <- matrix(as.vector(x), ncol = 1)
  if (ncol(x) == 0) abort("{.arg {arg}} must have at least one column.", call = call)
  storage.mode(x) <- "double"
  x
}
