test_that("a replicate is the fit under its weights", {
  fit <- psd_hetero(y ~ x, hetero_data(), sigma = 0.5, lambda = 0.003,
                    control = psd_control(tol = 1e-10))
  boot <- psd_boot(fit, R = 3, seed = 1)
  expect_length(boot$replicates, 3)
  set.seed(1)
  draw <- rexp(60)
  problem <- psdmodels:::problem_of_fit(fit, NULL, environment())
  problem$weights <- draw / mean(draw)
  prepared <- psdmodels:::prepare(problem, 1:60, fit$parameters$sigma, psd_control(tol = 1e-10))
  cold <- psdmodels:::solve_at(prepared, fit$parameters$lambda, fit$parameters$ridge)
  at <- matrix(seq(-1, 1, 0.5))
  expect_equal(psdmodels:::all_values(boot$replicates[[1]]$functions, at),
               psdmodels:::all_values(cold$functions, at), tolerance = 1e-4)
})

test_that("under the weights of the fit every problem is solved to the fit itself", {
  set.seed(1)
  x <- sort(runif(50))
  w <- rep(1:2, 25)
  data <- data.frame(x, w, y = 2 + sin(6 * x) + rnorm(50) / 3)
  data$tenths <- round(data$y, 1)
  fits <- list(
    psd_density(~tenths, data, sigma = 0.5, lambda = 0.01),
    psd_hetero(y ~ x, data, sigma = 1, lambda = 0.01, weights = w),
    psd_quantreg(y ~ x, data, tau = c(0.2, 0.5, 0.8), sigma = 1, lambda = 0.01, weights = w),
    psd_quantreg(y ~ x, data, sigma = psd_widths(c(1, 0.3)), lambda = 0.01, parametric = FALSE),
    psd_regression(y ~ x, data, sigma = 1, lambda = 0.01, weights = w),
    psd_regression(cbind(y, y + 1) ~ x, data, cone = "ordered", sigma = 1, lambda = 0.01),
    psd_density(~x, data, sigma = 1, lambda = 0.01, weights = w, lower = 0, upper = 1),
    psd_density(data$x, lower = 0, upper = 1, transform = "logit"),
    psd_density(data$x, model = "ncm", sigma = 1, lambda = 0.01),
    psd_intensity(~x, data, lower = 0, upper = 1, sigma = 1, lambda = 0.01, weights = w),
    psd_intensity(~x, data, lower = 0, upper = 1, sigma = 1, lambda = 0.1, total = "shrunk"),
    psd_quantreg(y ~ x, data, sigma = 1, lambda = 0.01, lower = 0),
    psd_quantreg(y ~ x, data, sigma = 1, lambda = 0.01, upper = 9, parametric = TRUE),
    psd_density(~ x + y, data, sigma = 1, lambda = 0.01, shape = "full", parametric = 2)
  )
  for (fit in fits) {
    problem <- psdmodels:::problem_of_fit(fit, NULL, environment())
    prepared <- psdmodels:::prepare(problem, psdmodels:::rows_of(problem), fit$parameters$sigma,
                                    psd_control())
    members <- psdmodels:::members_of(fit$average, fit$parameters)
    again <- psdmodels:::solve_groups(list(members), list(prepared))
    other <- fit
    other$functions <- again$functions
    other$log_scale <- again$log_scale
    new <- if (fit$recipe$type == "formula") data[c(5, 20, 40), ] else data$x[c(5, 20, 40)]
    expect_equal(predict(other, new), predict(fit, new), tolerance = 1e-3)
    boot <- psd_boot(fit, R = 5, seed = 1)
    expect_true(all(vapply(boot$replicates, `[[`, NA, "converged")))
    expect_true(all(predict(boot, new)$se > 0))
  }
})

test_that("the spread is that of the estimate over samples", {
  sample <- function(seed) {
    set.seed(seed)
    x <- rep(seq(0, 1, length.out = 40), 3)
    data.frame(x, y = 1 + x + rnorm(120) * 0.5)
  }
  at <- data.frame(x = c(0.2, 0.5, 0.8))
  fit <- function(data) psd_hetero(y ~ x, data, sigma = 2, lambda = 1e-3)
  estimates <- vapply(1:60, function(seed) predict(fit(sample(seed)), at), numeric(3))
  boot <- psd_boot(fit(sample(100)), R = 150, seed = 1)
  ratio <- predict(boot, at)$se / apply(estimates, 1, sd)
  expect_gt(min(ratio), 0.6)
  expect_lt(max(ratio), 1.5)
})

