# The interior point for densities: few iterations whatever the data, and the same optimum as FISTA.
density_problem <- function(x, sigma, lambda, weights = NULL, constraints = list(), offset = NULL) {
  features <- psd_features(x, sigma)
  block <- psd_block(features, lambda, 0.01 * lambda, offset)
  list(blocks = list(block), losses = neg_log, y = 0, weights = weights, constraints = constraints)
}
solve_by <- function(problem, control) do.call(fit_psd, c(problem, list(control = control)))
mass_one <- list(integral_constraint(lebesgue(), 1))

test_that("iterations grow neither with the observations nor with uneven weights", {
  set.seed(31)
  for (n in c(30, 300, 3000)) {
    x <- cbind(c(rnorm(n / 2, -1, 0.3), rnorm(n / 2, 1, 0.6)))
    fit <- solve_by(density_problem(x, 0.3, 1e-3, constraints = mass_one), psd_control())
    expect_true(fit$converged)
    expect_lte(fit$iterations, 20)
  }
  grid <- cbind(seq(-3, 4, length.out = 300))
  weights <- list(mixture = 0.5 * dnorm(grid, -1, 0.3) + 0.5 * dnorm(grid, 1, 0.6),
                  steep = exp(-10 * abs(grid)), wild = 10^runif(300, -12, 0))
  for (w in weights) {
    fit <- solve_by(density_problem(grid, 0.3, 1e-3, drop(w), mass_one), psd_control())
    expect_true(fit$converged)
    expect_lte(fit$iterations, 20)
  }
})

test_that("it ends where FISTA does: with one and two constraints, and with an offset", {
  set.seed(32)
  x <- cbind(rnorm(40))
  two <- c(mass_one, list(integral_constraint(lebesgue(), 0.2, power = 1)))
  features <- psd_features(x, 0.6)
  whole <- block_integral(psd_block(features, 1, 1), lebesgue(1, -3, 3), 0)
  problems <- list(one = density_problem(x, 0.6, 0.05, runif(40), mass_one),
                   two = density_problem(x, 0.6, 0.05, NULL, two),
                   offset = density_problem(x, 0.6, 0.05, NULL, list(),
                                            exp(whole$log_scale) * whole$value))
  for (problem in problems) {
    fit <- solve_by(problem, psd_control(tol = 1e-8))
    slow <- solve_by(problem, psd_control("fista", tol = 1e-4))
    expect_true(fit$converged)
    expect_lte(fit$iterations, 20)
    expect_gte(fit$gap, -1e-12)
    expect_lte(fit$dual_value, slow$primal_value + 1e-10)
    expect_lte(slow$dual_value, fit$primal_value + 1e-10)
    expect_lt(abs(fit$primal_value - slow$primal_value), 2e-4)
  }
})

test_that("the rank is no larger than the tolerance asks for", {
  fit <- reference_cases[["density on the line"]]$fit(psd_control(tol = 1e-8))
  expect_identical(fit$rank, 5L)
  rough <- reference_cases[["density on the line"]]$fit(psd_control(tol = 1e-2))
  expect_lte(rough$rank, 10L)  # of 30
  expect_lte(rough$gap, 1e-2 * max(1, abs(rough$primal_value)))
})

test_that("a tolerance beyond the interior point's reach is Newton's to close", {
  fit <- reference_cases[["density on a box"]]$fit(psd_control(tol = 1e-13))
  expect_lt(fit$gap, 1e-10)
  expect_identical(fit$rank, 5L)
})
