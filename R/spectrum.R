# Eigenvalues and eigenvectors of a symmetric matrix, of which the lower triangle is read, the
# largest first, as eigen() gives them; but
# where all eigenvalues are alike, as with kernels so narrow that no row sees another, the algorithm
# behind eigen() may fail, and that of the core has another to fall back on.
spectrum_of <- function(symmetric) {
  found <- cpp_spectrum(symmetric)
  falling <- rev(seq_along(found$values))
  list(values = found$values[falling], vectors = found$vectors[, falling, drop = FALSE])
}
