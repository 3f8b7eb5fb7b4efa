# Regression data: a formula with a response, or `x` and `y`.

# As mold(), with a response that `check` accepts, a numeric vector by default, and, in the recipe,
# `response`: the text of the left side.
mold_response <- function(formula, data, x, y, weights, subset, na.action, name,
                          check = check_response, exposure = NULL,
                          call = rlang::caller_env()) {
  if (is.null(formula) == is.null(x)) {
    abort("Either {.arg formula} or {.arg x} and {.arg y} must be given, not
           {if (is.null(x)) 'neither' else 'both'}.", call = call)
  }
  if (is.null(formula)) {
    if (is.null(y)) abort("{.arg y} must be given with {.arg x}.", call = call)
    if (inherits(x, "formula")) abort("A formula must be given as {.arg formula}.", call = call)
    input <- x
    y <- check(y, "y", call)
  } else {
    check_two_sided(formula, call)
    input <- formula
  }
  molded <- mold(input, data, y, weights, subset, na.action, name, exposure = exposure,
                 call = call)
  molded$y <- check(molded$y, molded$response_arg, call)
  molded$recipe$response <- molded$response_arg
  molded
}

check_two_sided <- function(formula, call) {
  if (!inherits(formula, "formula")) {
    abort(c("{.arg formula} must be a formula such as {.code y ~ x}, not
             {.obj_type_friendly {formula}}.",
            i = "Vectors and matrices are given as {.arg x} and {.arg y}."), call = call)
  }
  if (length(formula) != 3) {
    abort("{.arg formula} must have a response, as in {.code y ~ x}.", call = call)
  }
}

check_response <- function(y, arg, call) {
  if (is.data.frame(y)) y <- as.matrix(y)
  if (!is.numeric(y) || NCOL(y) != 1) {
    what <- if (NCOL(y) > 1) "{NCOL(y)} columns" else "{.obj_type_friendly {y}}"
    abort(paste0("The response {.arg {arg}} must be one numeric vector, not ", what, "."),
          call = call)
  }
  as.vector(y)
}

# One or several responses: a matrix with one named column an output.
check_responses <- function(y, arg, call) {
  if (is.data.frame(y)) y <- numeric_matrix(y, arg, call)
  if (!is.numeric(y)) {
    abort("The response {.arg {arg}} must be a numeric vector or matrix, not
           {.obj_type_friendly {y}}.", call = call)
  }
  y <- as.matrix(y)
  if (is.null(colnames(y))) colnames(y) <- if (ncol(y) == 1) arg else paste0("y", seq_len(ncol(y)))
  storage.mode(y) <- "double"
  y
}

# The response in `newdata`, NULL when it is not there.
response_in <- function(recipe, newdata) {
  if (recipe$type != "formula") return(NULL)
  left <- str2lang(recipe$response)
  if (!all(all.vars(left) %in% names(newdata))) return(NULL)
  y <- eval(left, newdata, globalenv())
  if (is.matrix(y)) y else as.numeric(y)
}
