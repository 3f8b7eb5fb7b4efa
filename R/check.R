# Validators: each names the argument, says what it must be and what it was, stops the user's call,
# and returns the cleaned value.

abort <- function(message, ..., class = "psd_input_error", call = rlang::caller_env(),
                  .envir = rlang::caller_env()) {
  cli::cli_abort(message, ..., class = c(class, "psd_error"), call = call, .envir = .envir)
}

`%||%` <- rlang::`%||%`

check_number <- function(x, min = -Inf, max = Inf, above = -Inf, below = Inf, finite = TRUE,
                         arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_numbers(x, min, max, above, below, finite, size = 1, arg = arg, call = call)
}

# A whole number, or infinity where that is allowed.
check_count <- function(x, min = 1, finite = TRUE, arg = rlang::caller_arg(x),
                        call = rlang::caller_env()) {
  count <- check_number(x, min = min, finite = finite, arg = arg, call = call)
  if (is.finite(count) && count != round(count)) {
    abort("{.arg {arg}} must be a whole number, not {.val {count}}.", call = call)
  }
  count
}

# A function, or nothing.
check_function <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (!is.null(x) && !is.function(x)) {
    abort("{.arg {arg}} must be a function, not {.obj_type_friendly {x}}.", call = call)
  }
  x
}

check_numbers <- function(x, min = -Inf, max = Inf, above = -Inf, below = Inf, finite = TRUE,
                          size = NULL, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  what <- if (identical(size, 1)) "a single number" else "a numeric vector"
  if (!is.numeric(x) || length(x) == 0 || (!is.null(size) && length(x) != size)) {
    if (!is.null(size) && size > 1) what <- paste(what, "of length", size)
    abort("{.arg {arg}} must be {what}, not {.obj_type_friendly {x}}.", call = call)
  }
  bad <- is.na(x) | (finite & is.infinite(x)) | x < min | x > max |
    (above > -Inf & x <= above) | (below < Inf & x >= below)
  if (any(bad)) {
    range <- if (finite && is.infinite(x[bad][1])) " that is finite"
             else number_range(min, max, above, below, finite)
    abort("{.arg {arg}} must be {what}{range}, not {.val {x[bad][1]}}.", call = call)
  }
  as.numeric(x)
}

number_range <- function(min, max, above, below, finite) {
  parts <- c(if (min > -Inf) paste("at least", min), if (above > -Inf) paste("above", above),
             if (max < Inf) paste("at most", max), if (below < Inf) paste("below", below))
  if (length(parts) > 0) paste0(" ", paste(parts, collapse = " and "))
  else if (finite) " that is finite" else ""
}

check_flag <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) {
    abort("{.arg {arg}} must be {.code TRUE} or {.code FALSE}, not {.obj_type_friendly {x}}.",
          call = call)
  }
  x
}

# The default of a choice argument is the vector of all choices.
check_choice <- function(x, choices, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (identical(x, choices)) return(choices[1])
  if (!is.character(x) || length(x) != 1 || !x %in% choices) {
    shown <- if (is.character(x)) "{.val {x}}" else "{.obj_type_friendly {x}}"
    abort(paste0("{.arg {arg}} must be one of {.or {.val {choices}}}, not ", shown, "."),
          call = call)
  }
  x
}

# Column names or numbers as positions.
check_columns <- function(columns, known, arg = rlang::caller_arg(columns),
                          call = rlang::caller_env()) {
  at <- if (is.character(columns)) match(columns, known) else columns
  valid <- is.numeric(at) && length(at) > 0 && all(at %in% seq_along(known)) && !anyDuplicated(at)
  if (!valid) {
    shown <- if (length(columns) == 0) "none" else "{.val {columns}}"
    abort(c(paste0("{.arg {arg}} must be different columns among {.or {.val {known}}} (or their
                    numbers), not ", shown, "."),
            i = if (arg == "columns" && any(columns %in% grDevices::colors())) {
              "{.arg col} is short for {.arg columns}; {.fn autoplot} gives a picture whose colours
               {.pkg ggplot2} can change."
            }), call = call)
  }
  as.integer(at)
}

# Arguments that a method does not know would vanish in its dots.
check_dots <- function(env = rlang::caller_env()) {
  rlang::check_dots_empty(env = env, call = env)
}
