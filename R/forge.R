# New data: through the recipe of a fit (R/mold.R) to the matrix that its training data became.

# newdata as the matrix the recipe describes; a row with a missing value stays, as NA.
forge <- function(recipe, newdata, arg = "newdata", call = rlang::caller_env()) {
  x <- if (recipe$type == "formula") forge_formula(recipe, newdata, arg, call)
       else forge_matrix(recipe, newdata, arg, call)
  dimnames(x) <- list(NULL, recipe$columns)
  if (any(is.nan(x) | is.infinite(x))) x[is.nan(x)] <- NA
  x
}

forge_formula <- function(recipe, newdata, arg, call) {
  needed <- all.vars(recipe$terms)
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata)
  if (!is.data.frame(newdata)) {
    # Values of the only variable are as good as a data frame.
    if (length(needed) > 1 || !is.atomic(newdata) || is.null(newdata)) {
      abort("{.arg {arg}} must be a data frame with {.field {needed}}, as the fit was made with a
             formula, not {.obj_type_friendly {newdata}}.", call = call)
    }
    newdata <- stats::setNames(data.frame(newdata), needed)
  }
  lacking <- setdiff(needed, names(newdata))
  if (length(lacking) > 0) {
    abort("{.arg {arg}} must have the column{cli::qty(needed)}{?s} {.field {needed}};
           {.field {lacking}} {cli::qty(lacking)}{?is/are} missing.", call = call)
  }
  for (column in names(recipe$xlevels)) {
    new <- setdiff(unique(as.character(newdata[[column]])), c(recipe$xlevels[[column]], NA))
    if (column %in% names(newdata) && length(new) > 0) {
      abort(c("{.arg {arg}} has levels of {.field {column}} that the fit has not seen:
               {.val {new}}.",
              i = "Known levels: {.val {recipe$xlevels[[column]]}}."), call = call)
    }
  }
  frame <- stats::model.frame(recipe$terms, newdata, na.action = stats::na.pass,
                              xlev = recipe$xlevels)
  check_types(recipe$terms, frame, arg, call)
  x <- stats::model.matrix(recipe$terms, frame, contrasts.arg = recipe$contrasts)
  x <- x[, recipe$columns, drop = FALSE]
  storage.mode(x) <- "double"
  x
}

check_types <- function(terms, frame, arg, call) {
  classes <- attr(terms, "dataClasses")
  tryCatch(stats::.checkMFClasses(classes[names(classes) %in% names(frame)], frame),
           error = function(e) {
             abort(c("{.arg {arg}} must have variables of the types that the fit had.",
                     x = "{conditionMessage(e)}"), call = call)
           })
}

forge_matrix <- function(recipe, newdata, arg, call) {
  d <- length(recipe$columns)
  if (is.data.frame(newdata) && (recipe$named || d == 1)) {
    lacking <- setdiff(recipe$columns, names(newdata))
    if (length(lacking) > 0 && !(d == 1 && ncol(newdata) == 1)) {
      abort("{.arg {arg}} must have the column{cli::qty(d)}{?s} {.field {recipe$columns}};
             {.field {lacking}} {cli::qty(lacking)}{?is/are} missing.", call = call)
    }
    if (length(lacking) == 0) newdata <- newdata[recipe$columns]
  }
  if (is.matrix(newdata) && recipe$named && all(recipe$columns %in% colnames(newdata))) {
    newdata <- newdata[, recipe$columns, drop = FALSE]
  }
  x <- numeric_matrix(newdata, arg, call)
  if (ncol(x) != d) {
    abort("{.arg {arg}} must have {d} column{?s}, as the fit has, not {ncol(x)}.", call = call)
  }
  x
}
