find_normals <- psdmodels:::find_normals
one_round <- function(x, weights, start, least = rep(0, ncol(x)), round = FALSE) {
  psdmodels:::cpp_normals(x, weights, start, least, round, 1, 0)
}

# Two clouds with known centres, the second one narrow.
two_clouds <- function(n = 300, d = 2, seed = 1) {
  set.seed(seed)
  second <- runif(n) < 0.4
  x <- matrix(rnorm(n * d), n)
  x[second, ] <- 4 + 0.2 * x[second, ]
  x
}

test_that("one round is that of the EM algorithm", {
  x <- two_clouds(40)
  weights <- seq(0.5, 1.5, length.out = 40)
  start <- list(mean = rbind(c(0, 1), c(3, 3)), sd = rbind(c(1, 2), c(0.5, 1)), share = c(0.7, 0.3))
  density <- vapply(1:2, function(j) {
    start$share[j] * dnorm(x[, 1], start$mean[j, 1], start$sd[j, 1]) *
      dnorm(x[, 2], start$mean[j, 2], start$sd[j, 2])
  }, numeric(40))
  belongs <- weights * density / rowSums(density)
  found <- one_round(x, weights, start)
  expect_equal(found$log_likelihood, sum(weights * log(rowSums(density))))
  expect_equal(found$count, colSums(belongs))
  expect_equal(found$share, colSums(belongs) / sum(weights))
  for (j in 1:2) {
    own <- cov.wt(x, belongs[, j] / sum(belongs[, j]), method = "ML")
    expect_equal(found$mean[j, ], own$center)
    expect_equal(found$sd[j, ], sqrt(diag(own$cov)))
    round <- one_round(x, weights, start, round = TRUE)
    expect_equal(round$sd[j, ], rep(sqrt(mean(diag(own$cov))), 2))
    bounded <- one_round(x, weights, start, least = c(0, 0.7))
    expect_equal(bounded$sd[j, ], pmax(sqrt(diag(own$cov)), c(0, 0.7)))
  }
})

test_that("rounds make a mixture more likely, until they gain no more", {
  x <- two_clouds(100)
  weights <- rep(1, 100)
  start <- list(mean = rbind(c(-1, 0), c(1, 1)), sd = matrix(2, 2, 2), share = c(0.5, 0.5))
  after <- function(rounds, gain = 0) {
    psdmodels:::cpp_normals(x, weights, start, c(0, 0), FALSE, rounds, gain)$log_likelihood
  }
  expect_true(all(diff(vapply(1:4, after, 0)) > 0))
  expect_identical(after(1000, 1e3), after(2))
  expect_equal(after(1000), after(2000), tolerance = 1e-12)
})

test_that("as many normals are found as there are", {
  found <- find_normals(two_clouds(), rep(1, 300))
  order <- order(found$sd[, 1])
  expect_equal(found$mean[order, ], rbind(c(4, 4), c(0, 0)), tolerance = 0.1)
  expect_equal(found$sd[order, ], matrix(c(0.2, 1), 2, 2), tolerance = 0.15)
  expect_equal(found$share[order], c(0.4, 0.6), tolerance = 0.1)
  set.seed(2)
  for (d in 1:3) expect_length(find_normals(matrix(rnorm(200 * d), 200), rep(1, 200))$share, 1)
  expect_length(find_normals(two_clouds(), rep(1, 300), count = 3)$share, 3)
  # No normal stands for fewer rows than it has numbers.
  expect_length(find_normals(two_clouds(20), rep(1, 20), count = 8)$share, 2)
})

test_that("a mixture tells by how much it is likelier, and what it has cost", {
  x <- two_clouds(d = 1)
  found <- find_normals(x, rep(1, 300))
  density <- vapply(1:2, function(j) found$share[j] * dnorm(x, found$mean[j], found$sd[j]), x[, 1])
  log_likelihood <- sum(log(rowSums(density)))
  single <- sum(dnorm(x, mean(x), sqrt(mean((x - mean(x))^2)), log = TRUE))
  expect_equal(found$mean_log, (log_likelihood - 1.5 * 3) / 300, tolerance = 1e-4)
  expect_equal(found$gain, log_likelihood - single - 10, tolerance = 1e-3)
  # Of several variables it costs half the log of the number of rows a number.
  x <- two_clouds()
  found <- find_normals(x, rep(1, 300))
  density <- vapply(1:2, function(j) {
    found$share[j] * apply(dnorm(t(x), found$mean[j, ], found$sd[j, ]), 2, prod)
  }, x[, 1])
  single <- sum(dnorm(t(x), colMeans(x), apply(x, 2, function(v) sqrt(mean((v - mean(v))^2))),
                      log = TRUE))
  expect_equal(found$gain, sum(log(rowSums(density))) - single - 5 * log(300) / 2,
               tolerance = 1e-3)
})

