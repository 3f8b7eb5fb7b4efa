# Slices through a regression: its outputs along one variable, the others held. plot() and
# autoplot() of all regressions draw them (R/slice-graphics.R).

#' Slices: what plots of regressions with several predictors show
#'
#' With several predictors, plots of [psd_hetero()], [psd_quantreg()] and [psd_regression()] have
#' one panel per variable. Along it the fitted functions are drawn, while the other variables are
#' held: numbers at their medians, factors at their most frequent level, or where `at` says.
#'
#' The variables are those of the formula: a factor has a mark per level, dates are dates, and the
#' terms in which a variable takes part, such as interactions, all move with it.
#'
#' A curve is drawn only where there are data near, and only these data are shown: rows with the
#' same levels of the other factors, and with other numbers on average (root mean square) within
#' 0.75 standard deviations of those held; at least the ten nearest.
#'
#' @param columns Names or numbers of the variables to show; by default the first six.
#' @param at Where the other variables are held: a list or vector of values named by variable, such
#'   as `list(wool = "A", temperature = 20)`.
#' @param n Number of points per curve.
#' @name slices
#' @examples
#' fit <- psd_regression(breaks ~ wool + tension, warpbreaks, loss = "poisson", sigma = 2,
#'                       lambda = 1e-3)
#' plot(fit, at = list(wool = "B"))
NULL

# One slice per variable of `columns`, each a list: `name`; `kind`, what its axis shows ("number",
# "level", "Date", "POSIXct"); `values` of the variable; `x`, the predictors there as the fit takes
# them; `near`, the rows of the data near the slice; `observed`, the variable in all
# rows; `held`, the others, and `point`, all variables, in words.
make_slices <- function(fit, columns, at, n, call = rlang::caller_env()) {
  variables <- shown_variables(fit)
  n <- check_count(n, min = 2, call = call)
  shown <- if (is.null(columns)) seq_len(min(length(variables), most_slices))
           else check_columns(columns, names(variables), arg = "columns", call = call)
  discrete <- with_levels(variables, fit$recipe)
  held <- held_point(variables, discrete, at, call)
  lapply(names(variables)[shown], function(name) {
    near <- near_rows(variables, held, name, discrete)
    values <- slice_values(variables[[name]], near, name %in% discrete, n)
    points <- held[rep(1, length(values)), , drop = FALSE]
    points[[name]] <- values
    others <- names(held) != name
    list(name = name, kind = axis_kind(variables[[name]], name %in% discrete), values = values,
         x = slice_predictors(fit, points), near = near,
         observed = variables[[name]], held = shown_point(held[others]),
         point = shown_point(held))
  })
}

most_slices <- 6

# The rows whose other variables are near those held: levels the same, and numbers on average within
# 0.75 standard deviations; of these at least the ten nearest, so that small data are shown.
near_rows <- function(variables, held, name, discrete) {
  others <- setdiff(names(variables), name)
  same <- rep(TRUE, nrow(variables))
  for (other in intersect(others, discrete)) {
    same <- same & as.character(variables[[other]]) == as.character(held[[other]])
  }
  if (!any(same)) same[] <- TRUE
  square <- vapply(setdiff(others, discrete), function(other) {
    deviations_from(as.numeric(held[[other]]), as.numeric(variables[[other]]))^2
  }, numeric(nrow(variables)))
  distance <- if (length(square) == 0) rep(0, nrow(variables))
              else sqrt(rowMeans(matrix(square, nrow(variables))))
  nearest <- sort(distance[same])[min(10, sum(same))]
  which(same & distance <= max(0.75, nearest))
}

# In standard deviations, also of numbers whose squares are none; infinite from a variable without
# spread that is held elsewhere.
deviations_from <- function(centre, values) {
  size <- max(abs(values - centre))
  if (size == 0) return(rep(0, length(values)))
  deviations <- (values - centre) / size
  deviations / sqrt(sum((deviations - mean(deviations))^2) / max(length(values) - 1, 1))
}

# A level has a place if there are rows near; a number goes as far as they do.
slice_values <- function(values, near, discrete, n) {
  if (discrete) levels_of(values[near])
  else seq(min(values[near]), max(values[near]), length.out = n)
}

# The points of a slice as the matrix that the fit takes: those of its columns are it.
slice_predictors <- function(fit, points) {
  if (is.null(fit$variables)) unname(as.matrix(points))
  else forge(fit$recipe, points)
}

axis_kind <- function(values, discrete) {
  if (discrete) "level" else if (inherits(values, "Date")) "Date"
  else if (inherits(values, "POSIXct")) "POSIXct" else "number"
}

shown_point <- function(held) {
  if (length(held) == 0) return("")
  value <- vapply(held, function(v) if (is.numeric(v)) format(signif(v, 3)) else format(v), "")
  paste(names(held), "=", value, collapse = ", ")
}

# Numbers for an axis: levels are counted from one, all that the data have. Rows of the same level
# are spread a little, so that they can be seen.
slice_position <- function(slice, values, spread = FALSE) {
  if (slice$kind != "level") return(as.numeric(values))
  known <- levels_of(slice$observed)
  at <- match(as.character(values), as.character(known))
  if (spread) at + 0.3 * ((seq_along(at) * 0.618) %% 1 - 0.5) else as.numeric(at)
}
