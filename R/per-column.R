# Numbers for columns, such as the bounds of a box, from what users give: by name, in order, or one
# for all.

# One number per column. Named numbers are for the columns of these names, and the others have
# `rest`; if that is NULL there must be no others. With a single column names do not matter: a
# bound may come from quantile().
per_column <- function(x, columns, rest = NULL, finite = FALSE, arg = rlang::caller_arg(x),
                       call = rlang::caller_env()) {
  force(arg)  # before x is another one
  given <- names(x)
  if (is_date(x)) x <- as.numeric(x)
  x <- check_numbers(x, finite = finite, arg = arg, call = call)
  d <- length(columns)
  if (!is.null(given) && d > 1) {
    return(by_name(matrix(x, 1), given, columns, rest, arg, call)[1, ])
  }
  if (!length(x) %in% c(1, d)) {
    abort("{.arg {arg}} must have one value, or one per column ({d}), not {length(x)}.",
          call = call)
  }
  rep_len(x, d)
}

# Bounds of several boxes: one row per box, one column per column of the fit.
per_box <- function(x, columns, rest, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (is.data.frame(x)) x <- as.matrix(x)
  if (!is.matrix(x)) return(matrix(per_column(x, columns, rest, arg = arg, call = call), 1))
  d <- length(columns)
  named <- !is.null(colnames(x)) && d > 1
  if (!is.numeric(x) || anyNA(x) || !(named || ncol(x) == d)) {
    abort("{.arg {arg}} must be numbers, in a matrix with {d} column{?s}, as the fit has, not
           {.obj_type_friendly {x}} with {ncol(x)} column{?s}.", call = call)
  }
  if (named) by_name(x, colnames(x), columns, rest, arg, call) else unname(x)
}

# The columns of x in the order of `columns`.
by_name <- function(x, given, columns, rest, arg, call) {
  check_columns(given, columns, paste0("names(", arg, ")"), call)
  lacking <- setdiff(columns, given)
  if (is.null(rest) && length(lacking) > 0) {
    abort("{.arg {arg}} must have a value for each column; {.field {lacking}} {?has/have} none.",
          call = call)
  }
  out <- matrix(rest %||% NA_real_, nrow(x), length(columns))
  out[, match(given, columns)] <- x
  out
}

# Bounds of a box whose columns are not known yet: numbers, in order where they can be compared.
check_box <- function(lower, upper, call = rlang::caller_env()) {
  check_numbers(lower, finite = FALSE, arg = "lower", call = call)
  check_numbers(upper, finite = FALSE, arg = "upper", call = call)
  same <- if (is.null(names(lower)) || is.null(names(upper))) TRUE
          else intersect(names(lower), names(upper))
  comparable <- is.null(names(lower)) == is.null(names(upper))
  if (comparable && any(lower[same] >= upper[same])) {
    abort("{.arg lower} must be below {.arg upper}, not {.val {lower[same]}} and
           {.val {upper[same]}}.", call = call)
  }
}
