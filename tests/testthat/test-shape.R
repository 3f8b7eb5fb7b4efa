# The kernel's shape, and densities in turned coordinates.

correlated_sample <- function(n, rho = 0.9, d = 3, seed = 1) {
  set.seed(seed)
  root <- chol(rho^abs(outer(seq_len(d), seq_len(d), "-")))
  x <- matrix(rnorm(n * d), n) %*% root %*% diag(c(1, 10, 0.1)[seq_len(d)])
  colnames(x) <- letters[seq_len(d)]
  x
}
all_shapes <- c("round", "axes", turned_shapes)
turned_fit <- function(d) {
  psd_density(correlated_sample(80, d = d), sigma = 1, lambda = 1e-3, shape = "full")
}

# A density that knows nothing of units: |R' v(z)|^2 at points x of the data.
plain_density <- function(fit, x) {
  units <- fit$units$x
  z <- sweep(sweep(x, 2, units$center), 2, units$scale, "/") %*% solve(units$turn)
  f <- fit$functions[[1]]
  sections <- apply(z, 1, function(at) {
    exp(-colSums((t(f$anchors$at) - at)^2 / t(f$anchors$width)^2) / 2)
  })
  exp(fit$log_scale) * colSums(crossprod(f$coefficients, sections)^2) /
    prod(units$scale * diag(units$turn))
}

test_that("a turned density integrates to one and is what it says", {
  fit <- turned_fit(2)
  expect_false(is.null(fit$units$x$turn))
  x <- correlated_sample(20, d = 2, seed = 2)
  expect_equal(predict(fit, x), plain_density(fit, x), tolerance = 1e-10)
  inner <- function(a) {
    vapply(a, function(one) {
      stats::integrate(function(b) plain_density(fit, cbind(one, b)), -80, 80, rel.tol = 1e-8,
                       subdivisions = 1000)$value
    }, 0)
  }
  expect_equal(stats::integrate(inner, -8, 8, rel.tol = 1e-7)$value, 1, tolerance = 1e-6)
  expect_equal(psd_prob(fit), 1)
})

test_that("marginals and conditionals of a turned density are integrals of it", {
  fit <- turned_fit(3)
  at <- correlated_sample(4, seed = 3)
  both <- psd_marginal(fit, c("c", "a"))
  expect_equal(both$recipe$columns, c("c", "a"))
  for (i in 1:2) {
    over_b <- stats::integrate(function(b) predict(fit, cbind(at[i, "a"], b, at[i, "c"])), -80, 80,
                               rel.tol = 1e-9, subdivisions = 1000)$value
    expect_equal(predict(both, at[i, c("c", "a"), drop = FALSE]), over_b, tolerance = 1e-7)
  }
  b <- psd_marginal(fit, "b")
  expect_equal(predict(psd_marginal(psd_marginal(fit, c("b", "c")), "b"), at[, "b"]),
               predict(b, at[, "b"]), tolerance = 1e-10)
  given <- psd_conditional(fit, c(b = 5))
  expect_equal(predict(given, at[, c("a", "c")]),
               predict(fit, cbind(at[, "a"], 5, at[, "c"])) / predict(b, 5), tolerance = 1e-10)
  twice <- psd_conditional(given, c(c = 0.05))
  once <- psd_conditional(fit, c(c = 0.05, b = 5))
  expect_equal(predict(twice, at[, "a"]), predict(once, at[, "a"]), tolerance = 1e-10)
  expect_equal(stats::integrate(as.function(once), -20, 20, rel.tol = 1e-9)$value, 1)
})