test_that("bands hold the estimate, simultaneous ones are wider, and replicates stay inside", {
  fit <- quick_quantreg()
  boot <- psd_boot(fit, R = 60, seed = 1)
  at <- data.frame(x = seq(0.1, 0.9, 0.1))
  narrow <- predict(boot, at, level = 0.9)
  wide <- predict(boot, at, level = 0.9, band = "simultaneous")
  expect_identical(narrow$column, rep(c("q0.1", "q0.5", "q0.9"), each = 9))
  expect_equal(narrow$estimate, as.vector(predict(fit, at)))
  expect_gt(mean(wide$upper - wide$lower), mean(narrow$upper - narrow$lower))
  values <- psdmodels:::replicated(boot, at, c(9, 3))
  for (j in 1:3) {
    band <- wide[wide$column == colnames(predict(fit, at))[j], ]
    inside <- apply(values[, j, ], 2, function(v) all(v >= band$lower & v <= band$upper))
    expect_equal(mean(inside), 0.9, tolerance = 0.03)
  }
  expect_identical(predict(boot, at), predict(psd_boot(fit, R = 60, seed = 1), at))
  expect_output(print(boot), "60 replicates of a psd_quantreg")
})

test_that("autoplot draws the bands of a fit of one variable", {
  fit <- hetero_fit()
  boot <- psd_boot(fit, R = 10, seed = 1)
  drawn <- ggplot2::layer_data(autoplot(fit, bands = boot), 1)
  expected <- predict(boot, data.frame(x = seq(min(fit$x), max(fit$x), length.out = 200)))
  expect_equal(sort(drawn$ymin[drawn$fill == "#6BAED6"]), sort(expected$lower))
  expect_error(autoplot(fit, bands = 3), class = "psd_input_error")
})

test_that("what cannot be solved again is refused", {
  set.seed(1)
  expect_error(psd_boot(cars), class = "psd_input_error")
  glm <- hetero_fit(model = "glm")
  expect_error(psd_boot(glm), class = "psd_undefined")
  expect_error(psd_boot(psd_marginal(density_2d(), 1)), class = "psd_undefined")
  bounded <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1,
                         constraints = psd_constraint("mean", 3.5))
  expect_error(psd_boot(bounded), class = "psd_undefined")
})

test_that("bands of bounded quantiles and shrunk intensities are about the fit", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.2, 0.5, 0.8), sigma = 1, lambda = 0.01,
                      upper = 150)
  bands <- predict(psd_boot(fit, R = 20, seed = 1), data.frame(speed = c(5, 12, 24)))
  expect_true(all(abs(bands$estimate - (bands$lower + bands$upper) / 2) < 3 * bands$se))
  expect_lte(max(bands$upper), 150)
  set.seed(2)
  x <- runif(60)
  count <- function(total) {
    fit <- psd_intensity(x, 0, 1, sigma = 1, lambda = 0.1, total = total)
    boot <- psd_boot(fit, R = 5, seed = 1)
    vapply(boot$replicates, function(replicate) {
      fit[names(replicate)] <- replicate
      psd_count(fit)
    }, 0)
  }
  expect_equal(count("observed"), rep(60, 5))
  expect_lt(max(count("shrunk")), 59)
})

test_that("weights of a density are found again, whatever it was made from", {
  set.seed(1)
  x <- sort(runif(30))
  w <- rep(1:2, 15)
  estimates <- function(fit, ...) predict(psd_boot(fit, R = 3, seed = 1, ...), c(0.2, 0.5))
  expected <- estimates(psd_density(~x, weights = w, sigma = 1, lambda = 0.1))
  expect_equal(estimates(psd_density(x, weights = w, sigma = 1, lambda = 0.1)), expected)
  plain <- estimates(psd_density(x, sigma = 1, lambda = 0.1))
  expect_gt(max(abs(plain$se - expected$se)), 1e-3)
  gone <- data.frame(x, w)
  fit <- psd_density(~x, gone, weights = w, sigma = 1, lambda = 0.1)
  rm(gone)
  expect_equal(estimates(fit, data = data.frame(x, w)), expected)
  expect_error(estimates(fit, data = data.frame(x, w)[-1, ]), "have changed since: 29 rows",
               class = "psd_error")
  expect_error(psd_boot(fit), "give them as", class = "psd_error")
})

