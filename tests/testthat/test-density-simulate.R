test_that("quantiles invert the distribution function and are monotone", {
  for (fit in list(density_1d(), density_bounded())) {
    p <- c(1e-10, seq(1e-4, 1 - 1e-4, length.out = 999), 1 - 1e-10)
    q <- quantile(fit, p, names = FALSE)
    expect_gt(min(diff(q)), 0)
    expect_equal(predict(fit, q, type = "cdf"), p, tolerance = 1e-10)
    expect_equal(psd_prob(fit, upper = matrix(q)), p, tolerance = 1e-8)
    at <- quantile(fit, c(0.1, 0.5, 0.9), names = FALSE)
    expect_equal(quantile(fit, predict(fit, at, type = "cdf"), names = FALSE), at,
                 tolerance = 1e-10)
  }
  expect_identical(quantile(density_bounded(), c(0, 1)), c("0%" = 0, "100%" = Inf))
  expect_identical(quantile(fit, c(NA, 0.5), names = FALSE)[1], NA_real_)
})

test_that("distribution functions of narrow and wide kernels together agree with quadrature", {
  set.seed(1)
  x <- c(rnorm(20), 12, 300)
  fit <- psd_density(x, sigma = psd_widths(c(5, 0.05)), lambda = 1e-3, lower = -20)
  at <- c(-15, -1, 0.3, 5, 12.01, 150, 299.9, 300.1)
  # what is below, over pieces short enough for the narrow kernels
  pieces <- sort(c(seq(-20, 310, by = 0.25), at))
  mass <- mapply(function(from, to) {
    rule <- legendre_rule(20)
    sum(rule$weights * predict(fit, from + (to - from) * (rule$nodes + 1) / 2)) * (to - from) / 2
  }, head(pieces, -1), tail(pieces, -1))
  below <- c(0, cumsum(mass))[match(at, pieces)]
  expect_equal(predict(fit, at, type = "cdf"), below, tolerance = 1e-7)
  kept <- below > 1e-6 & below < 1 - 1e-6
  expect_equal(quantile(fit, predict(fit, at[kept], type = "cdf"), names = FALSE), at[kept],
               tolerance = 1e-6)
})

test_that("coordinates with hundreds of narrow sections are drawn in stretches, exactly", {
  set.seed(4)
  x <- cbind(rnorm(300), c(runif(250, 0, 60), runif(50, 1000, 1010)))
  fit <- psd_density(x, sigma = psd_widths(c(0.5, 0.03)), lambda = 1e-3, standardize = FALSE)
  f <- fit$functions[[1]]
  u <- matrix(c(0.1, 0.4, 0.6, 0.9, 0.02, 0.5, 0.75, 0.99), 4)
  drawn <- psdmodels:::unstandardized(psdmodels:::inverse_of(f, fit$measure, u), fit$units$x)
  expect_equal(predict(psd_marginal(fit, 1), drawn[, 1], type = "cdf"), u[, 1], tolerance = 1e-7)
  given <- vapply(1:4, function(i) {
    predict(psd_conditional(fit, c(x1 = drawn[i, 1])), drawn[i, 2], type = "cdf")
  }, 0)
  expect_equal(given, u[, 2], tolerance = 1e-7)
})

test_that("wide kernels and constants against a narrow base are integrated where the base is", {
  set.seed(2)
  x <- rnorm(30, 5)
  for (sigma in list(psd_widths(c(2, 0.1)), 0.5, 1e6)) {
    fit <- psd_density(x, sigma = sigma, lambda = 1e-3, base = psd_gaussian(4, 2))
    for (at in c(3, 5, 7)) {
      cut <- quadrature(-30, at, 400)
      expect_equal(predict(fit, at, type = "cdf"), sum(cut$w * predict(fit, cut$x)),
                   tolerance = 1e-5)
    }
    expect_equal(predict(fit, quantile(fit, 0.3), type = "cdf"), 0.3, tolerance = 1e-7)
  }
})

test_that("each coordinate of a draw has its uniform as conditional distribution function", {
  set.seed(1)
  for (fit in list(density_2d(), density_3d(),
                   psd_density(faithful[1:60, ], sigma = 1, lambda = 1e-2, kernel = "abel"))) {
    d <- length(fit$recipe$columns)
    u <- matrix(runif(8 * d), 8)
    x <- unstandardized(inverse_of(fit$functions[[1]], fit$measure, u), fit$units$x)
    colnames(x) <- fit$recipe$columns
    for (i in seq_len(nrow(u))) {
      for (k in seq_len(d)) {
        given <- psd_marginal(fit, seq_len(k))
        if (k > 1) {
          given <- suppressWarnings(psd_conditional(given, x[i, seq_len(k - 1)]),
                                    classes = "psd_extrapolation")
        }
        expect_equal(psd_prob(given, upper = x[i, k]), u[i, k], tolerance = 1e-6)
      }
    }
  }
})

