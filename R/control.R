#' How a fit is computed
#'
#' Settings of the solvers, for the `control` argument of the fitting functions. Every fit is a
#' convex problem solved on its dual; the duality gap bounds how far the fit is from the global
#' optimum, and is what stops the solver.
#'
#' @param solver `"newton"` (semismooth Newton, with an interior point for losses such as the
#'   pinball; densities with many landmarks begin with Newton steps on a root of few columns of
#'   `A`) or `"fista"` (accelerated proximal gradient, the paper's algorithm). Both find the
#'   same fit, with the same certificate; Newton is faster.
#' @param tol The solver stops when the gap is at most `tol * max(1, |objective|)`, or less for a
#'   response that is not standardised and much smaller than one: then `tol` is relative to the size
#'   of its loss. `model = "glm"` has solvers of its own.
#' @param max_iter Most iterations. The default is 200 for Newton and 50000 for FISTA, in a cone
#'   of half-spaces 600 for Newton and fewer for FISTA with many landmarks; a descent of
#'   quasi-Newton steps (`model = "glm"`) may take ten times as many.
#' @param rank_tol Landmarks are added until the kernel matrix is approximated to this tolerance
#'   on its diagonal (pivoted Cholesky). The default is 1e-8, and 1e-3 for several widths. Values
#'   much below 1e-8 let rounding errors into the integrals.
#' @param max_rank Most landmarks (Nystrom approximation beyond). By default as many as `rank_tol`
#'   asks for, but 1000 where there are more than 2000 different rows (or bins); a message says so
#'   where these carry less than 99.9 % of the kernel. `Inf` for no limit.
#' @param trace Keep a table of the iterations (iteration, primal and dual value, gap, rank,
#'   seconds) in the fit.
#' @param bin_from Number of different rows from which on they are binned; `Inf`, never. See *Large
#'   samples*.
#' @param max_work Most multiplications of a fit, after which it stops with status `"max_work"`, and
#'   of the search for its parameters, which then stays with the best candidate so far, with a
#'   message. By default 8e10 and 6e10, of which a second has some 5e9, times `(n / 300)^2` for more
#'   than 300 rows; usual fits need a tenth of that, usual searches half. A count, not a clock, so
#'   that the same call gives the same fit on every machine. `Inf` for no limit.
#'
#' @section Large samples:
#' From `bin_from` different rows on, densities, intensities, quantiles and heteroscedastic
#' regressions of one or two variables are fitted to binned rows. The rows of a cell are replaced by
#' two nodes in each coordinate that have its weight and the first three moments of its rows (those
#' of a Gauss quadrature rule, which lie between the rows), a response by two values a node that
#' have its mean and mean square, as lines in the cell; cells with no more rows than that keep them.
#' So what is lost is only what is no cubic polynomial in a cell. How much that is is measured, as
#' the `error`: the mean loss under the fit of the observations (of at most 100,000, at even
#' distances) minus that of their bins. Cells are a third as wide as the narrowest kernel, those of
#' two variables half as wide, or, if the error would be above `0.3 / n` (and 1e-6), smaller; if
#' that leaves more than half of the rows nothing is binned. The field `binning` of the fit has the
#' number of `rows` that are left, the `size` of a cell in standardised units and the `error`;
#' `print()` shows it. The certificate is that of the binned problem. Leaving out one observation
#' (see [psd_tune()]) leaves out its share of a node.
#'
#' Of quantiles a guess is made first, from 3000 rows. The pinball loss is linear where no quantile
#' is, so that cells in `y` are the larger the further they are from the guess, and `y` is its mean
#' in the cell, a line; the rows next to the guess stay as they are. The fit is the next guess,
#' until the error is as small as above.
#'
#' @return A list of class `psd_control`.
#' @export
#' @examples
#' psd_control(tol = 1e-8)
#' psd_control(solver = "fista", max_iter = 1e4)
psd_control <- function(solver = c("newton", "fista"), tol = 1e-6, max_iter = NULL,
                        rank_tol = NULL, max_rank = NULL, trace = FALSE, bin_from = 2000,
                        max_work = NULL) {
  solver <- check_choice(solver, c("newton", "fista"))
  tol <- check_number(tol, above = 0)
  max_iter <- max_iter %||% c(newton = 200, fista = 50000)[[solver]]
  max_iter <- check_count(max_iter)
  if (!is.null(rank_tol)) rank_tol <- check_number(rank_tol, above = 0, max = 0.1)
  if (!is.null(max_rank)) {
    max_rank <- min(check_count(max_rank, finite = FALSE), .Machine$integer.max)
  }
  trace <- check_flag(trace)
  bin_from <- check_count(bin_from, finite = FALSE)
  if (!is.null(max_work)) max_work <- check_number(max_work, above = 0, finite = FALSE)
  structure(list(solver = solver, tol = tol, max_iter = min(max_iter, .Machine$integer.max),
                 rank_tol = rank_tol, max_rank = max_rank, trace = trace, max_work = max_work,
                 bin_from = bin_from),
            class = "psd_control")
}

check_control <- function(control, call = rlang::caller_env()) {
  if (!inherits(control, "psd_control")) {
    abort("{.arg control} must be made by {.fn psd_control}, not {.obj_type_friendly {control}}.",
          call = call)
  }
  control
}

#' @export
print.psd_control <- function(x, ...) print_settings(x)

# One line per setting, those that are left to the fit by name.
print_settings <- function(x) {
  shown <- vapply(x, function(value) {
    if (is.null(value)) "by default"
    else if (length(value) > 5) paste(length(value), "values")
    else if (identical(value, as.numeric(.Machine$integer.max))) "Inf"
    else paste(format(value), collapse = ", ")
  }, "")
  cat("<", class(x), ">\n", paste0(names(x), ": ", shown, "\n"), sep = "")
  invisible(x)
}
