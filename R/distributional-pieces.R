# Quantile fits as distributions of package 'distributional': R/quantreg-distribution.R says which.

piecewise_distributions <- function(pieces, call = rlang::caller_env()) {
  check_distributional(call)
  rows <- split(pieces$q, row(pieces$q))
  distributional::new_dist(q = unname(rows), z = list(pieces$z), lower = pieces$lower,
                           upper = pieces$upper, class = "dist_psd_quantiles")
}

# The pieces of one distribution, as many rows as values are asked for.
pieces_of <- function(x, count) {
  q <- matrix(x[["q"]], count, length(x[["q"]]), byrow = TRUE)
  make_pieces(q, stats::pnorm(x[["z"]]), x[["lower"]], x[["upper"]])
}

#' @importFrom stats density
#' @export
density.dist_psd_quantiles <- function(x, at, ...) {
  pieces_density(pieces_of(x, length(at)), as.numeric(at))
}

#' @exportS3Method distributional::cdf
cdf.dist_psd_quantiles <- function(x, q, ...) pieces_cdf(pieces_of(x, length(q)), as.numeric(q))

#' @export
quantile.dist_psd_quantiles <- function(x, p, ...) {
  pieces_quantile(pieces_of(x, length(p)), as.numeric(p))
}

#' @importFrom generics generate
#' @export
generate.dist_psd_quantiles <- function(x, times, ...) {
  pieces_quantile(pieces_of(x, times), stats::runif(times))
}

#' @export
mean.dist_psd_quantiles <- function(x, ...) pieces_moments(pieces_of(x, 1))$mean

#' @exportS3Method distributional::covariance
covariance.dist_psd_quantiles <- function(x, ...) pieces_moments(pieces_of(x, 1))$variance

#' @exportS3Method distributional::variance
variance.dist_psd_quantiles <- function(x, ...) pieces_moments(pieces_of(x, 1))$variance

#' @export
dim.dist_psd_quantiles <- function(x) 1L

#' @export
format.dist_psd_quantiles <- function(x, digits = 2, ...) {
  ends <- vapply(range(x[["q"]]), format, "", digits = digits)
  sprintf("quantiles[%d](%s..%s)", length(x[["q"]]), ends[1], ends[2])
}
