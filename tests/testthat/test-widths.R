sample_of <- function(n, seed = 1) {
  set.seed(seed)
  c(rnorm(n / 2), rnorm(n / 2, 3, 0.3))
}

test_that("several widths are one kernel: their weighted sum", {
  x <- matrix(seq(-2, 2, length.out = 12))
  widths <- psd_widths(c(1, 0.3), power = 2)
  expect_equal(widths$weight, c(1, 0.09) / 1.09)
  recipe <- psdmodels:::recipe(1, 1, "gaussian", 0, 1e-14, Inf, 0, widths)
  values <- psdmodels:::make_features(x, list(recipe), list())$features[[1]]$values
  kernel <- widths$weight[1] * gaussian_kernel(x, 1) + widths$weight[2] * gaussian_kernel(x, 0.3)
  expect_equal(crossprod(values), unname(kernel), tolerance = 1e-6)
})

test_that("weights of widths of any size are numbers above zero, or refused", {
  for (size in c(1e-250, 1e250)) {
    expect_equal(psd_widths(size * c(1, 0.3), power = 2)$weight, c(1, 0.09) / 1.09)
  }
  expect_error(psd_widths(c(1e200, 1e-200)), "`widths` must be of sizes", class = "psd_input_error")
})

test_that("a density of several widths integrates to one, by quadrature too", {
  fit <- psd_density(sample_of(120), transform = "none")
  line <- quadrature(-60, 60, parts = 1500)
  expect_equal(sum(line$w * predict(fit, line$x)), 1, tolerance = 1e-7)
  expect_equal(psd_prob(fit), 1, tolerance = 1e-8)
  expect_equal(sum(line$w * line$x * predict(fit, line$x)), psd_moments(fit)$mean[[1]],
               tolerance = 1e-6)
})

test_that("the default draws no random numbers and does not depend on the seed", {
  x <- sample_of(80)
  set.seed(1)
  before <- .Random.seed
  one <- psd_density(x)
  expect_identical(.Random.seed, before)
  set.seed(2)
  expect_identical(psd_density(x)$functions, one$functions)
})

test_that("as the penalty grows the fit tends to the parametric part", {
  x <- sample_of(60)
  far <- psd_density(x, sigma = psd_widths(), lambda = 1e4)
  at <- seq(-3, 5, length.out = 9)
  expect_equal(predict(far, at), dnorm(at, mean(x), sqrt(mean((x - mean(x))^2))), tolerance = 0.03)
  u <- runif(60)
  flat <- psd_density(u, sigma = psd_widths(), lambda = 1e4, lower = 0, upper = 1)
  expect_equal(predict(flat, c(0.1, 0.5, 0.9)), rep(1, 3), tolerance = 1e-2)
  e <- 3 + rexp(60)
  half <- psd_density(e, sigma = psd_widths(), lambda = 1e4, lower = 3)
  expect_equal(predict(half, 3:6), dexp(0:3, 1 / (mean(e) - 3)), tolerance = 0.1)
})

test_that("the loss of rows left out is that of fits without them", {
  set.seed(3)
  x <- matrix(c(rnorm(30), rnorm(10, 3, 0.2)))
  problem <- psdmodels:::density_problem(x, rep(1, 40), lebesgue(), psdmodels:::model_psd(),
                                         "gaussian")
  problem <- psdmodels:::with_widths(problem, NULL, NULL, NULL)$problem
  control <- psd_control(tol = 1e-8)
  control$leverages <- TRUE
  prepared <- psdmodels:::prepare(problem, 1:40, 1, control)
  for (lambda in c(1, 0.1, 0.01)) {
    solution <- psdmodels:::solve_at(prepared, lambda, 0.01)
    told <- psdmodels:::left_out_losses(problem, solution)
    exact <- vapply(1:40, function(i) {
      without <- psdmodels:::prepare(problem, setdiff(1:40, i), 1, psd_control(tol = 1e-8))
      psdmodels:::row_losses(problem, psdmodels:::solve_at(without, lambda, 0.01), i)
    }, 0)
    expect_lt(abs(mean(told) - mean(exact)), 0.06)
    expect_lt(median(abs(told - exact)), 0.02)
  }
  # a leverage that is lost is taken for the highest
  solution$leverages[2] <- NaN
  expect_equal(psdmodels:::left_out_losses(problem, solution)[2],
               psdmodels:::row_losses(problem, solution, 2) - log(.Machine$double.eps))
})

