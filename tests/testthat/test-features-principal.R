test_that("principal features give the same fit where the penalty hides what is left out", {
  set.seed(1)
  x <- cbind(runif(80), runif(80))
  y <- sin(5 * x[, 1]) + x[, 2] * rnorm(80)
  problem <- quantreg_problem(x, y, rep(1, 80), c(0.1, 0.5, 0.9), model_psd(), "gaussian", TRUE)
  control <- psd_control(tol = 1e-8)
  exact <- prepare(problem, 1:80, 0.3, control)
  control$certified <- FALSE
  few <- prepare(problem, 1:80, 0.3, control)
  features <- few$features$linear
  expect_equal(crossprod(features$values), crossprod(exact$features$linear$values))
  expect_equal(rowMeans(features$values^2), features$size)
  for (lambda in c(1, 0.01)) {
    seen <- seen_features(features, lambda, problem$steepest, free = TRUE)
    expect_lt(nrow(seen$values), nrow(features$values))
    one <- solve_at(exact, lambda, 0.01)
    other <- solve_at(few, lambda, 0.01)
    # A smaller space: the optimum cannot be lower, and is hardly higher.
    expect_gt(other$objective, one$objective - 1e-7)
    expect_lt(other$objective, one$objective + 0.01)
    expect_lt(abs(mean(row_losses(problem, other) - row_losses(problem, one))), 0.02)
  }
})

test_that("without a certificate asked for nothing is left out of exact features", {
  features <- list(values = diag(3))
  expect_identical(seen_features(features, 10, 1, free = FALSE), features)
})

test_that("a direction is seen if the loss gains a share of what the penalty costs, or is first", {
  features <- list(values = diag(4), rotation = diag(4), size = c(0.8, 0.2, 0.06, 0.04))
  count <- function(...) nrow(seen_features(features, ...)$values)
  # Of a linear function a twentieth, of one that is non-negative half.
  expect_identical(count(1, 1, free = TRUE), 3L)
  expect_identical(count(2, 2, free = TRUE), 3L)
  expect_identical(count(1.3, 1, free = TRUE), 2L)
  expect_identical(count(0.3, 1, free = FALSE), 2L)
  expect_identical(count(0.5, 1, free = FALSE), 1L)
  least <- seen_features(features, 1e3, 1, free = TRUE)
  expect_identical(least$values, diag(4)[1, , drop = FALSE])
  expect_identical(least$rotation, diag(4)[, 1, drop = FALSE])
})
