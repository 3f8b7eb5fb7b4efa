# The shape of the kernel in regressions: one relative width per predictor.

# y depends on a, its spread on b, nothing on c.
relevance_sample <- function(n, seed = 1) {
  set.seed(seed)
  x <- matrix(runif(3 * n), n, dimnames = list(NULL, c("a", "b", "c")))
  data.frame(x, y = sin(2 * pi * x[, "a"]) + (0.1 + 0.8 * x[, "b"]) * rnorm(n))
}

pilot_of <- function(n, groups = 1:3) {
  data <- relevance_sample(n)
  pilot <- pilot_sample(scale(as.matrix(data[1:3])), as.matrix(data$y),
                        rep(c(1, 2), length.out = n), groups)
  pilot$targets[[2]] <- as.vector(scale(data$b^2 + 0.1 * cos(9 * seq_len(n))))
  pilot
}

# Minus the log likelihood once more, entry by entry, with the scale found numerically.
plain_likelihood <- function(theta, pilot) {
  groups <- max(pilot$groups)
  relevance <- exp(theta[pilot$groups])
  n <- nrow(pilot$x)
  total <- 0
  for (k in 1:2) {
    gain <- c(1, exp(theta[groups + 1]))[k]
    ratio <- exp(theta[groups + 1 + k])
    covariance <- matrix(0, n, n)
    for (i in seq_len(n)) for (j in seq_len(n)) {
      square <- sum(relevance * (pilot$x[i, ] - pilot$x[j, ])^2)
      covariance[i, j] <- ratio * exp(-gain * square / 2) + 100 + (i == j) / pilot$weights[i]
    }
    y <- pilot$targets[[k]]
    at_scale <- function(log_v) {
      as.numeric(determinant(exp(log_v) * covariance)$modulus) / 2 +
        sum(y * solve(covariance, y)) / exp(log_v) / 2
    }
    total <- total + stats::optimize(at_scale, c(-20, 20), tol = 1e-10)$objective - n / 2
  }
  logs <- theta[seq_len(groups)]
  total + sum((logs - mean(logs))^2) / 8
}

test_that("the likelihood is that of Gaussian processes, and its gradient the slope", {
  for (groups in list(1:3, c(1, 2, 2))) {
    pilot <- pilot_of(25, groups)
    theta <- c(-0.5, 0.7, -1.5)[seq_len(max(groups))]
    theta <- c(theta, 0.3, 1, -0.4)
    found <- minus_log_likelihood(theta, pilot)
    expect_equal(found$value, plain_likelihood(theta, pilot), tolerance = 1e-8)
    slopes <- vapply(seq_along(theta), function(i) {
      step <- replace(0 * theta, i, 1e-4)
      (plain_likelihood(theta + step, pilot) - plain_likelihood(theta - step, pilot)) / 2e-4
    }, 0)
    expect_equal(found$gradient, slopes, tolerance = 1e-5)
  }
})

test_that("the maximum is that which optim() finds without derivatives", {
  pilot <- pilot_of(25)
  found <- likely_relevance(pilot)
  plain <- stats::optim(found$theta + 0.2, plain_likelihood, pilot = pilot, method = "BFGS",
                        control = list(reltol = 1e-9))
  expect_lt(abs(minus_log_likelihood(found$theta, pilot)$value - plain$value), 1e-4)
  expect_equal(found$theta, plain$par, tolerance = 0.02)
  expect_equal(found$relevance, exp(found$theta[1:3]))
})

test_that("errors of rows left out are those of fits without them", {
  pilot <- pilot_of(20)
  pilot$targets <- pilot$targets[1]
  found <- likely_relevance(pilot)
  ratio <- exp(found$theta[4])
  z <- sweep(pilot$x, 2, sqrt(found$relevance), "*")
  covariance <- ratio * exp(-as.matrix(stats::dist(z))^2 / 2) + 100
  y <- pilot$targets[[1]]
  errors <- vapply(1:20, function(i) {
    noise <- diag(1 / pilot$weights[-i])
    y[i] - drop(covariance[i, -i] %*% solve(covariance[-i, -i] + noise, y[-i]))
  }, 0)
  expect_equal(left_out_errors(found, pilot), errors)
})