test_that("weights of very uneven size leave a score to every penalty", {
  set.seed(5)
  x <- rnorm(20)
  fitted_with <- function(weights) {
    psd_intensity(x, -4, 4, sigma = psd_widths(c(2, 0.5, 0.1)), ridge = 138, weights = weights)
  }
  fit <- fitted_with(10^seq(-15, 0, length.out = 20))
  expect_identical(nobs(fit), 20L)
  expect_true(fit$converged && all(is.finite(fit$tuning$score)))
  # those that are lost in the sum of all do not count
  uneven <- 10^seq(-148, 145, length.out = 20)
  fit <- fitted_with(uneven)
  expect_identical(nobs(fit), sum(uneven > .Machine$double.eps * sum(uneven)))
  expect_true(fit$converged && all(is.finite(fit$tuning$score)))
})

# As chosen for standardised values: a fifth of the range, halved down to a 32nd of their scale.
chosen_widths <- function(z) {
  widest <- max(0.7, diff(range(z)) / 5)
  psd_widths(widest / 2^seq(0, ceiling(log2(widest) + 5)), power = 2)
}

test_that("where the scale that is fitted has bounds widths begin wider", {
  x <- exp(sample_of(80))
  fit <- function(...) psd_density(x, lower = 0, ...)
  for (transform in c("none", "log", "probit")) {
    z <- drop(psdmodels:::standardized(matrix(x), fit(transform = transform)$units$x))
    widest <- max(2, diff(range(z)) / 4)
    widths <- psd_widths(widest / 2^seq(0, ceiling(log2(widest) + 5)), power = 1.25)
    if (transform != "none") widths <- chosen_widths(z)
    expect_equal(predict(fit(transform = transform), 1:5),
                 predict(fit(sigma = widths, transform = transform), 1:5))
  }
})

test_that("members of an average count by the rows left out times a half-Cauchy prior", {
  x <- sample_of(80)
  fit <- psd_density(x, transform = "none")
  table <- fit$tuning
  scaling <- fit$units$x
  z <- (x - scaling$center) / scaling$scale
  said <- vapply(table$lambda, function(lambda) {
    one <- psd_density(z, sigma = chosen_widths(z), lambda = lambda, standardize = FALSE)
    sum(predict(one, z, type = "log"))
  }, 0)
  left_out <- -80 * table$score
  # of log lambda, up to a constant
  prior <- dcauchy(table$lambda, 0, 0.2 / sqrt(80)) * pi * table$lambda + 0.05
  logs <- said + 1.2 * (left_out - said) + log(prior)
  weight <- exp(logs - max(logs))
  weight <- ifelse(weight < 0.01, 0, weight)
  expect_equal(table$weight, weight / sum(weight), tolerance = 1e-3)
  # the path ends where nothing has weight
  expect_lt(max(utils::tail(logs, 2)) - max(logs), log(0.01))
})

test_that("an average is the average of its parts, with the certificate of each", {
  x <- sample_of(80)
  fit <- psd_density(x, transform = "none")
  parts <- fit$average
  expect_equal(sum(parts$weight), 1)
  expect_true(all(parts$gap <= 1e-6 * pmax(1, abs(parts$objective))))
  expect_identical(fit$gap, max(parts$gap))
  at <- seq(-2, 4, length.out = 7)
  widths <- chosen_widths((x - fit$units$x$center) / fit$units$x$scale)
  single <- vapply(parts$lambda, function(lambda) {
    predict(psd_density(x, sigma = widths, lambda = lambda), at)
  }, at)
  expect_equal(predict(fit, at), drop(single %*% parts$weight), tolerance = 1e-3)
})