test_that("boxes of a turned density are integrated over", {
  fit <- turned_fit(3)
  expect_equal(psd_prob(fit, upper = c(b = 3)), predict(psd_marginal(fit, "b"), 3, type = "cdf"))
  flat <- psd_marginal(fit, c("a", "b"))
  over <- function(a) {
    vapply(a, function(one) {
      stats::integrate(function(b) predict(flat, cbind(one, b)), -5, 12, rel.tol = 1e-10)$value
    }, 0)
  }
  expected <- stats::integrate(over, -0.5, 2, rel.tol = 1e-9)$value
  expect_equal(psd_prob(fit, lower = c(b = -5, a = -0.5), upper = c(a = 2, b = 12)), expected,
               tolerance = 1e-8)
  # A third bound that leaves everything in changes nothing; parts of a box add up to it.
  expect_equal(psd_prob(fit, c(-0.5, -5, -10), c(2, 12, 10)), expected, tolerance = 1e-8)
  cut <- psd_prob(fit, rbind(c(-0.5, -5, -10), c(-0.5, -5, 0.03)),
                  rbind(c(2, 12, 0.03), c(2, 12, 10)))
  expect_equal(sum(cut), expected, tolerance = 1e-8)
  expect_equal(predict(fit, cbind(2, 12, Inf), type = "cdf"),
               psd_prob(fit, upper = c(a = 2, b = 12)))
  expect_equal(predict(fit, cbind(Inf, 1, 1)), 0)
  expect_equal(psd_prob(fit, lower = c(a = 1), upper = c(a = 1)), 0)
})

# How many nodes boxes take, which unlike the time does not depend on the machine or the build.
counted_nodes <- function(code) {
  nodes <- 0
  count <- function(grid) nodes <<- nodes + length(grid$weight)
  namespace <- asNamespace("psdmodels")
  suppressMessages(trace("slanted_nodes", exit = bquote(.(count)(returnValue())), print = FALSE,
                         where = namespace))
  on.exit(suppressMessages(untrace("slanted_nodes", where = namespace)))
  force(code)
  nodes
}

test_that("boxes are integrated over where the kernel is narrow and far points are few", {
  set.seed(3)
  x <- matrix(rnorm(90), 30)
  x[1, ] <- 20
  x[, 2] <- x[, 2] + 3 * x[, 1]
  x <- data.frame(a = x[, 1], b = x[, 2], c = x[, 3])
  fit <- psd_density(x, sigma = 0.4, lambda = 1e-2, shape = "full", standardize = FALSE)
  flat <- psd_marginal(fit, c("a", "b"))
  over <- function(a) {
    vapply(a, function(one) {
      stats::integrate(function(b) predict(flat, cbind(one, b)), -20, 0.5, rel.tol = 1e-9,
                       abs.tol = 1e-12, subdivisions = 1000)$value
    }, 0)
  }
  expected <- stats::integrate(over, -1, 0.3, rel.tol = 1e-7)$value
  nodes <- counted_nodes(found <- psd_prob(fit, c(-1, -20, -30), c(0.3, 0.5, 30)))
  expect_equal(found, expected, tolerance = 1e-6)
  # They lie near the anchors only, in longer cells where there are none: 1.54e7. In cells of one
  # length they would be 1.80e7, without regard to the anchors a hundred times as many.
  expect_gt(nodes, 0)
  expect_lt(nodes, 1.7e7)
})

test_that("boxes with bounds in many columns are refused where the kernel is turned", {
  set.seed(1)
  x <- matrix(rnorm(200), 50)
  x[, 2] <- x[, 1] + 0.1 * x[, 2]
  fit <- psd_density(x, sigma = 2, lambda = 0.1, shape = "full")
  expect_error(psd_prob(fit, lower = rep(0, 4)), class = "psd_no_closed_form")
  expect_lt(psd_prob(fit, lower = c(x1 = 0, x3 = 0)), 1)
})

