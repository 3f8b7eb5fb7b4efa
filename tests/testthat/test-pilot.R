noisy_dip <- function(n = 60, seed = 3) {
  set.seed(seed)
  x <- stats::runif(n, 0, 3)
  data.frame(x = x, y = 5 + sin(3 * x) + (0.03 + x^2 / 8) * stats::rnorm(n))
}

# The covariance of a process, but for the noise, by its definition.
covariance_of <- function(a, b, theta) {
  outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(function(i, j) {
    100 + mean(a[i, ] * b[j, ]) + exp(theta[2] - exp(theta[1]) * mean((a[i, ] - b[j, ])^2) / 2)
  }))
}

test_that("a process is the conditional mean of a normal vector", {
  set.seed(1)
  x <- matrix(runif(24), 12)
  y <- rnorm(12)
  weights <- runif(12, 0.5, 2)
  theta <- c(0.7, 1.1)
  noise <- mean(weights) / weights
  mean_from <- function(rows, at) {
    seen <- x[rows, , drop = FALSE]
    covariance_of(at, seen, theta) %*%
      solve(covariance_of(seen, seen, theta) + diag(noise[rows]), y[rows])
  }
  features <- process_features(x, theta[1], tol = 1e-12)
  found <- process_at_rows(features, y, weights, theta)
  at <- matrix(runif(10), 5)
  expect_equal(values_at(process_function(features, found$coefficients), at),
               drop(mean_from(1:12, at)), tolerance = 1e-6)
  expect_equal(found$fitted, drop(mean_from(1:12, x)), tolerance = 1e-6)
  left_out <- vapply(1:12, function(i) y[i] - drop(mean_from((1:12)[-i], x[i, , drop = FALSE])), 0)
  expect_equal(found$square, (y - found$fitted) * left_out, tolerance = 1e-5)
})

test_that("the parameters of a process are their means given the data", {
  set.seed(2)
  x <- matrix(sort(runif(25, -2, 2)))
  y <- sin(3 * x[, 1]) + rnorm(25) / 4
  weights <- runif(25, 0.5, 2)
  noise <- diag(mean(weights) / weights)
  log_density <- Vectorize(function(gain, log_ratio) {
    covariance <- covariance_of(x, x, c(gain, log_ratio)) + noise
    away <- (c(gain, log_ratio) - prior_of_mean$mean) / prior_of_mean$sd
    -(25 * log(sum(y * solve(covariance, y))) + determinant(covariance)$modulus + sum(away^2)) / 2
  })
  mean_by <- function(values, logs) weighted.mean(values, exp(logs - max(logs)))
  log_sum <- function(logs) max(logs) + log(sum(exp(logs - max(logs))))
  of_gain <- vapply(lattice_gains, function(g) log_sum(log_density(g, lattice_log_ratios)), 0)
  gain <- mean_by(lattice_gains, of_gain)
  found <- mean_theta(function(gain) process_features(x, gain), y, weights, prior_of_mean)
  expect_equal(found[1], gain, tolerance = 0.01)
  expect_equal(found[2], mean_by(lattice_log_ratios, log_density(gain, lattice_log_ratios)),
               tolerance = 0.01)
})

test_that("the penalty in units of a pilot is a mean over those tried", {
  data <- noisy_dip()
  fit <- psd_hetero(y ~ x, data)
  expect_equal(unname(fit$parameters$sigma), rep(0.6, 2), tolerance = 1e-3)
  tried <- fit$tuning
  chosen <- attr(tried, "chosen")
  expect_equal(chosen, nrow(tried))
  weight <- exp(-60 / 4 * (tried$score - min(tried$score[-chosen])))[-chosen]
  mean_log <- weighted.mean(log(tried$lambda.psd[-chosen]), weight)
  expect_equal(log(fit$parameters$lambda[["psd"]]), mean_log)
  # Other rules, and a search for the width, choose from the lattice.
  lowest <- psd_hetero(y ~ x, data, tune = psd_tune(rule = "min"))
  expect_equal(lowest$parameters$lambda[["psd"]],
               tried$lambda.psd[which.min(tried$score[-chosen])])
  searched <- psd_hetero(y ~ x, data, sigma = "search")
  expect_true(searched$parameters$pilot)
  expect_gt(length(unique(searched$tuning$sigma.psd)), 2)
})

