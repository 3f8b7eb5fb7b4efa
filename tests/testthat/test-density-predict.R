test_that("a density on the line integrates to one and is nowhere negative", {
  for (fit in list(density_1d(), density_bounded())) {
    q <- quadrature(if (is.finite(fit$measure$lower)) 0 else -2, 20, parts = 60)
    expect_equal(sum(q$w * predict(fit, q$x)), 1, tolerance = 1e-8)
    set.seed(1)
    expect_gte(min(predict(fit, runif(1e5, -5, 30))), 0)
  }
})

test_that("a density in the plane integrates to one", {
  fit <- density_2d()
  x <- quadrature(-2, 9, 12)
  y <- quadrature(0, 150, 12)
  p <- predict(fit, as.matrix(expand.grid(x$x, y$x)))
  expect_equal(sum(p * outer(x$w, y$w)), 1, tolerance = 1e-7)
})

test_that("in more dimensions it integrates to one by importance sampling", {
  fit <- density_3d()
  set.seed(3)
  draws <- matrix(rt(3e5, 4) * 1.5, ncol = 3)
  ratio <- predict(fit, draws) / apply(dt(draws / 1.5, 4) / 1.5, 1, prod)
  expect_lt(abs(mean(ratio) - 1), 5 * sd(ratio) / sqrt(1e5))
  expect_lt(sd(ratio) / sqrt(1e5), 0.02)
})

test_that("the density is exactly zero outside of the support and not small at its end", {
  fit <- density_bounded()
  expect_identical(predict(fit, c(-1, -1e-9, -Inf, Inf)), rep(0, 4))
  expect_gt(predict(fit, 0), 0.6)
  expect_identical(predict(fit, -1, type = "log"), -Inf)
  expect_identical(predict(fit, -1, type = "gradient"), 0)
})

test_that("the logarithm is finite where the density underflows", {
  fit <- density_1d()
  expect_identical(predict(fit, 100), 0)
  expect_lt(predict(fit, 100, type = "log"), -5000)
  expect_true(is.finite(predict(fit, 100, type = "log")))
  expect_equal(exp(predict(fit, 2:4, type = "log")), predict(fit, 2:4))
})

test_that("the distribution function is the integral of the density, and monotone", {
  for (fit in list(density_1d(), density_bounded(),
                   psd_density(faithful$eruptions, sigma = 0.5, lambda = 1e-2, kernel = "abel"),
                   psd_density(faithful$eruptions, sigma = 0.5, lambda = 1e-2,
                               base = psd_gaussian(3, 0.4)))) {
    at <- c(0.3, 1.9, 3.3, 4.4)
    pieces <- Map(function(from, to) {
      integrate(as.function(fit), from, to, rel.tol = 1e-9, subdivisions = 1000,
                stop.on.error = FALSE)$value
    }, c(-15, at[-4]), at)
    expect_equal(predict(fit, at, type = "cdf"), cumsum(unlist(pieces)), tolerance = 1e-6)
    expect_equal(predict(fit, at, type = "cdf"), psd_prob(fit, upper = matrix(at)),
                 tolerance = 1e-7)
    expect_gt(min(diff(predict(fit, seq(-3, 12, length.out = 1e4), type = "cdf"))), -1e-15)
    expect_identical(predict(fit, c(-Inf, Inf), type = "cdf"), c(0, 1))
  }
})

test_that("in the plane the distribution function is a box probability, by quadrature too", {
  fit <- density_2d()
  x <- quadrature(-2, 3, 8)
  y <- quadrature(0, 70, 8)
  p <- predict(fit, as.matrix(expand.grid(x$x, y$x)))
  below <- sum(p * outer(x$w, y$w))
  expect_equal(predict(fit, cbind(3, 70), type = "cdf"), below, tolerance = 1e-7)
  expect_equal(psd_prob(fit, upper = c(3, 70)), below, tolerance = 1e-7)
  expect_equal(psd_prob(fit), 1, tolerance = 1e-7)
})

test_that("the gradient is that of finite differences", {
  for (fit in list(density_1d(), density_bounded(), density_2d(), density_3d())) {
    d <- length(fit$recipe$columns)
    x <- matrix(fit$units$x$center, 5, d, byrow = TRUE)
    x <- x + outer(seq(-0.6, 0.6, length.out = 5), fit$units$x$scale)
    numeric <- sapply(seq_len(d), function(k) {
      h <- 1e-5 * fit$units$x$scale[k] * (seq_len(d) == k)
      (predict(fit, sweep(x, 2, h, "+")) - predict(fit, sweep(x, 2, h))) / (2 * sum(h))
    })
    exact <- as.matrix(predict(fit, x, type = "gradient"))
    expect_equal(unname(exact), unname(as.matrix(numeric)), tolerance = 1e-6)
  }
})

test_that("moments are those of quadrature", {
  fit <- density_2d()
  x <- quadrature(-2, 9, 12)
  y <- quadrature(0, 150, 12)
  grid <- as.matrix(expand.grid(x$x, y$x))
  w <- predict(fit, grid) * as.vector(outer(x$w, y$w))
  moments <- psd_moments(fit)
  expect_equal(unname(moments$mean), unname(colSums(w * grid)), tolerance = 1e-7)
  centred <- sweep(grid, 2, colSums(w * grid))
  expect_equal(unname(moments$covariance), unname(crossprod(centred, w * centred)),
               tolerance = 1e-6)
})