test_that("rounded and discrete data give no spikes, and copies count as weights", {
  set.seed(5)
  counts <- rpois(200, 4)
  expect_message(fit <- psd_density(counts), class = "psd_discrete")
  expect_lt(max(predict(fit, seq(0, 12, 0.01))), 0.5)
  expect_true(fit$converged)
  rounded <- round(rnorm(100) * 4) / 4
  expect_lt(max(predict(psd_density(rounded), seq(-3, 3, 0.01))), 0.7)
  table <- as.data.frame(table(counts), stringsAsFactors = FALSE)
  weighted <- suppressMessages(psd_density(as.numeric(table$counts), weights = table$Freq,
                                           sigma = 0.5, lambda = 0.01, standardize = FALSE))
  all <- suppressMessages(psd_density(counts, sigma = 0.5, lambda = 0.01, standardize = FALSE))
  expect_equal(predict(weighted, 0:9), predict(all, 0:9), tolerance = 1e-6)
})

test_that("without standardising default widths are in the units of the data", {
  x <- sample_of(60)
  small <- psd_density(x, standardize = FALSE, transform = "none")
  at <- seq(-2, 4, length.out = 7)
  for (unit in c(1e-6, 1e19)) {
    large <- psd_density(unit * x, standardize = FALSE, transform = "none")
    expect_equal(unit * predict(large, unit * at), predict(small, at), tolerance = 1e-5)
  }
  # Where one width is looked for: from there on, not from one.
  wide <- psd_density(1e8 * x, sigma = "search", lambda = 0.1, standardize = FALSE)
  expect_gt(wide$parameters$sigma, 1e7)
  expect_lt(nrow(wide$tuning), 20)
  # Weights that are so uneven that a kernel of width one at such distances took minutes.
  weighted <- psd_density(1e19 * x, weights = 10^seq(-12, 12, length.out = 60),
                          standardize = FALSE)
  expect_true(weighted$converged)
})

test_that("widths below the distance between numbers are an error that tells the smallest", {
  x <- 1e17 + 1e3 * (1:20)
  expect_error(psd_density(x, sigma = psd_widths(c(1e4, 1)), lambda = 1, standardize = FALSE),
               "not 1[.]", class = "psd_error")
  wide <- psd_density(x, sigma = psd_widths(c(1e4, 1e3)), lambda = 1, standardize = FALSE)
  expect_s3_class(wide, "psd_density")
})

test_that("folds without a variance borrow that of all rows", {
  x <- cbind(a = c(0.3, 1.4), b = c(2.3, 0.9))
  fit <- psd_density(x, tune = psd_tune(train = 0.5), lambda = c(0.1, 1),
                     constraints = psd_constraint("mean", 1, columns = 1))
  expect_equal(psd_moments(fit)$mean[["a"]], 1, tolerance = 1e-6)
  expect_true(all(is.finite(fit$tuning$score)))
  expect_identical(is_flat(cbind(1:3, 1, NA)), c(FALSE, TRUE, TRUE))
})

test_that("one width is one width, whoever says it: without a parametric part", {
  x <- faithful$eruptions[1:60]
  fits <- list(
    function(sigma) psd_density(x, sigma = sigma, lambda = 0.1),
    function(sigma) psd_intensity(x, 1, 6, sigma = sigma, lambda = 0.1, kernel = "abel"),
    function(sigma) psd_quantreg(dist ~ speed, cars, sigma = sigma, lambda = 0.1),
    function(sigma) psd_hetero(dist ~ speed, cars, sigma = sigma, lambda = 0.1)
  )
  for (fit in fits) {
    one <- fit(psd_widths(0.5))
    expect_identical(one$functions, fit(0.5)$functions)
    expect_true(all(psd_verify(one, if (one$problem == "density") x)$holds))
  }
})

test_that("data of a size that no kernel of this width can hold are refused", {
  set.seed(2)
  x <- 1e168 * rnorm(20)
  for (kernel in c("gaussian", "abel")) {
    expect_error(psd_density(x, sigma = 0.15, lower = min(x) - 1e168, kernel = kernel,
                             standardize = FALSE),
                 "`sigma` must be at least", class = "psd_input_error")
  }
})

test_that("print names the widest and the narrowest of several widths", {
  fit <- psd_density(faithful$eruptions[1:40], sigma = psd_widths(c(0.5, 2, 1)), lambda = 0.1)
  expect_output(print(fit), "3 widths from 2 to 0.5", fixed = TRUE)
})

test_that("models without several widths say so", {
  expect_error(psd_density(faithful$eruptions, sigma = psd_widths(c(1, 0.5)), lambda = 0.1,
                           model = "ncm"), "must be one width for `model = ncm`",
               class = "psd_input_error")
})