test_that("a pilot is near the truth", {
  data <- noisy_dip(200)
  x <- as.matrix((data$x - mean(data$x)) / sd(data$x))
  at <- pilot_at(find_pilot(x, data$y, rep(1, 200)), x)
  expect_lt(mean(abs(at$center - 5 - sin(3 * data$x)) / (0.03 + data$x^2 / 8)), 0.3)
  expect_lt(mean(abs(at$log_scale - log(0.03 + data$x^2 / 8))), 0.25)
  residuals <- (data$y - at$center) / exp(at$log_scale)
  expect_equal(mean(residuals^2), 1, tolerance = 0.15)
})

test_that("predictions are those of the correction in the units of the pilot", {
  data <- noisy_dip()
  fit <- psd_hetero(y ~ x, data)
  expect_true(fit$parameters$pilot)
  t <- standardized(as.matrix(data["x"]), fit$units$x)
  pilot <- pilot_at(fit$pilot, t)
  z <- ((data$y - fit$units$y$center) / fit$units$y$scale - pilot$center) / exp(pilot$log_scale)
  # The same problem, given the response in these units.
  problem <- hetero_problem(t, z, fit$weights, model_psd(), "gaussian", TRUE)
  problem$parts$psd$constant <- 2
  set <- fit$parameters
  solution <- solve_at(prepare(problem, 1:60, set$sigma, psd_control()), set$lambda, set$ridge)
  expect_equal(glance(fit)$objective, solution$objective, tolerance = 1e-6)
  natural <- natural_parameters(solution$functions, t)
  scale <- fit$units$y$scale
  expect_equal(predict(fit), tolerance = 1e-5, fit$units$y$center + scale *
    (pilot$center + exp(pilot$log_scale) * natural$eta / natural$theta))
  expect_equal(predict(fit, type = "sd"), tolerance = 1e-5,
               scale * exp(pilot$log_scale) / sqrt(natural$theta))
  expect_equal(as.numeric(logLik(fit)),
               sum(dnorm(data$y, predict(fit), predict(fit, type = "sd"), log = TRUE)))
  expect_true(all(psd_verify(fit)$holds))
})

test_that("rows that are held out do not enter the pilot", {
  data <- noisy_dip()
  x <- as.matrix(data$x)
  weights <- rep(1, 60)
  held <- 5:14
  pilot <- find_pilot(x, data$y, weights)
  # All but its widths, which are those of the pilot of all rows.
  of <- function(y) {
    problem <- hetero_problem(x, y, weights, model_psd(), "gaussian", TRUE, pilot)
    piloted_without(problem, held)
  }
  moved <- data$y
  moved[held] <- moved[held] + 10
  expect_equal(of(moved)$pilot$model, of(data$y)$pilot$model)
  expect_equal(of(moved)$y[-held], of(data$y)$y[-held])
  # The score is that of the response in standardised units.
  problem <- of(data$y)
  solution <- solve_at(prepare(problem, 15:60, c(linear = 1, psd = 1), psd_control()),
                       c(linear = 0.1, psd = 0.1), 0.01)
  natural <- out_of_pilot_units(all_values(solution$functions, x), problem$pilot$model, x)
  expect_equal(held_out(problem, solution, held),
               -dnorm(data$y, natural[, 1] / natural[, 2], natural[, 2]^-0.5, log = TRUE)[held])
})

test_that("the same rows and weights give the same pilot again", {
  data <- noisy_dip()
  x <- as.matrix(data$x)
  weights <- runif(60, 0.5, 2)
  pilot <- find_pilot(x, data$y, weights)
  again <- pilot_at(fit_pilot_again(pilot, x, data$y, weights), x)
  expect_equal(again$log_scale, pilot_at(pilot, x)$log_scale, tolerance = 0.05)
  expect_equal(again$center, pilot_at(pilot, x)$center, tolerance = 0.01)
})

test_that("a default fit is equivariant under shift and scale, of the response and of x", {
  data <- noisy_dip()
  fit <- psd_hetero(y ~ x, data)
  for (unit in c(1e-6, -1, 1e6)) {
    moved <- psd_hetero(y ~ x, transform(data, y = 3 + unit * y, x = 10 + 2 * x))
    expect_equal((fitted(moved) - 3) / unit, fitted(fit), tolerance = 1e-5)
    expect_equal(sigma(moved) / abs(unit), sigma(fit), tolerance = 1e-5)
  }
})

