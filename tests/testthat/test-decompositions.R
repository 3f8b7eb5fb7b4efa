# Sizes below and above those of a panel, and right-hand sides fewer and more than pay for blocks.
test_that("Cholesky factors and what they solve are R's", {
  set.seed(1)
  for (size in c(1, 7, 96, 97, 192, 250)) {
    for (columns in c(1, 3, 4, 70)) {
      root <- matrix(rnorm(size * (size + 5)), size)
      symmetric <- tcrossprod(root) + size * diag(size)
      lower_only <- symmetric
      lower_only[upper.tri(symmetric)] <- NaN  # never read
      rhs <- matrix(rnorm(size * columns), size)
      found <- psdmodels:::cpp_cholesky(lower_only, rhs)
      expect_equal(found$lower, t(chol(symmetric)), tolerance = 1e-12)
      expect_equal(found$half, forwardsolve(t(chol(symmetric)), rhs), tolerance = 1e-12)
      expect_equal(found$solved, solve(symmetric, rhs), tolerance = 1e-12)
      expect_equal(found$first, found$solved[, 1], tolerance = 1e-12)
    }
  }
})

test_that("a matrix that is not positive definite is told, wherever that shows", {
  for (at in c(1, 96, 97, 150, 200)) {
    symmetric <- diag(200)
    symmetric[at, at] <- -1e-3
    expect_length(psdmodels:::cpp_cholesky(symmetric, diag(200)), 0)
    symmetric[at, at] <- 1e-3
    expect_length(psdmodels:::cpp_cholesky(symmetric, diag(200)), 4)
  }
})
