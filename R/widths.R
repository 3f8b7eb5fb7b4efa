# Several kernel widths in one fit.

#' Several kernel widths in one fit
#'
#' The features of a fit with several widths are those of the kernel `sum_s w_s k_s`, `k_s` the
#' kernel of width `s`, so that a wide part and narrow ones are fitted together, each as far as the
#' data ask for it, and there is no width to choose. It is the default of the fitting functions
#' (`sigma = NULL`); [psd_tune()] then has only the penalty to look for.
#'
#' With several widths the fit also has a *parametric part*, features that are hardly penalised: as
#' `lambda` grows the fit tends to it, and so it does far from the data. For a density that is a
#' normal density (in each coordinate), for quantiles and for a mean a linear function, for
#' everything else a constant. `parametric = FALSE` leaves it out, `parametric = TRUE` adds it to a
#' fit with one width.
#'
#' @param widths Kernel widths, in the units of `sigma`. `NULL` is `2, 1, 1/2, ..., 1/16`.
#' @param power The weight `w_s` of a width is proportional to its `power`: the larger, the harder it
#'   is to use a narrow one.
#' @return A list of class `psd_widths`, for the argument `sigma`.
#' @export
#' @examples
#' psd_density(faithful$eruptions, sigma = psd_widths(c(1, 0.3)), lambda = 0.01)
psd_widths <- function(widths = NULL, power = 1) {
  widths <- if (is.null(widths)) 2^(1:-4) else check_numbers(widths, above = 0)
  power <- check_number(power, min = 0)
  widths <- sort(unique(widths), decreasing = TRUE)
  structure(list(width = widths, weight = widths^power / sum(widths^power)), class = "psd_widths")
}

#' @export
format.psd_widths <- function(x, ...) paste(signif(x$width, 3), collapse = ", ")

#' @export
print.psd_widths <- function(x, ...) {
  cat("<psd_widths> ", format(x), "\n", sep = "")
  invisible(x)
}

# The kernel of one width.
one_width <- structure(list(width = 1, weight = 1), class = "psd_widths")

# The problem with the widths that the user asked for, and with its parametric part if there are
# several; sigma is then a factor to them, one.
with_widths <- function(problem, sigma, parametric, call) {
  if (identical(sigma, "search") || is.null(sigma) && !problem$model$scales) {
    return(list(problem = with_parametric(problem, parametric %||% FALSE, call), sigma = NULL))
  }
  several <- is.null(sigma) || inherits(sigma, "psd_widths")
  problem <- with_parametric(problem, parametric %||% several, call)
  if (!several) return(list(problem = problem, sigma = sigma))
  if (!problem$model$scales) {
    abort("{.arg sigma} must be one width for {.code model = {problem$model$name}}.", call = call)
  }
  widths <- sigma %||% psd_widths()
  problem$parts <- lapply(problem$parts, utils::modifyList, list(widths = widths))
  list(problem = problem, sigma = 1)
}

with_parametric <- function(problem, parametric, call) {
  parametric <- check_flag(parametric, call = call)
  problem$parts <- lapply(problem$parts, utils::modifyList, list(parametric = parametric))
  problem
}