test_that("far from the data the variance is not below that of the pilot at their edge", {
  set.seed(4)
  x <- stats::runif(150)
  data <- data.frame(x, y = 3 * x + exp(4 * x) / 20 * stats::rnorm(150))
  fit <- psd_hetero(y ~ x, data)
  far <- quietly(predict(fit, c(-9, 10), type = "sd"))
  line <- stats::lm(y ~ x, data)
  expect_equal(far[1], sqrt(sum(residuals(line)^2) / 148), tolerance = 1e-5)
  expect_gt(far[2], 1.4 * far[1])
  t <- standardized(matrix(c(-9, 10)), fit$units$x)
  edge <- exp(pilot_at(fit$pilot, t)$log_scale) * fit$units$y$scale
  expect_equal(far[2], edge[2], tolerance = 1e-5)
  expect_equal(quietly(predict(fit, c(-9, 10))), unname(predict(line, data.frame(x = c(-9, 10)))),
               tolerance = 1e-5)
})

test_that("between rows that a narrow kernel does not reach predictions are the pilot's", {
  data <- noisy_dip()
  fit <- psd_hetero(y ~ x, data, sigma = 1e-4, lambda = 0.1, pilot = TRUE)
  gaps <- diff(sort(data$x))
  between <- (sort(data$x)[-60] + gaps / 2)[gaps > 0.01]
  pilot <- pilot_at(fit$pilot, standardized(matrix(between), fit$units$x))
  expect_equal(predict(fit, between), fit$units$y$center + fit$units$y$scale * pilot$center)
  expect_equal(predict(fit, between, type = "sd"), fit$units$y$scale * exp(pilot$log_scale))
})

test_that("replicates of a bootstrap have pilots of their own", {
  fit <- psd_hetero(y ~ x, noisy_dip())
  boot <- psd_boot(fit, R = 3, seed = 1)
  draw <- with_seed(1, stats::rexp(60))
  t <- standardized(fit$x, fit$units$x)
  y <- (fit$y - fit$units$y$center) / fit$units$y$scale
  pilot <- fit_pilot_again(fit$pilot, t, y, draw / mean(draw))
  expect_equal(boot$replicates[[1]]$pilot, pilot)
  one <- fit
  one[c("functions", "pilot")] <- list(boot$replicates[[1]]$functions, pilot)
  several <- replicated(boot, data.frame(x = 1:2), c(2, 1))
  expect_equal(several[, 1, 1], predict(one, data.frame(x = 1:2)))
})

test_that("folds of conformal intervals have pilots of their own", {
  conformal <- psd_conformal(psd_hetero(y ~ x, noisy_dip()), "cv+")
  pilots <- lapply(conformal$fits, `[[`, "pilot")
  expect_equal(anyDuplicated(pilots), 0)
  expect_true(all(is.finite(predict(conformal))))
})

test_that("there is a pilot where nothing is fixed, and where it is asked for", {
  data <- noisy_dip()
  has <- function(...) psd_hetero(y ~ x, ...)$parameters$pilot
  expect_true(has(data))
  expect_false(has(data, pilot = FALSE))
  expect_false(has(data, sigma = 1))
  expect_false(has(data, lambda = 0.1))
  expect_false(has(data, sigma = 1, lambda = 0.1))
  expect_true(has(data, sigma = 1, lambda = 0.1, pilot = TRUE))
  expect_false(has(data, standardize = FALSE, sigma = 1, lambda = 0.1))
  expect_false(has(data[1:15, ]))
  expect_error(has(data, pilot = "no"), class = "psd_input_error")
})

test_that("psd_cv() scores the fit with its pilot", {
  fit <- psd_hetero(y ~ x, noisy_dip())
  scored <- psd_cv(fit)
  expect_lt(scored$score, psd_cv(psd_hetero(y ~ x, noisy_dip(), pilot = FALSE))$score)
  tuned <- fit$tuning[attr(fit$tuning, "chosen"), ]
  expect_equal(scored$score, tuned$score, tolerance = 0.02)
})

test_that("data without noise, with an outlier or few values have a sound fit", {
  set.seed(1)
  x <- runif(40)
  samples <- list(none = sin(6 * x), outlier = c(1e4, x[-1] + rnorm(39) / 10),
                  two = rep(0:1, 20), half = ifelse(x < 0.5, 0, rnorm(40)))
  for (y in samples) {
    fit <- psd_hetero(x = x, y = y)
    expect_true(fit$converged)
    expect_true(all(is.finite(c(fitted(fit), sigma(fit)))) && all(sigma(fit) > 0))
  }
})