test_that("an argument that is gone is named, in the user's call", {
  widths <- psd_widths(c(1, 0.3))
  fit <- psd_density(cars$speed, sigma = widths, lambda = 0.1)
  rm(widths)
  condition <- expect_error(psd_boot(fit, R = 2), "`sigma` of the fit could not be evaluated",
                            class = "psd_no_data")
  expect_identical(condition$call[[1]], quote(psd_boot))
})

test_that("standard errors are those of numbers of any size", {
  set.seed(3)
  x <- runif(30)
  errors <- function(size) {
    fit <- psd_intensity(size * x, 0, size, sigma = 1, lambda = 0.1)
    boot <- psd_boot(fit, R = 5, seed = 1)
    lapply(c("pointwise", "simultaneous"), function(band) {
      size * as.matrix(predict(boot, size * c(0.2, 0.7), band = band)[c("se", "lower", "upper")])
    })
  }
  expect_equal(errors(2^-600), errors(1), tolerance = 1e-6)
})

test_that("no band goes below what cannot be negative", {
  fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 0.01)
  boot <- psd_boot(fit, R = 20, seed = 1)
  at <- seq(1, 6, 0.1)
  bands <- predict(boot, at, band = "simultaneous")
  expect_gte(min(bands$lower), 0)
  expect_true(any(bands$lower == 0 & bands$estimate > 0))
  expect_lt(min(predict(boot, at, band = "simultaneous", type = "gradient")$lower), 0)
  spread <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
  boot <- psd_boot(spread, R = 10, seed = 1)
  sd <- predict(boot, cars, band = "simultaneous", level = 0.99, type = "sd")
  mean <- predict(boot, data.frame(speed = 4), band = "simultaneous", level = 0.99)
  expect_gte(min(sd$lower), 0)
  expect_equal(mean$lower + mean$upper, 2 * mean$estimate)
})

test_that("a single prediction has bands, those of the same row among others", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
  boot <- psd_boot(fit, R = 10, seed = 1)
  for (band in c("pointwise", "simultaneous")) {
    one <- predict(boot, data.frame(speed = 10), band = band)
    expect_identical(nrow(one), 1L)
    expect_true(one$lower < one$estimate && one$estimate < one$upper)
  }
  expect_equal(predict(boot, data.frame(speed = 10)), predict(boot, data.frame(speed = 10:11))[1, ],
               tolerance = 1e-12)
  expect_identical(dim(psd_confidence(fit, 10, R = 5, seed = 1)), c(1L, 3L))
})

test_that("replicates that are no numbers are left out, with a warning, or refused", {
  replicate <- function(coefficient, log_scale) {
    list(functions = list(list(coefficients = matrix(c(1, coefficient)))), log_scale = log_scale)
  }
  sound <- list(replicate(1, 0), replicate(2, NULL))
  expect_identical(psdmodels:::sound_replicates(sound), sound)
  lost <- list(replicate(Inf, 0), replicate(1, NaN))
  expect_warning(out <- psdmodels:::sound_replicates(c(lost, sound)), "2 of 4 replicates",
                 class = "psd_not_converged")
  expect_identical(out, sound)
  expect_error(psdmodels:::sound_replicates(c(lost, sound[1])), "`fit` must .* 3 replicates 1 had",
               class = "psd_undefined")
})

test_that("pointwise bands are quantiles of the replicates, the same share beyond either end", {
  fit <- hetero_fit()
  boot <- psd_boot(fit, R = 20, seed = 1)
  at <- data.frame(x = c(-1, 0, 2))
  values <- vapply(boot$replicates, function(replicate) {
    one <- fit
    one[names(replicate)] <- replicate
    predict(one, at)
  }, numeric(3))
  bands <- predict(boot, at, level = 0.6)
  expect_equal(bands$lower, apply(values, 1, quantile, 0.2, names = FALSE))
  expect_equal(bands$upper, apply(values, 1, quantile, 0.8, names = FALSE))
  expect_equal(bands$se, apply(values, 1, sd))
  expect_equal(predict(boot, at), predict(boot, at, level = 0.95, band = "pointwise"))
})

test_that("print says how many replicates did not converge, if any", {
  boot <- psd_boot(hetero_fit(), R = 3, seed = 1)
  shown <- function(boot) capture.output(print(boot))
  expect_length(shown(boot), 1)
  for (failed in 1:2) {
    boot$replicates[[failed]]$converged <- FALSE
    expect_identical(shown(boot)[2], paste(failed, "of them did not converge"))
  }
})

test_that("confidence is of one prediction a row", {
  expect_error(psd_confidence(quick_quantreg(), R = 2, seed = 1), "one prediction per row",
               class = "psd_input_error")
})
