nnls <- psdmodels:::cpp_nnls

expect_optimal <- function(x, generators, target) {
  slope <- drop(crossprod(generators, target - generators %*% x))
  expect_gte(min(x), 0)
  expect_lt(max(slope), 1e-10)
  expect_lt(max(abs(slope * x)), 1e-10)
}

test_that("the projection on a cone satisfies its optimality conditions", {
  set.seed(1)
  for (shape in list(c(5, 3), c(20, 20), c(10, 60))) {
    generators <- matrix(rnorm(prod(shape)), shape[1])
    target <- rnorm(shape[1])
    expect_optimal(nnls(generators, target), generators, target)
    expect_optimal(nnls(abs(generators), target), abs(generators), target)
  }
})

test_that("the projection agrees with projected gradients", {
  set.seed(2)
  generators <- matrix(rnorm(200), 20)
  target <- rnorm(20)
  objective <- function(x) sum((generators %*% x - target)^2) / 2
  slope <- function(x) drop(crossprod(generators, generators %*% x - target))
  other <- optim(rep(1, 10), objective, slope, method = "L-BFGS-B", lower = 0,
                 control = list(factr = 10, maxit = 1000))
  expect_equal(nnls(generators, target), other$par, tolerance = 1e-5)
})

test_that("points of the cone are kept, those of the polar cone go to zero", {
  set.seed(3)
  generators <- matrix(abs(rnorm(60)), 6)
  inside <- drop(generators %*% runif(10))
  expect_equal(drop(generators %*% nnls(generators, inside)), inside, tolerance = 1e-12)
  expect_identical(nnls(generators, -inside), rep(0, 10))
  expect_identical(nnls(generators, rep(0, 6)), rep(0, 10))
})

test_that("equal and nearly equal generators do no harm", {
  x <- seq(0, 1, length.out = 200)
  generators <- psd_features(matrix(x), 0.3)$values
  generators <- cbind(generators, generators)
  set.seed(4)
  target <- rnorm(nrow(generators))
  found <- nnls(generators, target)
  expect_optimal(found, generators, target)
  expect_lte(sum(found > 0), nrow(generators))
})