test_that("a mixture follows the units of the data, and not the order of the rows", {
  x <- two_clouds()
  found <- find_normals(x, rep(1, 300))
  set.seed(3)
  shuffled <- find_normals(x[sample(300), ], rep(1, 300))
  expect_equal(shuffled[c("mean", "sd", "share")], found[c("mean", "sd", "share")],
               tolerance = 1e-6)
  moved <- find_normals(sweep(1e3 * x, 2, c(5, -7), "+"), rep(1, 300))
  expect_equal(moved$mean, sweep(1e3 * found$mean, 2, c(5, -7), "+"), tolerance = 1e-6)
  expect_equal(moved$sd, 1e3 * found$sd, tolerance = 1e-6)
  expect_equal(moved$gain, found$gain, tolerance = 1e-6)
  # Copies of rows are weights.
  twice <- find_normals(x[c(1:300, 1:100), ], rep(1, 400))
  weighted <- find_normals(x, rep(2:1, c(100, 200)), n = 400)
  expect_equal(weighted[c("mean", "sd", "gain")], twice[c("mean", "sd", "gain")], tolerance = 1e-6)
})

test_that("large samples are searched by a part of their rows", {
  x <- two_clouds(1e4)
  sample <- psdmodels:::mixture_sample(x, rep(1, 1e4), 1e4)
  expect_identical(dim(sample$x), c(2000L, 2L))
  expect_equal(sum(sample$weights), 2000)
  expect_false(is.unsorted(sample$x[, 1]))
})

test_that("sections are the roots of the normals, of one size unless they are very narrow", {
  normals <- list(mean = rbind(c(0, 0), c(4, 4)), sd = matrix(c(1, 0.2), 2, 2),
                  share = c(0.6, 0.4))
  x <- two_clouds()
  sections <- psdmodels:::normal_sections(normals, x, rep(1, 300), FALSE)
  expect_equal(sections$width / sqrt(2), normals$sd, tolerance = 0.15)
  mass <- sections$size^2 * apply(sections$width, 1, prod)
  whole <- sqrt(prod(colMeans(sweep(x, 2, colMeans(x))^2)))
  expect_equal(mass, rep(4^2 * 2 * whole, 2))
  x <- two_clouds(d = 3)
  x[x[, 1] > 3, ] <- 4 + (x[x[, 1] > 3, ] - 4) / 50
  narrow <- list(mean = rbind(rep(0, 3), rep(4, 3)), sd = matrix(c(1, 0.004), 2, 3),
                 share = c(0.6, 0.4))
  sections <- psdmodels:::normal_sections(narrow, x, rep(1, 300), FALSE)
  expect_equal(sections$size[2], 4 * psdmodels:::largest_ratio)
  mass <- sections$size^2 * apply(sections$width, 1, prod)
  expect_lt(mass[2], mass[1])
})

test_that("where the penalty is large the density is the mixture", {
  x <- two_clouds(d = 1)
  fit <- psd_density(x[, 1], sigma = 0.5, lambda = 3, parametric = 2)
  found <- find_normals(x, rep(1, 300))
  at <- seq(-3, 5, length.out = 50)
  mixture <- rowSums(vapply(1:2, function(j) found$share[j] * dnorm(at, found$mean[j], found$sd[j]),
                            at))
  expect_equal(predict(fit, at), mixture, tolerance = 0.02)
  single <- update(fit, parametric = TRUE)
  expect_gt(mean(abs(predict(single, at) - mixture)), 0.05)
  expect_true(all(psd_verify(fit, x)$holds))
})

test_that("clouds get a mixture, curves a single normal", {
  clouds <- psd_density(two_clouds(150))
  expect_identical(clouds$parameters$parametric, 2L)
  expect_output(print(clouds), "parametric part: a mixture of 2 normal densities")
  set.seed(4)
  turn <- runif(150, 0, 2 * pi)
  ring <- psd_density(cbind(cos(turn), sin(turn)) + rnorm(300, sd = 0.1))
  expect_true(ring$parameters$parametric)
  expect_no_match(capture.output(print(ring)), "parametric")
})