test_that("a change of location and scale changes the density accordingly", {
  x <- faithful$eruptions
  at <- c(1.9, 3, 4.4)
  fit <- psd_density(x, sigma = 0.4, lambda = 1e-2)
  for (b in c(1e-6, -1, 1e6)) {
    moved <- psd_density(-3 + b * x, sigma = 0.4, lambda = 1e-2)
    expect_equal(predict(moved, -3 + b * at) * abs(b), predict(fit, at), tolerance = 1e-6)
  }
  expect_equal(psd_moments(moved)$mean, c(x = -3 + 1e6 * psd_moments(fit)$mean[[1]]),
               tolerance = 1e-8)
})

test_that("a weight of two is the row twice", {
  x <- faithful$eruptions[1:60]
  twice <- psd_density(c(x, x[1:10]), sigma = 0.5, lambda = 1e-2)
  weighted <- psd_density(x, sigma = 0.5, lambda = 1e-2, weights = rep(c(2, 1), c(10, 50)))
  expect_equal(predict(weighted, 1:5), predict(twice, 1:5), tolerance = 1e-5)
})

test_that("missing coordinates give missing predictions, and infinite ones none", {
  fit <- density_2d()
  x <- cbind(c(2, NA, Inf), c(60, 60, 60))
  expect_identical(is.na(predict(fit, x)), c(FALSE, TRUE, FALSE))
  expect_identical(predict(fit, x)[3], 0)
  expect_identical(is.na(predict(fit, x, type = "cdf")), c(FALSE, TRUE, FALSE))
  expect_identical(is.na(predict(fit, x, type = "gradient")[, 1]), c(FALSE, TRUE, FALSE))
})

test_that("a fit survives serialisation, and its size grows with the data up to a bound", {
  fit <- density_1d()
  copy <- unserialize(serialize(fit, NULL))
  expect_identical(predict(copy, 1:5), predict(fit, 1:5))
  size <- function(n) {
    x <- faithful$eruptions[rep_len(1:272, n)]
    length(serialize(psd_density(x, sigma = 0.5, lambda = 1e-2), NULL))
  }
  expect_lt(size(5000) - size(272), 8 * 1000)
  expect_lt(size(20000), 1.05 * size(2000))
})

test_that("as.function() predicts", {
  fit <- density_1d()
  expect_identical(as.function(fit)(1:5), predict(fit, 1:5))
  expect_identical(as.function(fit, "cdf")(3), predict(fit, 3, type = "cdf"))
})

test_that("mistakes in predictions are named", {
  fit <- density_2d()
  expect_snapshot(error = TRUE, {
    predict(fit, faithful["eruptions"])
    predict(fit, cbind(1, 2, 3))
    predict(fit, c(1, 2))
    predict(fit, faithful, type = "pdf")
    predict(fit, data.frame(eruptions = "a", waiting = 1))
    psd_prob(fit, lower = 1, upper = 0)
    psd_prob(fit, lower = c(1, 2, 3))
    psd_prob(fit, lower = matrix(0, 1, 3))
    psd_prob(fit, lower = matrix(0, 2, 2), upper = matrix(1, 3, 2))
    psd_prob(faithful)
    as.function(fit, "pdf")
  })
})

test_that("the gradient is that of the logarithm times the density, however small that is", {
  set.seed(6)
  fit <- psd_density(matrix(rnorm(60), 20), sigma = 0.3, lambda = 0.1, standardize = FALSE)
  at <- rbind(c(0, 0, 0), c(3, -3, 3), c(6, 6, -6))
  gradient <- predict(fit, at, type = "gradient")
  density <- predict(fit, at)
  expect_true(all(is.finite(gradient)))
  for (column in 1:3) {
    step <- matrix(0, 3, 3)
    step[, column] <- 1e-5
    slope <- (predict(fit, at + step, type = "log") - predict(fit, at - step, type = "log")) / 2e-5
    expect_equal(gradient[, column], slope * density, tolerance = 1e-6, ignore_attr = TRUE)
  }
  linear <- psd_density(rnorm(20), sigma = 0.3, lambda = 0.1, model = "ncm", standardize = FALSE)
  expect_true(is.finite(predict(linear, 20, type = "gradient")))
})

test_that("one gradient that is no number is enough to say so", {
  check_gradient <- psdmodels:::check_gradient
  expect_error(check_gradient(cbind(c(1, Inf))), "type", class = "psd_error")
  expect_error(check_gradient(cbind(c(1, -Inf))), "type", class = "psd_error")
  expect_identical(check_gradient(cbind(c(1, 1e308))), cbind(c(1, 1e308)))
})

test_that("roots have the columns that are more than rounding, and give the matrix back", {
  psd_root <- psdmodels:::psd_root
  set.seed(1)
  x <- crossprod(matrix(rnorm(6), 2))  # of rank two
  root <- psd_root(x)
  expect_identical(ncol(root), 2L)
  expect_equal(tcrossprod(root), x)
  expect_identical(ncol(psd_root(diag(c(1, 1e-14, 1e-17, -1e-3)))), 2L)
  expect_identical(dim(psd_root(diag(0, 3))), c(3L, 0L))
  expect_equal(tcrossprod(psd_root(matrix(c(2, 1, 0, 2), 2))), matrix(c(2, 0.5, 0.5, 2), 2))
})
