# Turned coordinates: t = z R, R upper triangular with R'R the shape of the kernel in scaled units
# (R/shape.R), so that in z the kernel is round. A round Gaussian kernel stays so under rotations;
# therefore the columns may come in any order, and marginals and conditionals of the first ones are
# the closed forms of unturned coordinates: they depend on the first coordinates of z alone.

is_turned <- function(object) !is.null(object$units$x$turn)

# Rows with an infinite coordinate are at infinity.
turned <- function(t, turn) {
  if (is.null(turn)) return(t)
  out <- t(backsolve(turn, t(t), transpose = TRUE))
  out[rowSums(is.infinite(t)) > 0 & !is.na(rowSums(abs(t))), ] <- Inf
  out
}

unturned <- function(z, turn) if (is.null(turn)) z else z %*% turn

log_volume <- function(turn) if (is.null(turn)) 0 else sum(log(diag(turn)))

# Units of a kernel with this covariance matrix in scaled units. A single variable has nothing to be
# turned to, its number is a scale.
with_shape <- function(scaling, covariance) {
  if (is.null(covariance)) return(scaling)
  scaling$scale <- scaling$scale * sqrt(diag(covariance))
  with_turn(scaling, chol(stats::cov2cor(covariance)))
}

with_turn <- function(scaling, turn) {
  if (all(turn[upper.tri(turn)] == 0)) scaling$scale <- scaling$scale * diag(turn)
  else scaling$turn <- turn
  scaling
}

# The same density with these columns before the others.
columns_first <- function(object, columns) {
  order <- c(columns, setdiff(seq_along(object$recipe$columns), columns))
  before <- object$units$x
  after <- lapply(before[c("center", "scale")], `[`, order)
  after$turn <- chol(crossprod(before$turn)[order, order])
  rotation <- t(backsolve(after$turn, t(before$turn[, order]), transpose = TRUE))
  object$functions[[1]]$anchors$at <- object$functions[[1]]$anchors$at %*% rotation
  object$units$x <- after
  object$recipe$columns <- object$recipe$columns[order]
  object$range <- object$range[, order, drop = FALSE]
  object$sample <- object$sample[, order, drop = FALSE]
  object
}

# The units when the first columns are known: the centres of the others follow.
shifted_units <- function(scaling, given) {
  first <- seq_along(given)
  t <- (matrix(given, 1) - scaling$center[first]) / scaling$scale[first]
  z <- turned(t, scaling$turn[first, first, drop = FALSE])
  shift <- drop(z %*% scaling$turn[first, -first, drop = FALSE])
  scaling$center[-first] <- scaling$center[-first] + scaling$scale[-first] * shift
  scaling
}
