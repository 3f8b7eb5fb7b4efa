# A fit that is interrupted, wherever it is at that moment, leaves R as it was.

# What becomes of an expression that would take for ever when SIGINT comes after some seconds.
interrupted <- function(expression, seconds) {
  kill <- sprintf("(sleep %f; kill -INT %d) >/dev/null 2>&1", seconds, Sys.getpid())
  tryCatch({
    system(kill, wait = FALSE)
    expression
    Sys.sleep(10)  # the signal must not reach what comes later
    "ended"
  }, interrupt = function(i) "interrupted")
}

skip_on_cran()
skip_on_os("windows")

set.seed(1)
points <- data.frame(x = rnorm(150), z = rnorm(150), y = rnorm(150))
endless <- psd_control(solver = "fista", tol = 1e-300, max_iter = 1e9, max_work = Inf)
expected <- function() psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)

test_that("solvers can be interrupted at any moment, and the next fit is the same as ever", {
  before <- expected()$functions
  for (seconds in c(0.1, 0.3, 0.7)) {
    expect_identical(interrupted(
      psd_density(points, sigma = 0.5, lambda = 1e-9, control = endless), seconds
    ), "interrupted")
    expect_identical(interrupted(
      psd_quantreg(y ~ x + z, points, tau = c(0.2, 0.8), sigma = 1, lambda = 1e-9,
                   control = endless), seconds
    ), "interrupted")
    expect_identical(expected()$functions, before)
  }
})

test_that("so can the search for parameters, draws and the bootstrap", {
  fit <- expected()
  expect_identical(interrupted(
    repeat psd_hetero(y ~ x + z, points, tune = psd_tune(folds = 10)), 0.5
  ), "interrupted")
  before <- .Random.seed
  expect_identical(interrupted(repeat simulate(fit, 1e6, seed = 1), 0.5), "interrupted")
  expect_identical(interrupted(psd_boot(fit, R = 1e6, seed = 1), 0.5), "interrupted")
  expect_true(identical(.Random.seed, before))
  expect_identical(expected()$functions, fit$functions)
})

test_that("a time limit ends a fit too", {
  stopped <- tryCatch({
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    psd_density(points, sigma = 0.5, lambda = 1e-9, control = endless)
  }, error = function(e) "limit", interrupt = function(i) "limit")
  setTimeLimit()
  expect_identical(stopped, "limit")
  expect_true(expected()$converged)
})
