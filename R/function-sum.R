# Sums of functions of one type: again a function of that type.

average_functions <- function(functions, weights) {
  out <- functions[[1]]
  stopifnot(out$type != "exp")
  same <- vapply(functions, function(f) identical(f$anchors, out$anchors), NA)
  if (!all(same)) return(average_mixtures(functions, weights))
  if (out$type == "psd") {
    out$coefficients <- do.call(cbind, Map(function(f, weight) sqrt(weight) * f$coefficients,
                                           functions, weights))
    return(out)
  }
  total <- function(field) Reduce(`+`, Map(function(f, w) w * f[[field]], functions, weights))
  out$coefficients <- total("coefficients")
  if (!is.null(out$slopes)) out$slopes <- total("slopes")
  out
}

# Mixtures have the sections that they make use of, each its own.
average_mixtures <- function(functions, weights) {
  out <- functions[[1]]
  stopifnot(out$type == "linear", is.null(out$slopes))
  stacked <- function(field) do.call(rbind, lapply(functions, function(f) f$anchors[[field]]))
  at <- stacked("at")
  width <- stacked("width")
  coefficients <- unlist(Map(function(f, weight) weight * f$coefficients, functions, weights))
  key <- apply(cbind(at, width), 1, function(row) paste(sprintf("%a", row), collapse = " "))
  first <- which(!duplicated(key))
  out$anchors <- list(at = at[first, , drop = FALSE], width = width[first, , drop = FALSE])
  out$coefficients <- unname(rowsum(coefficients, factor(key, unique(key))))
  out
}