test_that("a single variable has a mixture where rows left out are more likely, less its price", {
  x <- two_clouds(d = 1)
  molded <- list(placed = x, weights = rep(1, 300))
  measure <- list(lower = -Inf, upper = Inf)
  choose <- function(none, mixture, mixtures = TRUE, bounds = measure) {
    fit <- function(name, parts = NULL) {
      list(left_out = (if (is.null(parts)) none else mixture) / 300, parts = parts,
           converged = TRUE)
    }
    psdmodels:::fit_best(fit, molded, bounds, mixtures)$parts
  }
  expect_identical(choose(0, 3.1), 2L)
  expect_null(choose(0, 2.9))
  expect_null(choose(0, 100, mixtures = FALSE))
  expect_null(choose(0, 100, bounds = list(lower = -10, upper = Inf)))
  fit <- psd_density(x[, 1])
  expect_identical(fit$parameters$parametric, 2L)
  expect_true(psd_density(x[, 1], parametric = TRUE)$parameters$parametric)
})

test_that("weights of very uneven size are not taken for normals", {
  set.seed(7)
  x <- rnorm(100)
  weights <- 10^runif(100, -12, 0)
  expect_true(psd_density(x, weights = weights)$parameters$parametric)
  expect_true(psd_density(cbind(x, rnorm(100)), weights = weights)$parameters$parametric)
  expect_equal(psdmodels:::effective_rows(rep(3, 40)), 40)
  expect_equal(psdmodels:::effective_rows(c(1, 1, 1e-9)), 2)
})

test_that("only what is taken warns, and what has no solution is not taken if another has", {
  set.seed(1)
  x <- c(rnorm(100), 1e12 * (1:10))
  expect_warning(psd_density(x, parametric = 2, transform = "none"), class = "psd_not_converged")
  expect_no_warning(fit <- psd_density(x), class = "psd_not_converged")
  expect_true(fit$converged)
})

test_that("where rows are not left out one by one nothing but the plain scale is tried", {
  molded <- list(placed = two_clouds(d = 1), weights = rep(1, 300))
  tried <- character()
  fit <- function(name, parts = NULL) {
    tried <<- c(tried, name)
    list(name = name)
  }
  open <- list(lower = -Inf, upper = Inf)
  expect_identical(psdmodels:::fit_best(fit, molded, open, TRUE)$name, "none")
  expect_identical(tried, "none")
  folds <- psd_density(molded$placed[, 1], tune = psd_tune(folds = 2, rule = "min"))
  expect_true(folds$parameters$parametric)
})

test_that("heavy tails are not taken for mixtures", {
  count <- function(x) psdmodels:::likely_count(matrix(x), rep(1, length(x)))
  set.seed(5)
  for (k in 1:5) expect_equal(count(rcauchy(200)), 1)
  expect_equal(count(two_clouds(d = 1)), 2)
  expect_equal(count(rep(1, 20)), 1)
})

test_that("refits have as many normals", {
  x <- two_clouds(60)
  fit <- psd_density(x, sigma = 1, lambda = 0.1, parametric = 2)
  set.seed(6)
  expect_s3_class(psd_boot(fit, 2, data = x), "psd_boot")
  expect_equal(update(fit)$functions, fit$functions)
  score <- psd_cv(fit)
  expect_lt(score$score, psd_cv(update(fit, parametric = TRUE))$score)
})

test_that("mixtures that make no sense are refused", {
  x <- two_clouds(40)
  expect_error(psd_density(x, parametric = 1.5), "whole number", class = "psd_input_error")
  expect_error(psd_density(x, parametric = 0), "at least 1", class = "psd_input_error")
  expect_error(psd_density(x, parametric = "two"), "TRUE", class = "psd_input_error")
  expect_error(psd_density(x, parametric = 2, lower = -10), "`parametric`.*`lower`",
               class = "psd_input_error")
  expect_error(psd_density(x, parametric = 2, base = psd_gaussian(0, 5)), "`base`",
               class = "psd_input_error")
  expect_error(psd_density(x, parametric = 2, model = "ncm"), class = "psd_input_error")
  # The error is that of the user's call, whatever was tried inside.
  for (data in list(x, x[, 1])) {
    error <- expect_error(psd_density(data, parametric = "two"), class = "psd_input_error")
    expect_identical(error$call[[1]], quote(psd_density))
  }
})

test_that("members of an average that say the same become one, that of the wider kernel", {
  losses <- cbind(0, 0.04, 0.2, 0.22)
  apart <- function(i, j) abs(losses[i] - losses[j])
  merged <- function(...) psdmodels:::without_doubles(..., apart = apart)
  expect_equal(merged(c(0.4, 0.3, 0.2, 0.1), width = 4:1), c(0.7, 0, 0.3, 0))
  expect_equal(merged(c(0.4, 0.3, 0.2, 0.1), width = 1:4), c(0, 0.7, 0, 0.3))
  expect_equal(merged(c(0.5, 0, 0.5, 0), width = 4:1), c(0.5, 0, 0.5, 0))
})
