# Rows left out one by one, without fitting again.

data <- local({
  set.seed(4)
  x <- sort(runif(60))
  data.frame(x, y = sin(2 * pi * x) + (0.2 + 0.4 * x) * rnorm(60))
})
tau <- c(0.2, 0.5, 0.8)

a_problem <- function(data, tau, weights = rep(1, nrow(data))) {
  model <- psdmodels:::check_settings("quantreg", "psd", "gaussian", TRUE, TRUE,
                                      psd_control())$model
  psdmodels:::quantreg_problem(matrix(scale(data$x)), data$y / 0.5, weights, tau, model,
                               "gaussian", TRUE)
}

solution_at <- function(problem, rows, sigma, lambda, blur = 0, tol = 1e-8) {
  control <- psd_control(tol = tol)
  if (blur > 0) control$blur <- blur
  prepared <- psdmodels:::prepare(problem, rows, c(linear = sigma, psd = 1.6 * sigma), control)
  psdmodels:::solve_at(prepared, c(linear = lambda, psd = lambda), 0.01)
}

test_that("what leaving out says is near what fits without a row say", {
  problem <- a_problem(data, tau)
  n <- nrow(data)
  for (lambda in c(0.1, 0.01, 0.001)) {
    exact <- vapply(seq_len(n), function(i) {
      psdmodels:::row_losses(problem, solution_at(problem, -i, 0.6, lambda), i)
    }, 0)
    whole <- solution_at(problem, seq_len(n), 0.6, lambda, blur = 1, tol = 1e-3)
    told <- problem$left_out(whole, problem$x, problem$y)
    fitted <- psdmodels:::row_losses(problem, whole)
    # What is lost by leaving out is found, with some caution, and where it is lost.
    share <- mean(told - fitted) / mean(exact - fitted)
    expect_gt(share, 0.8)
    expect_lt(share, 2)
    expect_gt(cor(told - fitted, exact - fitted), 0.5)
  }
})

test_that("changes of a linear function are those of the formula, by any factor", {
  problem <- a_problem(data, 0.5, weights = rep(1:2, 30))
  at <- function(n) {
    features <- psd_features(problem$x[seq_len(n), , drop = FALSE], 0.7)
    y <- problem$y[seq_len(n), ]
    weights <- problem$weights[seq_len(n)]
    found <- fit_psd(list(linear_block(features, 0.01)), pinballs(0.5), y, weights = weights,
                     blur = 0.7, control = psd_control(tol = 1e-9))
    list(values = features$values, y = y, weights = weights / sum(weights), found = found)
  }
  for (n in c(12, 60)) {
    case <- at(n)
    dual <- case$found$dual
    fitted <- -drop(crossprod(case$values, case$values %*% dual)) / 0.01
    blur <- 0.7 * sum(case$weights * abs(fitted - case$y))
    flat <- diag(1 / (case$weights * dlogis(fitted, case$y, blur)))
    whole <- flat + crossprod(case$values) / 0.01
    expected <- (1 / diag(solve(whole)) - diag(flat)) * dual
    expect_equal(drop(case$found$changes), expected, tolerance = 1e-5)
  }
})

test_that("changes of several outputs are those of the whole system, whatever its factor", {
  # Three levels with linear gaps: all of the Hessian is known, and two sizes choose two factors.
  set.seed(2)
  for (n in c(10, 80)) {
    x <- matrix(sort(rnorm(n)))
    y <- cbind(drop(sin(2 * x)) + rnorm(n))[, c(1, 1, 1)]
    mixing <- rbind(c(1, -1, 0), c(1, 0, 0), c(1, 0, 1))
    features <- psd_features(x, 1)
    blocks <- lapply(c(0.01, 0.02, 0.04), function(l) linear_block(features, l))
    found <- fit_psd(blocks, pinballs(tau), y, mixing, blur = 1, control = psd_control(tol = 1e-9))
    dual <- matrix(found$dual, 3)
    gram <- crossprod(features$values)
    hessian <- Reduce(`+`, Map(function(k, l) {
      kronecker(gram / l, tcrossprod(mixing[, k]))
    }, 1:3, c(0.01, 0.02, 0.04)))
    outputs <- matrix(-hessian %*% as.vector(dual), 3)
    error <- abs(outputs - t(y))
    curvature <- dlogis(error, 0, rowMeans(error)) / n
    inverse <- solve(diag(1 / as.vector(curvature)) + hessian)
    expected <- vapply(seq_len(n), function(i) {
      own <- 3 * (i - 1) + 1:3
      drop((solve(inverse[own, own]) - diag(1 / curvature[, i])) %*% dual[, i])
    }, numeric(3))
    expect_equal(found$changes, expected, tolerance = 1e-4)
  }
})

test_that("quantiles are tuned without folds unless these are asked for", {
  fit <- psd_quantreg(y ~ x, data)
  expect_identical(unique(lengths(fit$tuning$by_split)), 10L)
  set.seed(1)
  again <- psd_quantreg(y ~ x, data)
  expect_identical(again$tuning, fit$tuning)
  # What is shown as splits are groups of rows: their mean is the score.
  expect_equal(vapply(fit$tuning$by_split, mean, 0), fit$tuning$score, tolerance = 1e-12)
  folds <- psd_quantreg(y ~ x, data, sigma = 1, lambda = c(0.1, 0.01),
                        tune = psd_tune(folds = 4, repeats = 1))
  expect_identical(unique(lengths(folds$tuning$by_split)), 4L)
  # Much the same curves.
  expect_lt(mean(abs(fitted(fit) - fitted(psd_quantreg(y ~ x, data, tune = psd_tune(folds = 5))))),
            0.1)
})

test_that("rows of a density are left out by themselves only where an average is wanted", {
  x <- faithful$eruptions[1:40]
  expect_null(psd_density(x)$tuning$by_split)
  expect_type(psd_density(x, tune = psd_tune(rule = "min"))$tuning$by_split, "list")
  expect_type(psd_density(x, tune = psd_tune(folds = 3))$tuning$by_split, "list")
})
