# Newton's method on a root of few columns: densities and intensities of many features.

plane <- local({
  set.seed(11)
  angle <- runif(150, 0, 2 * pi)
  cbind(cos(angle), sin(angle)) + rnorm(300, sd = 0.2)
})
window <- psdmodels:::make_measure(psd_lebesgue(), c(-3, -3), c(3, 3), c("x1", "x2"))

# Prepared problems: an integral of one, and one that is paid for.
many_features <- function(total, sigma = 0.4, weights = rep(1, 150), ...) {
  problem <- psdmodels:::intensity_problem(plane, weights, window, "gaussian", TRUE, total)
  prepared <- psdmodels:::prepare(problem, 1:150, sigma, psd_control(...))
  expect_gt(nrow(prepared$features$psd$values), 64)
  prepared
}

test_that("the optimum is that of the dual's own solvers", {
  for (total in c("observed", "shrunk")) {
    for (lambda in c(0.3, 0.01, 1e-4)) {
      prepared <- many_features(total)
      fit <- psdmodels:::solve_at(prepared, lambda, 0.01)
      expect_identical(fit$status, "converged")
      expect_lte(fit$gap, 1e-6 * max(1, abs(fit$primal_value)))
      slow <- psdmodels:::solve_at(prepared, lambda, 0.01,
                                   control = psd_control("fista", tol = 1e-4))
      expect_lt(abs(fit$primal_value - slow$primal_value), 1e-4 * max(1, abs(fit$primal_value)))
      expect_lte(fit$primal_value, slow$primal_value + 1e-6)
    }
  }
})

test_that("weights of any ratio, and starts from another penalty, end at the same optimum", {
  set.seed(12)
  prepared <- many_features("observed", weights = exp(rnorm(150, sd = 3)))
  cold <- psdmodels:::solve_at(prepared, 1e-3, 0.01)
  before <- psdmodels:::solve_at(prepared, 1e-2, 0.01)
  warm <- psdmodels:::solve_at(prepared, 1e-3, 0.01, previous = before)
  expect_true(cold$converged && warm$converged)
  expect_equal(warm$primal_value, cold$primal_value, tolerance = 1e-6)
})

test_that("a grid with weights over many orders of magnitude ends with a certificate", {
  at <- seq(-3.5, 3.5, length.out = 18)
  grid <- as.matrix(expand.grid(a = at, b = at))
  weights <- (dnorm(grid[, 1], -1, 0.3) + dnorm(grid[, 1], 1, 0.6)) * dnorm(grid[, 2])
  expect_gt(max(weights) / min(weights), 1e15)
  wide <- psdmodels:::make_measure(psd_lebesgue(), c(-4, -4), c(4, 4), c("a", "b"))
  problem <- psdmodels:::intensity_problem(grid, weights / sum(weights), wide, "gaussian", TRUE,
                                           "observed")
  prepared <- psdmodels:::prepare(problem, seq_len(nrow(grid)), 0.5, psd_control())
  expect_gt(nrow(prepared$features$psd$values), 64)
  for (case in list(c(lambda = 1e-3, most = 60), c(lambda = 1e-2, most = 14))) {
    fit <- psdmodels:::solve_at(prepared, case[["lambda"]], 0.01)
    expect_identical(fit$status, "converged")
    expect_lte(fit$gap, 1e-6 * abs(fit$primal_value))
    expect_lt(fit$iterations, case[["most"]])
  }
})

test_that("without a certificate the value is still near the lowest", {
  prepared <- many_features("observed")
  for (lambda in c(0.3, 0.01, 1e-4)) {
    exact <- psdmodels:::solve_at(prepared, lambda, 0.01)
    near <- psdmodels:::solve_at(prepared, lambda, 0.01,
                                 control = psdmodels:::tuning_control(psd_control()))
    expect_gte(near$primal_value, exact$dual_value)
    expect_lt(near$primal_value - exact$primal_value, 5e-3)
  }
})

test_that("a fit of many features can be found again, whatever the units", {
  fit <- psd_density(plane, sigma = 0.5, lambda = 1e-3)
  moved <- psd_density(7 + 1e3 * plane, sigma = 0.5, lambda = 1e-3)
  at <- plane[1:20, ]
  expect_equal(predict(moved, 7 + 1e3 * at) * 1e6, predict(fit, at), tolerance = 1e-4)
  expect_true(all(psd_verify(fit, plane)$holds))
})

test_that("most iterations count, and one too few is said", {
  expect_warning(fit <- psd_density(plane, sigma = 0.4, lambda = 1e-3,
                                    control = psd_control(max_iter = 2)),
                 class = "psd_not_converged")
  expect_identical(fit$status, "max_iter")
})

test_that("without a certificate a root is looked for among fewer features, as near the optimum", {
  rough <- psdmodels:::tuning_control(psd_control())
  for (case in list(c(sigma = 0.9, root = 1), c(sigma = 4, root = 0))) {
    problem <- psdmodels:::intensity_problem(plane, rep(1, 150), window, "gaussian", TRUE,
                                             "observed")
    prepared <- psdmodels:::prepare(problem, 1:150, case[["sigma"]], rough)
    features <- nrow(prepared$features$psd$values)
    expect_identical(psdmodels:::by_root(prepared), case[["root"]] == 1)
    expect_identical(features > 20 && features <= 64, case[["root"]] == 1)
    for (lambda in c(0.1, 1e-3)) {
      found <- psdmodels:::solve_at(prepared, lambda, 0.01)
      # Exactly, with the same features.
      exact <- psdmodels:::solve_at(prepared, lambda, 0.01, control = psd_control())
      expect_identical(c(found$status, exact$status), rep("converged", 2))
      expect_lt(found$primal_value - exact$dual_value, 3e-3)
      expect_gt(found$primal_value - exact$dual_value, -1e-6)
    }
  }
})