test_that("what matters neither to the mean nor to the variance has a wide kernel", {
  data <- relevance_sample(200)
  x <- scale(as.matrix(data[1:3]))
  mean_only <- relative_widths(x, data$y, rep(1, 200), NULL, FALSE)
  both <- relative_widths(x, data$y, rep(1, 200), NULL, TRUE)
  expect_equal(mean(mean_only^-2), 1)
  expect_gt(min(mean_only[2:3]), 3 * mean_only[1])
  expect_gt(both[3], 1.5 * both[2])
  expect_lt(both[2] / both[1], 0.7 * mean_only[2] / mean_only[1])
  expect_lte(max(both) / min(both), widest_ratio * (1 + 1e-12))
})

test_that("a response without signal leaves the kernel about round", {
  set.seed(3)
  widths <- relative_widths(matrix(rnorm(400), 100), rnorm(100), rep(1, 100), NULL, TRUE)
  expect_lt(max(widths) / min(widths), 4)
})

test_that("relative widths do not depend on units, nor on outliers of the response", {
  data <- relevance_sample(80)
  x <- as.matrix(data[1:3])
  widths <- relative_widths(x, data$y, rep(1, 80), NULL, TRUE)
  factors <- c(10, 0.1, 3)
  moved <- relative_widths(sweep(x, 2, factors, "*") + 5, 7 - 2 * data$y, rep(1, 80), NULL, TRUE)
  expect_equal(moved / factors / sum(moved / factors), widths / sum(widths), tolerance = 1e-3)
  far <- replace(data$y, which.max(data$y), 1e6)
  expect_equal(relative_widths(x, far, rep(1, 80), NULL, TRUE), widths, tolerance = 0.2)
})

test_that("the fit does not depend on the units of the predictors", {
  data <- relevance_sample(60)
  other <- transform(data, a = 100 * a - 3, b = b / 50)
  fit <- function(data) psd_hetero(y ~ a + b + c, data, lambda = 0.01)
  expect_equal(predict(fit(data), data[1:9, ]), predict(fit(other), other[1:9, ]),
               tolerance = 1e-3)
})

test_that("few rows or a constant response leave the kernel round", {
  expect_null(relative_widths(matrix(1:18 + 0, 9), 1:9, rep(1, 9), NULL, TRUE))
  expect_null(relative_widths(matrix(cos(1:40), 20), rep(2, 20), rep(1, 20), NULL, TRUE))
})

test_that("by default columns have widths of their own where that is clearly more likely", {
  set.seed(4)
  x <- matrix(runif(200), 100, dimnames = list(NULL, c("a", "b")))
  alike <- data.frame(x, y = sin(4 * x[, 1]) + sin(4 * x[, 2]) + 0.3 * rnorm(100))
  shape <- function(...) psd_hetero(y ~ a + b, ..., lambda = 0.01)$parameters$shape
  expect_equal(shape(alike), "round")
  expect_equal(shape(alike, shape = "axes"), "axes")
  expect_equal(shape(transform(alike, y = y - sin(4 * b))), "axes")
  # the gain that decides, from the likelihoods as above
  pilot <- pilot_of(25)
  one <- utils::modifyList(pilot, list(groups = rep(1, 3)))
  values <- vapply(list(one, pilot), function(p) plain_likelihood(likely_relevance(p)$theta, p), 0)
  expect_equal(likely_relevance(one)$value - likely_relevance(pilot)$value, -diff(values),
               tolerance = 1e-6)
})

test_that("the columns of a factor have one width", {
  data <- relevance_sample(60)
  data$f <- factor(rep(letters[1:4], 15))
  molded <- mold(y ~ f * a + b + poly(c, 2), data)
  expect_equal(molded$recipe$columns[molded$groups == 1], c("fb", "fc", "fd"))
  expect_equal(molded$recipe$columns[molded$groups == max(molded$groups)],
               c("fb:a", "fc:a", "fd:a"))
  expect_length(unique(molded$groups), 6)
  expect_equal(mold(y ~ a + b, data)$groups, 1:2)
  fit <- psd_hetero(y ~ a + f, data, sigma = 1, lambda = 0.1, shape = "axes")
  round <- update(fit, shape = "round")
  stretch <- fit$units$x$scale / round$units$x$scale
  expect_equal(stretch[2:4], rep(stretch[2], 3))
  expect_gt(stretch[2], 2 * stretch[1])
})