test_that("moments, gradients, modes and draws of a turned density agree with its values", {
  fit <- turned_fit(2)
  moments <- psd_moments(fit)
  set.seed(1)
  draws <- as.matrix(simulate(fit, 4e4))
  expect_equal(colMeans(draws), moments$mean, tolerance = 0.02)
  expect_equal(cov(draws), moments$covariance, tolerance = 0.03)
  marginal <- psd_moments(psd_marginal(fit, "b"))
  expect_equal(unname(marginal$mean), unname(moments$mean["b"]), tolerance = 1e-5)
  expect_equal(marginal$covariance[1], moments$covariance["b", "b"], tolerance = 1e-6)
  x <- correlated_sample(5, d = 2, seed = 4)
  step <- 1e-5
  along <- function(move) {
    (predict(fit, sweep(x, 2, move, "+")) - predict(fit, sweep(x, 2, move))) / (2 * step)
  }
  slopes <- cbind(along(c(step, 0)), along(c(0, step)))
  expect_equal(unname(predict(fit, x, type = "gradient")), slopes, tolerance = 1e-6)
  mode <- psd_mode(fit)
  at <- as.matrix(mode[1, c("a", "b")])
  expect_lt(max(abs(predict(fit, at, type = "gradient") * c(1, 10))) / mode$density[1], 1e-4)
  expect_true(all(fitted(fit) <= mode$density[1]))
})

test_that("the support of a turned density is everything", {
  expect_equal(tidy(turned_fit(2))$lower, c(-Inf, -Inf))
  expect_output(print(summary(turned_fit(2))), "kernel turned, most between")
})

test_that("the search for a penalty ends where the fit is the parametric part", {
  set.seed(1)
  fit <- psd_density(correlated_sample(50, d = 2))
  expect_lte(max(fit$tuning$lambda), 10.1)
  expect_gt(cov2cor(psd_moments(fit)$covariance)[1, 2], 0.8)
})

test_that("a turned density has divergences, and no product", {
  fit <- turned_fit(2)
  other <- psd_density(correlated_sample(80, d = 2), sigma = 1, lambda = 1e-2)
  set.seed(1)
  expect_equal(attr(psd_divergence(fit, other), "method"), "draws")
  expect_error(psd_product(fit, other), class = "psd_no_closed_form")
})

test_that("the fit of a turned density is checked by hand like any other", {
  x <- correlated_sample(80, d = 2)
  fit <- psd_density(x, sigma = 1, lambda = 1e-3, shape = "full")
  expect_true(all(psd_verify(fit, x)$holds))
})

test_that("the shape is that of the likeliest kernels", {
  x <- scale(correlated_sample(150, d = 2))
  found <- likely_bandwidth(x, rep(1, 150), "free", cov(x), usual = diag(1e-3, 2), rounds = 500,
                            tolerance = 1e-12)
  # Maximised by hand over the Cholesky factor, each row left out of the sum at it.
  value <- function(p) {
    root <- matrix(c(exp(p[1]), 0, p[3], exp(p[2])), 2)
    z <- x %*% solve(root)
    k <- exp(-as.matrix(dist(z))^2 / 2)
    diag(k) <- 0
    -sum(log(rowSums(k) / 150)) + 150 * (p[1] + p[2])
  }
  root <- chol(found$covariance)
  start <- c(log(root[1, 1]), log(root[2, 2]), root[1, 2])
  best <- stats::optim(start + 0.1, value, method = "BFGS", control = list(reltol = 1e-14))
  expect_equal(best$par, start, tolerance = 1e-3)
  expect_equal(-best$value, found$log_likelihood, tolerance = 1e-6)
})

test_that("rows left out of the sum of weighted kernels are as the formulas say", {
  x <- correlated_sample(12, d = 3)
  weights <- (1:12) / 78
  covariance <- crossprod(matrix(c(1, 0.2, 0.1, 0, 0.7, 0.3, 0, 0, 0.5), 3))
  found <- left_out(x, weights, covariance)
  kernel <- function(i, j) weights[j] * exp(-stats::mahalanobis(x[i, ], x[j, ], covariance) / 2)
  k <- outer(1:12, 1:12, Vectorize(kernel))
  diag(k) <- 0
  expect_equal(found$mean_log,
               sum(weights * log(rowSums(k))) - determinant(covariance)$modulus[[1]] / 2)
  square <- matrix(0, 3, 3)
  for (i in 1:12) for (j in 1:12) {
    square <- square + weights[i] * k[i, j] / sum(k[i, ]) * tcrossprod(x[i, ] - x[j, ])
  }
  expect_equal(found$square, square)
})

