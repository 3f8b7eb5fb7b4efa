bimodal <- function(n) ifelse(runif(n) < 0.5, rnorm(n, -1, 0.4), rnorm(n, 1, 0.4))
bimodal_density <- function(x) (dnorm(x, -1, 0.4) + dnorm(x, 1, 0.4)) / 2

# Kullback-Leibler divergence from the truth.
loss_of <- function(fit, truth) {
  line <- quadrature(-5, 5, parts = 200)
  p <- truth(line$x)
  sum(line$w * p * (log(p) - predict(fit, line$x, type = "log")))
}

quiet_density <- function(...) suppressMessages(psd_density(...), classes = "psd_discrete")

test_that("rounded values are known by their distance and their number", {
  expect_equal(psdmodels:::recorded_step(round(rnorm(100) * 4) / 4), 0.25)
  expect_equal(psdmodels:::recorded_step(mtcars$cyl), 2)
  expect_identical(psdmodels:::recorded_step(rnorm(50)), 0)
  expect_identical(psdmodels:::recorded_step(1:50), 0)
  set.seed(1)
  fine <- round(rnorm(2000), 2)  # finer than any automatic width
  expect_identical(psdmodels:::recorded_step(fine), 0)
  expect_equal(psdmodels:::recorded_step(round(rnorm(2000), 1)), 0.1)
  expect_identical(psdmodels:::recorded_step(rep(3, 9)), 0)
  expect_identical(psdmodels:::recorded_step(rep(c(0, 1, sqrt(2) + 1), 9)), 0)
})

test_that("copies stand at even distances in the cell of their value, inside the support", {
  line <- list(lower = -Inf, upper = Inf)
  place <- function(x, ...) psdmodels:::placed_rows(matrix(x), ...)[, 1]
  expect_equal(place(c(4, 6, 4, 4, 4), 2, line), c(3.25, 6, 3.75, 4.25, 4.75))
  expect_equal(place(c(0, 1, 0), 1, list(lower = 0, upper = 1)), c(0.125, 0.75, 0.375))
  many <- place(rep(0, 800), 1, line)
  expect_equal(as.vector(table(many)), rep(100, 8))
  expect_equal(sort(unique(many)), (1:8 - 4.5) / 8)
  expect_identical(place(c(4, 6, 4), 0, line), c(4, 6, 4))
  # beside a bound, where another scale tells them apart, none is shared
  expect_equal(sort(place(rep(0, 40), 1, list(lower = 0, upper = Inf))), (1:40 - 0.5) / 80)
})

test_that("a value at a bound stands for a cell beside it, which has a place on any scale", {
  set.seed(4)
  exact <- rgamma(300, 2)
  x <- round(4 * exact) / 4
  expect_true(any(x == 0))
  fit <- psd_density(x, lower = 0)
  expect_identical(fit$parameters$transform, "probit")
  line <- quadrature(0, 20, parts = 200)
  loss <- function(fit) {
    p <- dgamma(line$x, 2)
    sum(line$w * p * (log(p) - predict(fit, line$x, type = "log")))
  }
  expect_lt(loss(fit), 1.5 * loss(psd_density(exact, lower = 0)))
  expect_equal(as.numeric(logLik(fit)), sum(log(fitted(fit))))
  expect_gt(min(fitted(fit)), 0)
  expect_identical(augment(fit, data.frame(x))$.fitted, fitted(fit))
  expect_true(all(psd_verify(fit, x)$holds))
  expect_identical(psd_density(x, lower = 0, transform = "log")$parameters$transform, "log")
  expect_error(psd_density(x, lower = 0, transform = "log", sigma = 1, lambda = 0.1),
               "does not suit", class = "psd_error")
})

test_that("rounding costs a density little, and nothing is gained by ripples", {
  set.seed(1)
  x <- bimodal(400)
  exact <- loss_of(psd_density(x, transform = "none"), bimodal_density)
  hump <- loss_of(psd_density(x, sigma = psd_widths(), lambda = 1e4), bimodal_density)
  for (step in c(0.05, 0.2, 0.5)) {
    fit <- quiet_density(step * round(x / step), transform = "none")
    expect_lt(loss_of(fit, bimodal_density), exact + 0.3 * step * hump)
    if (step > 0.1) expect_identical(nrow(psd_mode(fit)), 2L)
  }
  smooth <- round(rnorm(400) * 2) / 2
  expect_identical(nrow(psd_mode(quiet_density(smooth, transform = "none"))), 1L)
})

test_that("a dip is where there are fewest", {
  fit <- quiet_density(mtcars$cyl) # 4, 6, 8 cylinders: 11, 7, 14 cars
  at <- psd_mode(fit)$x
  expect_length(at, 2)
  expect_true(min(at) < 5 && max(at) > 7)
  expect_lt(predict(fit, 6), min(predict(fit, at)))
})

test_that("the likelihood is that of the cells, weights and certificate hold", {
  set.seed(2)
  x <- rpois(120, 4)
  w <- runif(120, 0.5, 2)
  for (transform in c("none", "asinh")) {
    fit <- quiet_density(x, weights = w, transform = transform)
    probability <- psd_prob(fit, cbind(x - 0.5), cbind(x + 0.5))
    expect_equal(fitted(fit), probability, tolerance = 1e-3)
    expect_equal(as.numeric(logLik(fit)), 120 * weighted.mean(augment(fit)$.log_density, w))
    expect_equal(augment(fit, newdata = data.frame(x = 4))$.fitted, predict(fit, 4))
    expect_equal(as.numeric(logLik(fit)), 120 * weighted.mean(log(probability), w),
                 tolerance = 1e-4)
    expect_true(all(psd_verify(fit, x, weights = w)$holds))
    expect_output(print(fit), "recorded to 1: copies")
  }
  bounded <- quiet_density(x, lower = 0)
  expect_true(all(psd_verify(bounded, x)$holds))
  expect_equal(psd_prob(bounded), 1, tolerance = 1e-8)
})

test_that("a given width sees the values as they are, and several variables do", {
  x <- rep(1:5, 10)
  given <- quiet_density(x, sigma = 0.5, lambda = 0.01)
  expect_identical(given$recorded, 0)
  expect_lte(given$landmarks, 6)
  expect_identical(quiet_density(cbind(a = x, b = 1:50), lambda = 0.1)$recorded, 0)
})

test_that("the bootstrap resamples the rows where the fit saw them", {
  set.seed(3)
  x <- round(rnorm(80) * 3)
  fit <- quiet_density(x)
  expect_gt(fit$recorded, 0)
  problem <- psdmodels:::problem_of_fit(fit, x, environment())
  control <- psd_control()
  prepared <- psdmodels:::prepare(problem, 1:80, fit$parameters$sigma, control)
  members <- psdmodels:::members_of(fit$average, fit$parameters)
  again <- psdmodels:::solve_groups(list(members), list(prepared))
  at <- matrix(seq(-2, 2, 0.5))
  expect_equal(psdmodels:::all_values(again$functions, at) * exp(again$log_scale),
               psdmodels:::all_values(fit$functions, at) * exp(fit$log_scale), tolerance = 1e-2)
})

test_that("there are automatic widths below the distance of values, not below that of places", {
  set.seed(1)
  fit <- quiet_density(rpois(2000, 4), transform = "none")
  step <- 1 / fit$units$x$scale
  expect_lt(min(fit$parameters$widths), step)
  expect_gte(min(fit$parameters$widths), step / psdmodels:::most_places)
})
