# The same seed gives the same result, and what draws nothing leaves the random numbers alone.

set.seed(1)
sample_data <- data.frame(x = rnorm(40), z = runif(40))
sample_data$y <- abs(sample_data$x) + rnorm(40)

# Whether an expression leaves the state of the random numbers as it was.
draws_nothing <- function(expression) {
  set.seed(11)
  before <- .Random.seed
  force(expression)
  identical(before, .Random.seed)
}

numbers_of <- function(fit) {
  fit[c("seconds", "trace", "call")] <- NULL
  fit$losses <- fit$solved$losses <- NULL
  fit
}

fits <- list(
  density = function() psd_density(sample_data$x),
  "density in the plane" = function() {
    psd_density(~ x + z, sample_data, lambda = 0.1, tune = psd_tune(folds = 3, repeats = 1))
  },
  "exponential density" = function() {
    psd_density(sample_data$z, model = "glm", sigma = 1, lambda = 0.1, lower = 0, upper = 1)
  },
  intensity = function() psd_intensity(sample_data$z, 0, 1, lambda = 0.1),
  quantreg = function() psd_quantreg(y ~ x, sample_data, lambda = 0.1),
  hetero = function() psd_hetero(y ~ x, sample_data, lambda = 0.1),
  regression = function() psd_regression(abs(y) ~ x, sample_data, lambda = 0.1)
)

for (name in names(fits)) test_that(paste0(name, ": the same seed gives the same fit"), {
  again <- function(seed) {
    set.seed(seed)
    suppressMessages(numbers_of(fits[[name]]()))
  }
  expect_identical(again(3), again(3))
})

test_that("fits with nothing to choose draw no random numbers", {
  given <- function(f, ...) f(..., sigma = 1, lambda = 0.1)
  expect_true(draws_nothing(given(psd_density, sample_data$x)))
  expect_true(draws_nothing(given(psd_density, ~ x + z, sample_data)))
  expect_true(draws_nothing(given(psd_intensity, sample_data$z, 0, 1)))
  expect_true(draws_nothing(given(psd_quantreg, y ~ x, sample_data)))
  expect_true(draws_nothing(given(psd_hetero, y ~ x, sample_data)))
  expect_true(draws_nothing(given(psd_regression, abs(y) ~ x, sample_data)))
  expect_true(draws_nothing(psd_density(sample_data$x)))  # by leaving out rows, without folds
  # Folds by default are fixed, those that are asked for are drawn.
  expect_true(draws_nothing(psd_quantreg(y ~ x, sample_data, lambda = 0.1)))
  asked <- psd_tune(folds = 3)
  expect_false(draws_nothing(psd_quantreg(y ~ x, sample_data, lambda = 0.1, tune = asked)))
})

test_that("verbs draw no random numbers, but for simulate() without a seed", {
  density <- psd_density(~ x + z, sample_data, sigma = 1, lambda = 0.1)
  line <- psd_marginal(density, 1)
  hetero <- psd_hetero(y ~ x, sample_data, sigma = 1, lambda = 0.1)
  quantreg <- psd_quantreg(y ~ x, sample_data, sigma = 1, lambda = 0.1)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_true(draws_nothing({
    predict(density, sample_data)
    predict(line, 0, type = "cdf")
    quantile(line, 0.5)
    psd_prob(density, 0, 1)
    psd_moments(density)
    psd_conditional(density, c(z = 0.5))
    capture.output(print(summary(density)), print(summary(hetero)), print(summary(quantreg)))
    plot(density)
    plot(hetero)
    psd_verify(density, sample_data)
    psd_verify(quantreg)
    simulate(density, 3, seed = 1)
    simulate(hetero, 3, seed = 1)
  }))
  expect_false(draws_nothing(simulate(density, 1)))
  expect_identical(simulate(density, 3, seed = 1), simulate(density, 3, seed = 1))
})

test_that("fits are the same in parallel", {
  skip_if_not_installed("future.apply")
  skip_on_cran()
  run <- function(plan) {
    old <- future::plan(plan, workers = 2)
    on.exit(future::plan(old))
    set.seed(5)
    numbers_of(psd_quantreg(y ~ x, sample_data, lambda = 0.1))
  }
  one <- {
    set.seed(5)
    numbers_of(psd_quantreg(y ~ x, sample_data, lambda = 0.1))
  }
  expect_identical(run(future::multicore), one)
})
