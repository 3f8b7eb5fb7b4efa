two_bumps <- function(n, seed = 1) {
  set.seed(seed)
  ifelse(runif(n) < 0.5, rnorm(n, -1, 0.3), rnorm(n, 1, 0.6))
}

unbinned <- psd_control(bin_from = Inf)

cells_of <- function(x, size, weights = rep(1, nrow(x)), y = NULL) {
  in_cells(list(x = x, y = y %||% matrix(0, nrow(x)), weights = weights,
                highest = rep(0, nrow(x)), share = 1,
                binning = if (is.null(y)) "points" else "moments"), size)
}

test_that("a cell is left as it is unless its rows are more than its nodes would be", {
  cases <- expand.grid(d = 1:2, binning = c("points", "moments"), more = 0:1,
                       stringsAsFactors = FALSE)
  set.seed(1)
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    nodes <- 2^case$d * if (case$binning == "moments") 2 else 1
    n <- nodes + case$more
    problem <- list(x = matrix(runif(case$d * n), n), y = matrix(rnorm(n)), weights = rep(1, n),
                    highest = rep(0, n), share = 1, binning = case$binning)
    out <- in_cells(problem, 1, least = Inf)
    if (case$more == 0) expect_identical(out, problem) else expect_lte(nrow(out$x), n)
  }
})

test_that("nodes have the moments of the rows of their cells, and lie between them", {
  set.seed(1)
  x <- matrix(runif(1200, 0, 4)^2, ncol = 2)
  x[, 2] <- x[, 2] + x[, 1] / 10
  weights <- runif(600)
  binned <- cells_of(x, 3, weights)
  expect_lt(nrow(binned$x), 200)
  cell <- function(x) paste(floor(x[, 1] / 3), floor(x[, 2] / 3))
  expect_setequal(cell(binned$x), cell(x))
  for (one in unique(cell(x))) {
    of <- cell(x) == one
    at <- cell(binned$x) == one
    # of few rows it may take all weight from a corner
    if (sum(of) > 20) {
      expect_equal(sum(binned$weights[at] * binned$x[at, 1] * binned$x[at, 2]),
                   sum(weights[of] * x[of, 1] * x[of, 2]))
    }
    for (column in 1:2) {
      for (power in 0:3) {
        expect_equal(sum(binned$weights[at] * binned$x[at, column]^power),
                     sum(weights[of] * x[of, column]^power))
      }
      inside <- range(x[of, column])
      expect_true(all(binned$x[at, column] >= inside[1] - 1e-12))
      expect_true(all(binned$x[at, column] <= inside[2] + 1e-12))
    }
  }
  expect_true(all(binned$weights > 0))
})

test_that("cells with few rows keep them, as does a sample with few rows a cell", {
  x <- matrix(c(0.1, 0.2, 5.3))
  kept <- cells_of(x, 1)
  expect_identical(kept$x, x)
  expect_null(kept$cells)
  many <- matrix(c(0.1, 0.2, 5.3, rep(9 + (1:9) / 10, 2)))
  some <- cells_of(many, 1)
  expect_identical(some$x[1:3, 1], many[1:3, 1])
  expect_equal(nrow(some$x), 5)
  expect_equal(some$share, c(1, 1, 1, 1 / 9, 1 / 9))
})

test_that("moments of a response, as lines in a cell, are those of its rows", {
  set.seed(2)
  x <- matrix(runif(500))
  y <- 3 * x + (1 + x) * rnorm(500)
  weights <- runif(500)
  binned <- cells_of(x, 0.25, weights, y)
  expect_equal(nrow(binned$x), 16)
  for (cell in 0:3) {
    of <- floor(x / 0.25) == cell
    at <- floor(binned$x / 0.25) == cell
    for (powers in list(c(0, 1), c(1, 1), c(0, 2), c(1, 2), c(3, 0))) {
      expect_equal(sum(binned$weights[at] * binned$x[at]^powers[1] * binned$y[at]^powers[2]),
                   sum(weights[of] * x[of]^powers[1] * y[of]^powers[2]))
    }
  }
  # no noise has no values of that mean square: such cells keep their rows
  exact <- cells_of(x, 0.25, weights, x^2)
  expect_null(exact$cells)
})

