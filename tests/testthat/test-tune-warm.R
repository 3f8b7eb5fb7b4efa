# A fit begins at the nearest solution known for the same rows.

warm_starts <- psdmodels:::warm_starts
solution <- function(value) list(dual = value, lambda = value, coefficients = list(value))

test_that("the nearest is of the same rows, and of another width only its dual is given", {
  warm <- warm_starts()
  expect_null(warm$near(1:3, c(0, 0), "a"))
  warm$keep(1:3, rbind(c(0, 0), c(0, 2), c(1, 2)), c("a", "a", "b"),
            list(solution(1), solution(2), solution(3)))
  expect_identical(warm$near(1:3, c(0, 3), "a"), solution(2))
  # a step away in both directions: its own width comes first
  expect_identical(warm$near(1:3, c(1, 3), "b"), solution(3))
  expect_identical(warm$near(1:3, c(2, 2), "c"), list(dual = 3, lambda = 3, foreign = TRUE))
  expect_null(warm$near(2:4, c(0, 0), "a"))
})

test_that("the last few are kept", {
  warm <- warm_starts(2)
  for (k in c(1, 2, 3)) warm$keep(1:2, cbind(k), "a", list(solution(k)))
  expect_identical(warm$near(1:2, 1, "a"), solution(2))
  none <- warm_starts(0)
  none$keep(1:2, cbind(1), "a", list(solution(1)))
  expect_null(none$near(1:2, 1, "a"))
})

test_that("a start changes scores by no more than the tolerance allows", {
  set.seed(1)
  x <- matrix(rnorm(240), 120)
  y <- x[, 1] + exp(x[, 2] / 2) * rnorm(120)
  problem <- psdmodels:::hetero_problem(x, y, rep(1, 120), psdmodels:::model_psd(), "gaussian",
                                        TRUE)
  control <- psdmodels:::tuning_control(psd_control())
  cell <- function(sigma, lambda) {
    list(sigma = c(linear = sigma, psd = sigma), lambda = c(linear = lambda, psd = lambda),
         ridge = 0.01)
  }
  losses <- function(start) {
    psdmodels:::path_losses(problem, control, 1:24, list(cell(1.5, 1e-3)), start)
  }
  other <- psdmodels:::path_losses(problem, control, 1:24, list(cell(1, 1e-2)))$solutions[[1]]
  cold <- losses(NULL)
  warm <- losses(c(other[c("dual", "lambda")], foreign = TRUE))
  expect_equal(mean(warm$losses), mean(cold$losses), tolerance = 5e-3)
  expect_named(warm$solutions[[1]], c("dual", "lambda"))
})

test_that("at another width a density starts from the functions whose squares it was", {
  set.seed(2)
  x <- matrix(rnorm(300), 150)
  everywhere <- list(lower = c(-Inf, -Inf), upper = c(Inf, Inf), mean = c(0, 0), sd = c(Inf, Inf))
  problem <- psdmodels:::density_problem(x, rep(1, 150), everywhere, psdmodels:::model_psd(),
                                         "gaussian")
  control <- psdmodels:::tuning_control(psd_control())
  path <- function(sigma, start) {
    cell <- list(sigma = sigma, lambda = 1e-3, ridge = 0.01)
    psdmodels:::path_losses(problem, control, 1:30, list(cell), start)
  }
  known <- path(0.5, NULL)$solutions[[1]]
  start <- c(known[c("dual", "lambda", "inner")], foreign = TRUE)
  prepared <- psdmodels:::prepare(problem, 31:150, 0.4, control)
  root <- psdmodels:::with_root(start, prepared)$coefficients[[1]]
  values <- prepared$features[[1]]$values
  # The same by the singular values of the features.
  parts <- svd(values)
  ridge <- 1e-6 * mean(rowSums(values^2))
  expected <- parts$u %*% ((parts$d / (parts$d^2 + ridge)) * crossprod(parts$v, t(known$inner)))
  expect_gt(nrow(values), 64)
  expect_equal(root, expected, tolerance = 1e-6)
  expect_equal(crossprod(root, values), known$inner, tolerance = 0.05)
  expect_equal(mean(path(0.4, start)$losses), mean(path(0.4, NULL)$losses), tolerance = 5e-3)
})
