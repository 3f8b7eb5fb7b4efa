# The shape of the kernel beside a mixture of normals.

common_normals <- psdmodels:::common_normals
kernel_shape <- psdmodels:::kernel_shape
every_shape <- c("round", "axes", psdmodels:::turned_shapes)

# Two normals, one turned beside the other and half as wide, at these centres.
two_sheets <- function(n = 200, rho = 0.9, apart = 1, size = 0.5, d = 2, seed = 1) {
  set.seed(seed)
  root <- chol(rho^abs(outer(seq_len(d), seq_len(d), "-")))
  first <- rep(c(TRUE, FALSE), length.out = n)
  x <- ifelse(first, 1, size) * matrix(rnorm(n * d), n) %*% root
  x[first, 1] <- x[first, 1] + 2 * apart
  x
}
as_sample <- function(x, weights = rep(1, nrow(x))) psdmodels:::mixture_sample(x, weights, nrow(x))

# The log-likelihood of normals with one covariance matrix up to a factor, knowing nothing of turns.
log_density <- function(x, mean, size, share, covariance) {
  parts <- vapply(seq_along(share), function(j) {
    own <- size[j]^2 * covariance
    share[j] * exp(-stats::mahalanobis(x, mean[j, ], own) / 2) / sqrt(det(2 * pi * own))
  }, numeric(nrow(x)))
  log(rowSums(parts))
}

test_that("normals with one covariance matrix are as likely as they say, and as can be", {
  x <- two_sheets()
  found <- common_normals(diag(2), as_sample(x), 2)
  value <- function(p) {
    root <- matrix(c(exp(p[1]), 0, p[2], 1), 2)
    sum(log_density(x, matrix(p[3:6], 2), exp(p[7:8]), c(stats::plogis(p[9]), stats::plogis(-p[9])),
                    crossprod(root)))
  }
  mean <- found$mean %*% found$turn
  scale <- found$turn[2, 2]
  start <- c(log(found$turn[1, 1] / scale), found$turn[1, 2] / scale, mean,
             log(found$sd[, 1] * scale), stats::qlogis(found$share[1]))
  said <- found$log_likelihood - nrow(x) * sum(log(diag(found$turn)))
  expect_equal(value(start), said, tolerance = 1e-4)
  best <- stats::optim(start, value, method = "BFGS", control = list(fnscale = -1, maxit = 500))
  expect_lt(best$value - said, 0.1)
  # Two shares, two centres and two sizes, and of the covariance matrix three numbers less a size.
  expect_equal(found$score, said - 9 * log(200) / 2)
  expect_equal(stats::cov2cor(crossprod(found$turn))[1, 2], 0.9, tolerance = 0.05)
})

test_that("the common covariance matrix is that about the normals, in units of each", {
  x <- two_sheets(30, d = 3)
  weights <- seq(0.5, 1.5, length.out = 30)
  normals <- list(mean = rbind(c(0, 1, 0), c(2, 0, 1)), sd = matrix(c(1, 2), 2, 3),
                  share = c(0.3, 0.7), turn = chol(0.5^abs(outer(1:3, 1:3, "-"))))
  normals$z <- x %*% solve(normals$turn)
  density <- vapply(1:2, function(j) {
    normals$share[j] *
      exp(log_density(x, normals$mean[j, , drop = FALSE] %*% normals$turn, normals$sd[j, 1], 1,
                      crossprod(normals$turn)))
  }, numeric(30))
  belongs <- density / rowSums(density)
  expect_equal(psdmodels:::memberships(normals, normals$z), belongs)
  square <- matrix(0, 3, 3)
  for (i in 1:30) for (j in 1:2) {
    apart <- x[i, ] - drop(normals$mean[j, ] %*% normals$turn)
    square <- square + weights[i] * belongs[i, j] * tcrossprod(apart) / normals$sd[j, 1]^2
  }
  expect_equal(psdmodels:::common_covariance(normals, as_sample(x, weights)), square / 30)
})

