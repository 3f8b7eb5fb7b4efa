# Far from the data a kernel model knows nothing: prediction says so, once a call.

# `range` has the smallest and the largest value of each column in its two rows, `width` the kernel
# width of each column, in the same units as `x`.
warn_extrapolation <- function(x, range, width, call = rlang::caller_env()) {
  lower <- range[1, ] - width
  upper <- range[2, ] + width
  outside <- t(t(x) < lower | t(x) > upper)
  rows <- sum(rowSums(outside, na.rm = TRUE) > 0)
  if (rows == 0) return(invisible())
  columns <- colnames(x)[colSums(outside, na.rm = TRUE) > 0]
  cli::cli_warn(
    c("{rows} row{?s} of {.arg newdata} {?is/are} more than a kernel width outside the range of the
       data, in {.field {columns}}.",
      i = "The fit knows nothing of the function there."),
    class = "psd_extrapolation", call = call
  )
}