test_that("the shape is chosen by what the data show", {
  set.seed(1)
  expect_null(kernel_shape(scale(matrix(rnorm(400), 200)), rep(1, 200), all_shapes))
  tall <- scale(cbind(rnorm(200), rnorm(200, rep(c(-9, 9), 100))))
  axes <- kernel_shape(tall, rep(1, 200), all_shapes)
  expect_equal(axes[1, 2], 0)
  expect_gt(axes[1, 1], 10 * axes[2, 2])
  full <- kernel_shape(scale(correlated_sample(200, d = 2)), rep(1, 200), all_shapes)
  expect_equal(cov2cor(full)[1, 2], cor(correlated_sample(200, d = 2))[1, 2])
  sheets <- correlated_sample(200, 0.95, 2) + outer(rep(c(-1, 1), 100), c(-1, 10))
  near <- kernel_shape(scale(sheets), rep(1, 200), all_shapes)
  expect_gt(cov2cor(near)[1, 2], cor(sheets)[1, 2] + 0.3)
  # Two round clouds far apart along the diagonal: correlated, but not nearby.
  clouds <- scale(matrix(rnorm(400), 200) + rep(c(-9, 9), 100))
  near <- kernel_shape(clouds, rep(1, 200), all_shapes)
  expect_lt(abs(if (is.null(near)) 0 else cov2cor(near)[1, 2]), 0.3)
  # A weight of two is a row twice, one of zero none at all.
  x <- scale(correlated_sample(60, d = 2))
  expect_equal(kernel_shape(x, rep(c(2, 1, 0), each = 20), turned_shapes),
               kernel_shape(x[c(1:20, 1:20, 21:40), ], rep(1, 60), turned_shapes))
})

test_that("widths along the axes are units of the columns", {
  set.seed(1)
  x <- cbind(a = rnorm(100), b = rnorm(100, rep(c(-9, 9), 50)))
  fit <- psd_density(x, sigma = 0.8, lambda = 1e-2, shape = "axes")
  expect_null(fit$units$x$turn)
  width <- 0.8 * fit$units$x$scale
  same <- psd_density(sweep(x, 2, width, "/"), sigma = 1, lambda = 1e-2, standardize = FALSE)
  expect_equal(predict(fit, x) * prod(width), predict(same, sweep(x, 2, width, "/")),
               tolerance = 1e-4)
  expect_output(print(summary(fit)), "kernel width in the units of the data")
})

test_that("a shape that does not suit is refused", {
  x <- correlated_sample(60, d = 2)
  expect_error(psd_density(x, sigma = 1, lambda = 0.1, shape = "full", lower = -100), "shape")
  expect_error(psd_density(x, sigma = 1, lambda = 0.1, shape = "full", kernel = "abel"), "shape")
  expect_error(psd_density(x, sigma = 1, lambda = 0.1, shape = "oval"), "shape")
  expect_null(psd_density(x, sigma = 1, lambda = 0.1)$units$x$turn)
})

test_that("a shape goes by the name of what it leaves free", {
  expect_identical(shape_name(NULL), "round")
  expect_identical(shape_name(diag(c(1, 2, 3))), "axes")
  expect_identical(shape_name(diag(2) + 0.5), "full")
})

test_that("a shape of columns whose variances are no numbers is refused", {
  x <- cbind(a = qnorm(ppoints(20)), b = 1e168 * sin(1:20))
  for (shape in c("axes", "full")) {
    expect_error(psd_density(x, sigma = 1, lambda = 0.1, standardize = FALSE, shape = shape),
                 "`shape` needs columns", class = "psd_input_error")
  }
  expect_s3_class(suppressMessages(psd_density(x, sigma = 1, lambda = 0.1, shape = "axes")),
                  "psd_density")
})
