# Several kernel widths in one fit.

#' Several kernel widths in one fit
#'
#' The features of a fit with several widths are those of the kernel `sum_s w_s k_s`, `k_s` the
#' kernel of width `s`, so that a wide part and narrow ones are fitted together, each as far as the
#' data ask for it, and there is no width to choose: [psd_tune()] has only the penalty to look for.
#' It is the default of [psd_density()] for one variable; otherwise one width is looked for.
#'
#' With several widths the fit also has a *parametric part*, features that are hardly penalised: as
#' `lambda` grows the fit tends to it, and so it does far from the data. For a density that is a
#' normal density (in each coordinate, or with the shape of the kernel) or a mixture of such, for
#' the middle quantile a linear function, for everything else a constant. `parametric = FALSE`
#' leaves it out, `parametric = TRUE` adds it to a fit with one width; a density whose `sigma` is
#' left to be chosen has it.
#'
#' @param widths Kernel widths, in the units of `sigma`.
#' @param power The weight `w_s` of a width is proportional to its `power`: the larger, the harder
#'   it is to use a narrow one. A density of one variable whose `sigma` is left to be chosen has 2.
#' @return A list of class `psd_widths`, for the argument `sigma`.
#' @export
#' @examples
#' psd_density(faithful$eruptions, sigma = psd_widths(c(1, 0.3)), lambda = 0.01)
psd_widths <- function(widths = 2^(1:-5), power = 1.25) {
  widths <- check_numbers(widths, above = 0)
  power <- check_number(power, min = 0)
  widths <- sort(unique(widths), decreasing = TRUE)
  share <- (widths / widths[1])^power  # of the widest: powers of large numbers are none
  if (min(share) == 0) {
    abort("{.arg widths} must be of sizes nearer to each other: beside {.val {widths[1]}} a width of
           {.val {min(widths)}} has no weight.")
  }
  structure(list(width = widths, weight = share / sum(share)), class = "psd_widths")
}

#' @export
format.psd_widths <- function(x, ...) paste(signif(x$width, 3), collapse = ", ")

#' @export
print.psd_widths <- function(x, ...) {
  cat("<psd_widths> ", format(x), "\n", sep = "")
  invisible(x)
}

# The widest of several widths: a `share` of the range, at `least` so many times the scale of the
# data; and the power of a width that is its weight. Where there are bounds, on the scale that is
# fitted, wider ones do better, with few rows; elsewhere they, and narrow ones of more weight, are
# worse where there are several modes.
default_widths <- list(free = list(least = 0.7, share = 1 / 5, power = 2),
                       bounded = list(least = 2, share = 1 / 4, power = 1.25))

# From the scale of the tails by halves down to 1/32 of the scale of the data; but not below the
# problem's precision.
automatic_widths <- function(problem) {
  set <- default_widths[[if (has_bounds(problem$measure)) "bounded" else "free"]]
  unit <- typical_scale(problem)
  range <- apply(problem$x, 2, function(column) diff(range(column))) / unit
  widest <- min(max(set$least, set$share * range), 16)
  steps <- seq(0, ceiling(log2(widest) + 5))
  precision <- problem$precision / unit
  widths <- widest / 2^steps
  psd_widths(unit * c(widest, widths[widths >= precision]), power = set$power * ncol(problem$x))
}

# Of the columns as the problem has them: one where they are standardised.
typical_scale <- function(problem) {
  scale <- apply(problem$x, 2, robust_scale, weights = problem$weights)
  scale <- scale[is.finite(scale) & scale > 0]
  if (length(scale) == 0) 1 else signif(exp(mean(log(scale))), 6)
}

# The kernel of one width.
one_width <- structure(list(width = 1, weight = 1), class = "psd_widths")

# The problem with the widths that the user asked for, and with its parametric part if there are
# several; sigma is then a factor to them, one.
with_widths <- function(problem, sigma, parametric, call, control = psd_control()) {
  if (inherits(sigma, "psd_widths") && length(sigma$width) == 1) sigma <- sigma$width
  default <- problem$several && problem$model$scales
  if (identical(sigma, "search") || is.null(sigma) && !default) {
    anchored <- is.null(sigma) && problem$model$scales && any(has_normal(problem))
    parametric <- parametric %||% if (anchored) likely_parametric(problem, control) else FALSE
    return(list(problem = with_parametric(problem, parametric, call), sigma = NULL))
  }
  several <- is.null(sigma) || inherits(sigma, "psd_widths")
  problem <- with_parametric(problem, parametric %||% several, call)
  if (!several) return(list(problem = problem, sigma = sigma))
  if (!problem$model$scales) {
    abort("{.arg sigma} must be one width for {.code model = {problem$model$name}}.", call = call)
  }
  widths <- sigma %||% automatic_widths(problem)
  if (length(widths$width) == 1) return(list(problem = problem, sigma = widths$width))
  problem$parts <- lapply(problem$parts, utils::modifyList, list(widths = widths))
  list(problem = problem, sigma = 1)
}

# With several widths the narrow ones mend what the wide ones leave.
default_rank_tol <- function(widths) if (length(widths$width) > 1) 1e-3 else 1e-8

# The widths of a problem that has several, else NULL.
several_widths <- function(problem) {
  widths <- problem$parts[[length(problem$parts)]]$widths$width
  if (length(widths) > 1) widths
}