test_that("draws agree with the distribution function and with probabilities of boxes", {
  fit <- density_2d()
  draws <- simulate(fit, 2e4, seed = 1)
  for (column in names(draws)) {
    below <- predict(psd_marginal(fit, column), draws[[column]], type = "cdf")
    expect_gt(suppressWarnings(ks.test(below, "punif")$p.value), 1e-3)
  }
  cuts <- lapply(names(draws), function(column) {
    c(-Inf, quantile(psd_marginal(fit, column), 1:4 / 5, names = FALSE), Inf)
  })
  cells <- expand.grid(1:5, 1:5)
  expected <- psd_prob(fit, cbind(cuts[[1]][cells[, 1]], cuts[[2]][cells[, 2]]),
                       cbind(cuts[[1]][cells[, 1] + 1], cuts[[2]][cells[, 2] + 1]))
  expect_equal(sum(expected), 1, tolerance = 1e-7)
  counts <- as.vector(table(cut(draws[[1]], cuts[[1]]), cut(draws[[2]], cuts[[2]])))
  rare <- expected <= 1e-3
  tested <- function(x) c(x[!rare], if (any(rare)) sum(x[rare]))
  expect_gt(chisq.test(tested(counts), p = tested(expected), rescale.p = TRUE)$p.value, 1e-3)
})

test_that("draws follow R's random numbers and keep their shape", {
  fit <- density_1d()
  set.seed(5)
  one <- simulate(fit, 4)
  set.seed(5)
  expect_equal(simulate(fit, 4), one, ignore_attr = TRUE)
  expect_true(is.vector(as.numeric(one)) && length(one) == 4)
  set.seed(5)
  runif(4)
  after <- runif(1)
  set.seed(5)
  simulate(fit, 4)
  expect_identical(runif(1), after)
  set.seed(5)
  state <- .Random.seed
  expect_identical(simulate(fit, 4, seed = 1), simulate(fit, 4, seed = 1))
  expect_identical(.Random.seed, state)
  expect_identical(names(simulate(density_2d(), 3)), names(faithful))
})

test_that("draws stay inside the support", {
  expect_gte(min(simulate(density_bounded(), 1e4, seed = 1)), 0)
})

test_that("mistakes in draws and quantiles are named", {
  fit <- density_2d()
  expect_snapshot(error = TRUE, {
    quantile(fit)
    quantile(density_1d(), 1.5)
    quantile(density_1d(), 0.5, names = "yes")
    simulate(fit, 0)
    simulate(fit, 2, seed = "a")
  })
})

test_that("quantiles of points very far apart are found among each of them", {
  set.seed(5)
  x <- c(rnorm(20), 1e9 + rnorm(20))
  for (kernel in c("gaussian", "abel", "matern32")) {
    fit <- psd_density(x, sigma = 1, lambda = 0.05, standardize = FALSE, kernel = kernel)
    q <- quantile(fit, c(0.25, 0.75), names = FALSE)
    expect_lt(abs(q[1]), 2)
    expect_lt(abs(q[2] - 1e9), 2)
    expect_equal(predict(fit, q, type = "cdf"), c(0.25, 0.75), tolerance = 1e-6)
    expect_true(all(abs(simulate(fit, 20, seed = 1) - 1e9 * (0:1)[rep(1, 20)]) < 30 |
                      abs(simulate(fit, 20, seed = 1) - 1e9) < 30))
  }
})

test_that("fewer draws with the same seed are the first of more", {
  fit <- psd_density(as.matrix(faithful), sigma = 0.5, lambda = 1e-2)
  expect_identical(simulate(fit, 3, seed = 1)[, 1:2], simulate(fit, 8, seed = 1)[1:3, 1:2],
                   ignore_attr = TRUE)
})

test_that("a coordinate that is drawn grows with its uniform across the parts of its axis", {
  set.seed(1)
  points <- matrix(rnorm(150), 50)
  u <- sort(c(0, 1e-9, runif(60), 1 - 1e-9, 1))
  for (kernel in c("gaussian", "abel", "matern32")) {
    fit <- psd_density(points, sigma = 0.5, lambda = 1e-2, kernel = kernel)
    x <- inverse_of(fit$functions[[1]], fit$measure, cbind(0.4, 0.7, u))
    expect_false(is.unsorted(x[, 3]), info = kernel)
    expect_lt(max(abs(x[, 1] - x[1, 1]), abs(x[, 2] - x[1, 2])), 1e-12)
    given <- suppressWarnings(fix_columns(fit$functions[[1]], 1:2, x[1, 1:2, drop = FALSE]))
    along <- lapply(fit$measure, `[`, 3)
    expect_equal(share_below(given, along, x[, 3]), u, tolerance = 1e-9, info = kernel)
  }
})
