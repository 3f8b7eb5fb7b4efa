test_that("the dual solution is the minimum a general optimiser finds in the primal", {
  set.seed(2)
  x <- matrix(runif(12))
  y <- sin(5 * x[, 1]) + rnorm(12) / 3
  weights <- runif(12)
  problem <- hetero_problem(x, y, weights, model_psd(), "gaussian", TRUE)
  prepared <- prepare(problem, 1:12, c(linear = 0.4, psd = 0.6), psd_control(tol = 1e-10))
  lambda <- c(linear = 0.02, psd = 0.05)
  solution <- solve_at(prepared, lambda, 0.1)

  v <- prepared$features$linear$values
  psi <- prepared$features$psd$values
  sizes <- c(nrow(v), nrow(psi))
  objective <- function(parameters) {
    w <- parameters[seq_len(sizes[1])]
    root <- matrix(parameters[-seq_len(sizes[1])], sizes[2])
    eta <- drop(w %*% v)
    theta <- colSums((t(root) %*% psi)^2)
    a <- tcrossprod(root)
    stats::weighted.mean(-dnorm(y, eta / theta, theta^-0.5, log = TRUE), weights) -
      log(2 * pi) / 2 + lambda[["linear"]] / 2 * sum(w^2) +
      lambda[["psd"]] * (sum(diag(a)) + 0.1 / 2 * sum(a^2))
  }
  start <- c(rep(0, sizes[1]), diag(sizes[2]))
  best <- stats::optim(start, objective, method = "BFGS",
                       control = list(maxit = 2000, reltol = 1e-13))
  expect_equal(solution$primal_value, best$value, tolerance = 1e-6)
})

test_that("the score is minus the normal log density, and infinite where theta is zero", {
  natural <- list(eta = c(1, -2, 0), theta = c(0.5, 4, 0))
  y <- c(0.3, 1, 2)
  expect_equal(gaussian_loss(natural, y),
               c(-dnorm(y[1:2], natural$eta[1:2] / natural$theta[1:2], natural$theta[1:2]^-0.5,
                        log = TRUE), Inf))
})

test_that("the score is of held-out rows, in standardised units", {
  data <- hetero_data(30)
  problem <- hetero_problem(as.matrix(data$x), data$y, rep(1, 30), model_psd(), "gaussian", FALSE)
  solution <- solve_at(prepare(problem, 1:20, c(linear = 0.7, psd = 0.7), psd_control()),
                       c(linear = 0.01, psd = 0.01), 0.01)
  fit <- psd_hetero(y ~ x, data, subset = 1:20, sigma = 0.7, lambda = 0.01, standardize = FALSE,
                    constant = FALSE)
  held <- data[21:30, ]
  at <- quietly(list(mean = predict(fit, held), sd = predict(fit, held, "sd")))
  expect_equal(row_losses(problem, solution, 21:30), psd_nlpd(held$y, at$mean, at$sd))
})

test_that("theta has a constant feature, or none if it is not wanted, and eta never", {
  x <- matrix(1:5 / 5)
  features <- function(constant) {
    problem <- hetero_problem(x, 1:5, rep(1, 5), model_psd(), "gaussian", constant)
    prepare(problem, 1:5, c(linear = 1, psd = 1), psd_control())$features
  }
  psd <- features(TRUE)$psd$values
  expect_equal(psd[nrow(psd), ], rep(1, 5))
  expect_true(all(is.finite(features(TRUE)$linear$anchors$width)))
  expect_true(all(is.finite(features(FALSE)$psd$anchors$width)))
})

test_that("far from the data is the line that lm() fits, with its variance, or a constant", {
  set.seed(4)
  x <- cbind(rnorm(40), rnorm(40))
  for (slopes in list(c(2, -1), c(0, 0))) {
    y <- 1 + drop(x %*% slopes) + rnorm(40) / 4
    expected <- if (any(slopes != 0)) lm(y ~ x) else lm(y ~ 1)
    far <- normal_line(x, y, rep(1, 40))
    variance <- summary(expected)$sigma^2
    expect_equal(far$intercept, c(coef(expected)[[1]], 1) / variance)
    expect_equal(far$slopes, cbind(c(unname(coef(expected)[-1]), 0, 0)[1:2] / variance, 0))
  }
})
