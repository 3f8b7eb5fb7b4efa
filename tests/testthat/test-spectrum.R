test_that("the spectrum is that of eigen(), largest first", {
  set.seed(1)
  for (r in c(1, 7, 70, 150)) {
    a <- crossprod(matrix(rnorm(r * r), r)) - diag(r)
    found <- psdmodels:::spectrum_of(a)
    expect_equal(found$values, eigen(a, symmetric = TRUE)$values)
    expect_equal(crossprod(found$vectors), diag(r))
    expect_equal(found$vectors %*% (found$values * t(found$vectors)), a)
  }
})

test_that("entries that are no numbers have a spectrum of none, and soon", {
  for (r in c(7, 80)) {
    a <- diag(r)
    a[2, 1] <- a[1, 2] <- NaN
    expect_true(anyNA(psdmodels:::spectrum_of(a)$values))
  }
})

test_that("kernels so narrow that no row sees another are a fit, not an error of LAPACK", {
  set.seed(2)
  x <- 1e108 * rnorm(300)
  fit <- psd_hetero(x = cbind(a = x, b = x), y = rnorm(300), sigma = c(1, 0.3), lambda = 4e-3,
                    standardize = FALSE, tune = psd_tune(folds = 2, repeats = 1))
  expect_true(all(is.finite(fitted(fit))))
})
