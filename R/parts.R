# Models with a linear and a PSD part have a width and a penalty for each.

# c(linear =, psd =) when the user's value leaves no choice, NULL when it is to be tuned. The value
# is one number or several for both parts, NULL, or list(linear =, psd =) of such.
fixed_parts <- function(value, arg = rlang::caller_arg(value), call = rlang::caller_env()) {
  force(arg)
  if (is.null(value)) return(NULL)
  split <- is.list(value)
  if (split) {
    if (!setequal(names(value), c("linear", "psd")) || length(value) != 2) {
      abort("{.arg {arg}} must be a number, several, or {.code list(linear =, psd =)}, not a list
             with {.val {names(value) %||% 'no names'}}.", call = call)
    }
  } else {
    value <- list(linear = value, psd = value)
  }
  value <- Map(function(one, part) {
    if (is.null(one)) return(NULL)
    check_numbers(one, above = 0, call = call,
                  arg = if (split) paste0(arg, "$", part) else arg)
  }, value[c("linear", "psd")], c("linear", "psd"))
  if (all(lengths(value) == 1)) unlist(value)
}

# What tuning passes for both parts together.
both_parts <- function(value) {
  if (length(value) == 1) c(linear = value[[1]], psd = value[[1]]) else value
}
