# Measures that densities and intensities are integrated against: a base measure on a box.

#' Base measures of a density
#'
#' A density is `f(x)` times the density of a base measure, `f` the non-negative function that is
#' fitted. Against Lebesgue measure `f` is the density itself. A Gaussian base measure gives
#' Gaussian tails, and a penalty that asks for less far from its centre; it is the paper's choice in
#' ten dimensions.
#'
#' @param mean,sd Mean and standard deviation, in the units of the data: one number for all
#'   columns, or one per column, in order or by name.
#' @return A list of class `psd_base`.
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3, base = psd_gaussian(3.5, 5))
#' fit
psd_lebesgue <- function() {
  structure(list(name = "lebesgue", mean = 0, sd = Inf), class = "psd_base")
}

#' @rdname psd_lebesgue
#' @export
psd_gaussian <- function(mean = 0, sd = 1) {
  check_numbers(mean)
  check_numbers(sd, above = 0)
  structure(list(name = "gaussian", mean = mean, sd = sd), class = "psd_base")
}

# The measure a density is integrated against, one entry per column: the base measure restricted to
# the support box.
make_measure <- function(base, lower, upper, columns, call = rlang::caller_env()) {
  check_base(base, call)
  measure <- list(lower = per_column(lower, columns, -Inf, call = call),
                  upper = per_column(upper, columns, Inf, call = call),
                  mean = per_column(base$mean, columns, finite = TRUE, arg = "base$mean",
                                    call = call),
                  sd = per_column(base$sd, columns, arg = "base$sd", call = call))
  bad <- which(measure$lower >= measure$upper)
  if (length(bad) > 0) {
    abort("{.arg lower} must be below {.arg upper}, not {.val {measure$lower[bad[1]]}} and
           {.val {measure$upper[bad[1]]}} (column {.field {columns[bad[1]]}}).", call = call)
  }
  measure
}

check_base <- function(base, call = rlang::caller_env()) {
  if (!inherits(base, "psd_base")) {
    abort("{.arg base} must be made by {.fn psd_lebesgue} or {.fn psd_gaussian}, not
           {.obj_type_friendly {base}}.", call = call)
  }
}

# A measure in the units of `scaling`. A density there is prod(scale) times the density here. As
# narrow as can be it is a point for every kernel, and its precision a number.
standardized_measure <- function(measure, scaling) {
  ends <- scaled(rbind(measure$lower, measure$upper), scaling)
  list(lower = ends[1, ], upper = ends[2, ],
       mean = ifelse(is.infinite(measure$sd), 0, (measure$mean - scaling$center) / scaling$scale),
       sd = pmax(measure$sd / scaling$scale, 1 / largest_distance))
}

take_measure <- function(measure, columns) lapply(measure, `[`, columns)