test_that("a binned density is the exact one", {
  x <- two_bumps(15000)
  expect_alike <- function(x, at, tolerance = 1e-5, ...) {
    exact <- psd_density(x, lambda = 1e-3, control = unbinned, ...)
    binned <- psd_density(x, lambda = 1e-3, ...)
    expect_null(exact$binning)
    expect_lt(binned$binning$rows, 2500)
    expect_lt(abs(binned$binning$error), 0.1 / 15000)
    at_exact <- predict(exact, at)
    expect_lt(max(abs(predict(binned, at) - at_exact)), 1e-3 * max(at_exact))
    expect_equal(mean(predict(binned, x, type = "log")), mean(predict(exact, x, type = "log")),
                 tolerance = tolerance)
    expect_equal(as.numeric(logLik(binned)), sum(predict(binned, x, type = "log")),
                 tolerance = 1e-9)
    binned
  }
  binned <- expect_alike(x, seq(-4, 5, 0.05), sigma = 0.3)
  expect_output(print(binned), "of the bins\nbinned to [0-9]+ rows, which changes")
  positive <- exp(x)
  expect_alike(positive, seq(0.01, 20, 0.05), sigma = 0.5, lower = 0)
  expect_alike(positive, seq(0.01, 20, 0.05), sigma = 0.3, lower = 0, transform = "log")
  set.seed(3)
  plane <- unname(cbind(x, 0.5 * x + rnorm(15000)))
  # the order of the rows, by which landmarks are chosen, changes this fit as much
  expect_alike(plane, plane[1:1000, ], 2e-4, sigma = 1.5)
})

test_that("weights are binned with their rows", {
  x <- two_bumps(10000)
  weights <- rep(1:2, 5000)
  binned <- psd_density(x, sigma = 0.3, lambda = 1e-3, weights = weights)
  twice <- psd_density(c(x, x[weights == 2]), sigma = 0.3, lambda = 1e-3)
  at <- seq(-3, 4, 0.1)
  expect_equal(binned$binning$rows, twice$binning$rows)
  expect_equal(predict(binned, at), predict(twice, at), tolerance = 1e-5)
})

test_that("of copies of a row one is left out, as of rows beside each other", {
  set.seed(7)
  x <- matrix(rnorm(40))
  measure <- list(lower = -Inf, upper = Inf, mean = 0, sd = Inf)
  left_out <- function(x, weights, share) {
    problem <- density_problem(x, weights, measure, model_psd(), "gaussian")
    problem$share <- share
    control <- psd_control(tol = 1e-10)
    control$leverages <- TRUE
    left_out_losses(problem, solve_at(prepare(problem, rows_of(problem), 0.5, control), 0.01, 0.01))
  }
  copies <- rep(c(2, 5), 20)
  apart <- left_out(x[rep(1:40, copies), , drop = FALSE], rep(1, sum(copies)), 1)
  together <- left_out(x, copies, 1 / copies)
  expect_equal(apart, rep(together, copies), tolerance = 1e-5)
})

test_that("rows of bins are left out one by one", {
  x <- two_bumps(1500)
  fit <- function(bin_from) {
    psd_density(x, sigma = psd_widths(c(2, 0.5)),
                control = psd_control(bin_from = bin_from, rank_tol = 1e-8))
  }
  exact <- fit(Inf)
  binned <- fit(500)
  expect_lt(binned$binning$rows, 150)
  # landmarks are others, which changes the penalty a little
  path <- seq_len(min(nrow(exact$tuning), nrow(binned$tuning)))
  expect_equal(binned$tuning$score[path], exact$tuning$score[path], tolerance = 2e-3)
  expect_equal(binned$tuning$se[path], exact$tuning$se[path], tolerance = 0.02)
  at <- seq(-3, 4, 0.1)
  expect_lt(max(abs(predict(binned, at) - predict(exact, at))), 0.01)
})

test_that("mean and variance from bins are the exact ones", {
  set.seed(4)
  data <- data.frame(x = runif(12000, 0, 3))
  data$y <- sin(2 * data$x) + (0.2 + 0.2 * data$x) * rnorm(12000)
  exact <- psd_hetero(y ~ x, data, sigma = 0.3, lambda = 1e-3, control = unbinned)
  binned <- psd_hetero(y ~ x, data, sigma = 0.3, lambda = 1e-3)
  expect_lt(binned$binning$rows, 500)
  at <- data.frame(x = seq(0.01, 2.99, 0.01))
  expect_lt(max(abs(predict(binned, at) - predict(exact, at))), 2e-3)
  expect_lt(max(abs(predict(binned, at, type = "sd") - predict(exact, at, type = "sd"))), 2e-3)
  expect_equal(as.numeric(logLik(binned)), as.numeric(logLik(exact)), tolerance = 1e-5)
  expect_length(fitted(binned), 12000)
  expect_length(residuals(binned), 12000)
  checks <- psd_verify(binned)
  expect_true(all(checks$holds))
})