test_that("the kernel is turned as the normals are, unless they lie along the axes", {
  shape_of <- function(x, count = NULL) kernel_shape(scale(x), rep(1, nrow(x)), every_shape, count)
  expect_equal(stats::cov2cor(shape_of(two_sheets(apart = -1)))[1, 2], 0.9, tolerance = 0.05)
  # Round clouds of two sizes along the diagonal: kernels alone would follow the diagonal.
  set.seed(1)
  clouds <- rbind(matrix(rnorm(200), 100), matrix(rnorm(200, 2, 0.1), 100))
  expect_gt(stats::cov2cor(shape_of(clouds, 1))[1, 2], 0.5)
  found <- shape_of(clouds)
  expect_lt(if (is.null(found)) 0 else abs(stats::cov2cor(found)[1, 2]), 0.2)
  # One normal, or a curve, has the shape of kernels.
  alone <- two_sheets(apart = 0, size = 1)
  expect_identical(shape_of(alone), shape_of(alone, 1))
  ring <- cbind(cos(1:150), sin(1:150)) + rnorm(300, sd = 0.1)
  expect_identical(shape_of(ring), shape_of(ring, 1))
  # Asked to be turned it is, if only a little.
  turned <- kernel_shape(scale(clouds), rep(1, 200), psdmodels:::turned_shapes, NULL)
  expect_lt(abs(stats::cov2cor(turned)[1, 2]), 0.2)
  # A column that says nothing has no normals.
  flat <- cbind(scale(clouds), 0)
  expect_no_error(kernel_shape(flat, rep(1, 200), every_shape, NULL))
})

test_that("a sum of kernels that is more likely than the normals has the say on the shape", {
  x <- scale(two_sheets(apart = -1))
  found <- common_normals(stats::cov(x), as_sample(x), 2)
  likely <- mean(log_density(x, found$mean %*% found$turn, found$sd[, 1], found$share,
                             crossprod(found$turn)))
  # The second normal has four numbers of its own; sums of kernels are told but for the 2 pi.
  even <- likely - 1.5 * 4 / 200 + log(2 * pi)
  shape <- function(mean_log) {
    kernels <- list(free = list(covariance = stats::cov(x), log_likelihood = 200 * mean_log))
    psdmodels:::shape_of_normals(x, rep(1, 200), kernels, 200, 2)
  }
  expect_equal(stats::cov2cor(shape(even - 0.01)), stats::cov2cor(crossprod(found$turn)),
               tolerance = 1e-6)
  expect_null(shape(even + 0.01))
})

test_that("a weight of two is a row twice for the shape of normals", {
  x <- scale(two_sheets(120, apart = -1))
  twice <- kernel_shape(x[c(1:120, 1:60), ], rep(1, 180), every_shape, 2)
  sample <- as_sample(x, rep(2:1, each = 60) / 1.5)
  sample$weights <- rep(c(2, 1), each = 60)
  common <- crossprod(common_normals(stats::cov(x), sample, 2)$turn)
  expect_equal(common / mean(diag(common)), twice, tolerance = 1e-2)
})

test_that("a default density of sheets is that of its normals", {
  x <- two_sheets(apart = -1, rho = 0.95)
  fit <- psd_density(x)
  expect_identical(fit$parameters$parametric, 2L)
  expect_false(is.null(fit$units$x$turn))
  expect_true(all(psd_verify(fit, x)$holds))
  set.seed(9)
  new <- two_sheets(2000, apart = -1, rho = 0.95, seed = 9)
  covariance <- matrix(c(1, 0.95, 0.95, 1), 2)
  truth <- log_density(new, rbind(c(-2, 0), 0), c(1, 0.5), c(0.5, 0.5), covariance)
  divergence <- function(fit) mean(truth - log(predict(fit, new)))
  expect_lt(divergence(fit), 0.05)
  expect_gt(divergence(update(fit, parametric = TRUE)), 1.5 * divergence(fit))
})

test_that("normals count for the shape only if there may be several", {
  wanted <- function(..., form = "psd") psdmodels:::normals_wanted(list(...), list(form = form))
  expect_null(wanted())
  expect_identical(wanted(parametric = 3), 3)
  expect_identical(wanted(sigma = 1, parametric = 3), 3)
  expect_identical(wanted(sigma = 1), 1)
  expect_identical(wanted(parametric = TRUE), 1)
  expect_identical(wanted(parametric = FALSE), 1)
  expect_identical(wanted(parametric = "three"), 1)
  expect_identical(wanted(parametric = 1.5), 1)
  expect_identical(wanted(form = "linear"), 1)
})
