# Sums of functions with the same anchors: again functions of their type.

average_functions <- function(functions, weights) {
  out <- functions[[1]]
  same <- vapply(functions, function(f) identical(f$anchors, out$anchors), NA)
  stopifnot(all(same), out$type != "exp")
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