test_that("only a width that is left to be chosen has a shape of its own", {
  data <- relevance_sample(40)
  given <- psd_quantreg(y ~ a + b, data, sigma = 1, lambda = 0.1)
  expect_equal(given$parameters$shape, "round")
  expect_equal(given$units, update(given, shape = "round")$units)
  chosen <- psd_regression(y + 3 ~ a + b, data, lambda = 0.01)
  expect_equal(chosen$parameters$shape, "axes")
  expect_false(isTRUE(all.equal(chosen$units$x, given$units$x)))
  expect_equal(psd_regression(y + 3 ~ a, data, lambda = 0.01)$parameters$shape, "round")
  plain <- psd_hetero(y ~ a + b, data, lambda = 0.01, standardize = FALSE)
  expect_equal(plain$units$x$scale, c(1, 1))
})

test_that("relative widths can be given", {
  data <- relevance_sample(40)
  widths <- c(0.5, 2, 4)
  by_hand <- data
  by_hand[1:3] <- sweep(as.matrix(data[1:3]), 2, widths, "/")
  fit <- psd_hetero(y ~ a + b + c, data, sigma = 1, lambda = 0.01, standardize = FALSE,
                    shape = widths)
  same <- psd_hetero(y ~ a + b + c, by_hand, sigma = 1, lambda = 0.01, standardize = FALSE)
  expect_equal(fit$objective, same$objective)
  expect_equal(predict(fit, data), predict(same, by_hand))
  named <- update(fit, shape = c(c = 4, a = 0.5, b = 2))
  expect_equal(named$objective, fit$objective)
  expect_equal(update(fit, shape = c(b = 3))$units$x$scale, c(1, 3, 1))
  set.seed(1)
  score <- psd_cv(fit)$score
  set.seed(1)
  expect_equal(psd_cv(same)$score, score)
  expect_true(all(psd_verify(fit)$ok))
})

test_that("psd_cv() scores the shape that was found", {
  data <- relevance_sample(50)
  fit <- psd_regression(y + 3 ~ a + b + c, data, lambda = 0.01)
  expect_equal(psd_cv(fit)$score, min(fit$tuning$score), tolerance = 1e-6)
})

test_that("a shape that does not suit is refused", {
  data <- relevance_sample(20)
  fit <- function(shape) psd_hetero(y ~ a + b, data, sigma = 1, lambda = 0.1, shape = shape)
  expect_error(fit("full"), "shape")
  expect_error(fit(c(1, 0)), "shape")
  expect_error(fit(1:3), "shape")
  expect_error(fit(c(z = 1)), "shape")
  expect_error(fit(TRUE), "shape")
})

test_that("with hardly any noise the signal is as many times larger as the likelihood says", {
  set.seed(3)
  x <- matrix(runif(40, -2, 2))
  y <- sin(2 * x[, 1]) + 0.02 * rnorm(40)
  pilot <- list(x = x, weights = rep(1, 40), groups = 1, targets = list(y))
  found <- likely_relevance(pilot)
  ratio <- found$theta[2]
  expect_gt(ratio, 6.5)
  # No bound, but the likelihood, keeps it there.
  for (step in c(-0.5, 0.5)) {
    expect_gt(minus_log_likelihood(c(found$theta[1], ratio + step), pilot)$value, found$value)
  }
})

test_that("widths relative to a column of tiny numbers are numbers, or refused", {
  data <- relevance_sample(40)
  small <- function(size, ...) {
    psd_regression(y + 3 ~ a + b, transform(data, b = size * b), sigma = 1, lambda = 0.01,
                   shape = "axes", standardize = FALSE, ...)
  }
  expect_error(small(1e-310), "`shape` must be", class = "psd_input_error")
  scale <- small(1e-200)$units$x$scale
  expect_equal(sum(scale^-2), 2)
  expect_gt(scale[1], 1e190)
})

test_that("a pilot of many rows looks at some at even distances, from the first to the last", {
  rows <- function(n) {
    marked <- pilot_sample(matrix(rnorm(n)), matrix(rnorm(n)), as.numeric(seq_len(n)), NULL)
    marked$weights / marked$weights[1]
  }
  expect_length(rows(200), 200)
  few <- rows(1000)
  expect_length(few, 200)
  expect_equal(few[c(1, 200)], c(1, 1000))
  expect_lte(diff(range(diff(few))), 1 + 1e-9)
})