test_that("a fit to binned rows has the likelihood of all", {
  set.seed(1)
  data <- noisy_dip(2500)
  fit <- psd_hetero(y ~ x, data)
  expect_false(is.null(fit$binning))
  expect_equal(as.numeric(logLik(fit)),
               sum(dnorm(data$y, fitted(fit), sigma(fit), log = TRUE)), tolerance = 1e-3)
  expect_true(all(psd_verify(fit)$holds))
})

test_that("a pilot of some of the rows does not depend on their order", {
  set.seed(21)
  x <- cbind(runif(260), runif(260))
  y <- sin(6 * x[, 1]) + (0.1 + x[, 1]) * rnorm(260)
  of <- function(rows) {
    pilot <- psdmodels:::find_pilot(x[rows, ], y[rows], rep(1, 260))
    psdmodels:::pilot_at(pilot, x)
  }
  expect_equal(of(1:260), of(sample(260)), tolerance = 1e-6)
})

test_that("the coordinates of far outliers leave the pilot its factor", {
  set.seed(22)
  a <- matrix(rnorm(60), 3)
  expect_equal(crossprod(root_beside_one(a)), diag(3) + tcrossprod(a))
  a[2:3, 7] <- c(1e12, -2e12)
  a[1, 7] <- 3e11
  expect_error(chol(diag(3) + tcrossprod(a)))
  root <- root_beside_one(a)
  # All that is left beside the outlier, of which only the length has digits in the sum.
  away <- svd(a[, 7, drop = FALSE], nu = 3)$u[, 2:3]
  seen <- crossprod(away, diag(3) + tcrossprod(a[, -7])) %*% away
  expect_equal(crossprod(root %*% away), seen, tolerance = 1e-3)
})

test_that("how far a point is from the pilot's rows is told by the kernel of its mean", {
  set.seed(5)
  pilot <- list(x = matrix(rnorm(12), 6), center = list(theta = c(0.8, 2)))
  x <- matrix(rnorm(14, sd = 3), 7)
  width <- sqrt(2) * exp(-0.8 / 2)
  log_kernel <- apply(x, 1, function(at) max(-colSums((t(pilot$x) - at)^2) / (2 * width^2)))
  expect_equal(pilot_section(pilot, x), log_kernel)
  expect_equal(pilot_section(pilot, pilot$x), rep(0, 6))
})

test_that("the mean of the logs is the log variance of normal errors, at first and in a step", {
  z <- qnorm(ppoints(1e4))
  for (variance in c(0.01, 1, 9)) {
    square <- variance * z^2
    expect_lt(abs(mean(log_squares(list(square = square))) - log(variance)), 0.1)
    # A step of scoring from standard deviations that are right leaves them about as they are.
    step <- log_squares(list(square = square), sqrt(variance))
    expect_lt(abs(mean(step) - log(variance)), 0.05)
  }
  expect_equal(log_squares(list(square = c(0, 4, 100)), 2), 2 * log(2) + c(-1, 0, 5))
  expect_true(all(is.finite(log_squares(list(square = c(0, 0, 1))))))
  expect_gt(min(log_squares(list(square = c(0, 4, 4)))), log(4 / 400))
})

test_that("standard deviations of a pilot are never below a thousandth of the largest", {
  x <- matrix(1:30 / 10)
  some <- pilot_rows(x, rep(0, 30), rep(1, 30))
  logs <- 20 * cos(x[, 1])
  found <- spread_at_rows(some, logs, c(2, 8))
  expect_equal(min(found$scale) / max(found$scale), 1e-3)
  expect_equal(found$level, mean(logs) / 2)
  expect_equal(log(found$scale)[1:5], logs[1:5] / 2, tolerance = 0.05)
})

test_that("some of the rows keep what the pilot says of them", {
  data <- noisy_dip()
  x <- matrix(data$x - 1)
  pilot <- find_pilot(x, data$y - 5, rep(1, 60))
  problem <- hetero_problem(x, data$y - 5, rep(1, 60), model_psd(), "gaussian", TRUE, pilot)
  some <- tuning_sample(problem, psd_tune(), most = 20)
  rows <- match(some$x, x)
  expect_length(rows, 20)
  expect_identical(some$y, problem$y[rows, , drop = FALSE])
  expect_identical(some$pilot$response, problem$pilot$response[rows])
  expect_identical(some$pilot$log_scale, problem$pilot$log_scale[rows])
  # Pilots without rows held out are known by numbers that are others now.
  expect_false(identical(some$pilot$known, problem$pilot$known))
})