test_that("intensities are binned; bins are verified", {
  x <- two_bumps(10000)
  x <- x[abs(x) < 3]
  x <- c(x, x[seq_len(10000 - length(x))] + 1e-3)
  window <- list(lower = -3.5, upper = 3.5, sigma = 0.5, lambda = 1e-3)
  binned <- do.call(psd_intensity, c(list(x), window))
  exact <- do.call(psd_intensity, c(list(x), window, list(control = unbinned)))
  expect_lt(binned$binning$rows, 300)
  at <- seq(-3, 3, 0.1)
  expect_equal(predict(binned, at), predict(exact, at), tolerance = 1e-3)
  expect_equal(nrow(augment(binned)), 10000)
  expect_true(all(psd_verify(binned)$holds))
  density <- psd_density(x, sigma = 0.5, lambda = 0.01)
  expect_true(all(psd_verify(density, x)$holds))
})

test_that("cells get smaller until they do not matter", {
  set.seed(5)
  x <- c(rnorm(6000, 0, 0.02), rnorm(6000))
  binned <- psd_density(x, sigma = 2, lambda = 1e-6, standardize = FALSE)
  expect_lt(binned$binning$size, 0.5 * 2 / 3)
  expect_lt(abs(binned$binning$error), 0.3 / 12000)
})

test_that("large samples are tuned on some of their rows, without random numbers", {
  set.seed(6)
  x <- matrix(rnorm(400), ncol = 2)
  problem <- hetero_problem(x, x[, 1] + rnorm(200), 1 + runif(200), model_psd(), "gaussian", TRUE)
  seed <- .Random.seed
  some <- tuning_sample(problem, psd_tune(), 50)
  expect_identical(.Random.seed, seed)
  expect_equal(dim(some$x), c(50, 2))
  rows <- match(some$x[, 1], x[, 1])
  expect_identical(some$x, x[rows, ])
  expect_identical(some$y, problem$y[rows, , drop = FALSE])
  expect_identical(some$weights, problem$weights[rows])
  expect_lt(max(abs(rank(x[, 1])[sort(rows)] |> sort() - seq(1, 200, length.out = 50))), 1)
  expect_identical(nrow(tuning_sample(problem, psd_tune(folds = rep(1:2, 100)), 50)$x), 200L)
})

test_that("quantiles of many rows are the exact ones", {
  set.seed(8)
  data <- data.frame(x = runif(10000, 0, 3))
  data$y <- sin(2 * data$x) + (0.2 + 0.2 * data$x) * rexp(10000)
  fit <- function(...) psd_quantreg(y ~ x, data, c(0.1, 0.5, 0.8), sigma = 0.5, lambda = 1e-3, ...)
  exact <- fit(control = unbinned)
  binned <- fit()
  expect_lt(binned$binning$rows, 4500)
  expect_lt(abs(binned$binning$error), 0.1 / 10000)
  expect_equal(binned$objective, exact$objective, tolerance = 1e-5)
  expect_lt(max(abs(fitted(binned) - fitted(exact))), 2e-3)
  expect_true(all(psd_verify(binned)$holds))
})

test_that("strata grow with the distance to the next quantile", {
  quantiles <- matrix(c(0, 1), 6, 2, byrow = TRUE)
  y <- c(0.01, -0.01, 0.15, 0.3, 0.85, 1.3)
  strata <- distance_strata(y, quantiles, list(near = 0.1, keep = FALSE))
  expect_equal(strata, c(300, 200, 301, 302, 401, 502))
  kept <- distance_strata(y, quantiles, list(near = 0.1, keep = TRUE))
  expect_identical(is.na(kept), c(TRUE, TRUE, FALSE, FALSE, FALSE, FALSE))
})

test_that("slopes in a cell of two coordinates solve the normal equations", {
  moments <- list(weight = c(1, 2), coupling = list(covariance = c(0.3, -0.2)),
                  rules = list(list(variance = c(2, 0.5)), list(variance = c(0.7, 3))))
  with_t <- cbind(c(1, 2), c(-0.5, 4))
  for (cell in 1:2) {
    cross <- moments$coupling$covariance[cell]
    square <- matrix(c(moments$rules[[1]]$variance[cell], cross, cross,
                       moments$rules[[2]]$variance[cell]), 2)
    expect_equal(slopes_of(moments, with_t)[cell, ], solve(square, with_t[cell, ]))
  }
})

test_that("the error of bins is told by some of the rows where there are very many", {
  x <- two_bumps(6000)
  line <- list(lower = -Inf, upper = Inf, mean = 0, sd = Inf)
  all <- density_problem(matrix(x), rep(1, 6000), line, model_psd(), "gaussian")
  coarse <- in_cells(all, 1.5)
  prepared <- prepare(coarse, rows_of(coarse), 0.3, psd_control())
  solution <- solve_at(prepared, 1e-3, 0.01)
  error <- binning_error(all, coarse, solution)
  expect_equal(error, mean_loss(all, solution) - mean_loss(coarse, solution))
  expect_gt(abs(error), 1e-3)
  expect_equal(binning_error(all, coarse, solution, most = 3000), error, tolerance = 0.3)
})
