fit <- quick_quantreg()
at <- data.frame(x = c(0.1, 0.5, 0.9))
pieces <- psdmodels:::quantile_pieces(fit, as.matrix(at))

test_that("between the levels the distribution is that of predict()", {
  for (tau in c(0.1, 0.25, 0.5, 0.77, 0.9)) {
    q <- psdmodels:::pieces_quantile(pieces, rep(tau, 3))
    expect_equal(q, as.vector(predict(fit, at, tau = tau)))
    expect_equal(psdmodels:::pieces_cdf(pieces, q), rep(tau, 3))
    expect_equal(psdmodels:::pieces_cdf(pieces, q), predict(fit, at, type = "cdf", y = q))
  }
})

test_that("density, cdf, quantiles and moments are of one distribution", {
  one <- lapply(pieces, function(p) if (is.matrix(p)) p[2, , drop = FALSE] else p)
  along <- function(f) function(y) vapply(y, function(v) f(one, v), 0)
  knots <- c(-40, one$q, 40)
  integral <- function(g) {
    sum(mapply(function(a, b) integrate(g, a, b, rel.tol = 1e-10)$value, knots[-5], knots[-1]))
  }
  density <- along(psdmodels:::pieces_density)
  expect_equal(integral(density), 1)
  moments <- psdmodels:::pieces_moments(one)
  expect_equal(integral(function(y) y * density(y)), moments$mean)
  expect_equal(integral(function(y) (y - moments$mean)^2 * density(y)), moments$variance)
  for (y in c(-3, one$q[2] + 0.1, 4)) {
    below <- integral(function(v) ifelse(v <= y, density(v), 0))
    expect_equal(below, psdmodels:::pieces_cdf(one, y), tolerance = 1e-4)
  }
  tau <- c(0.001, 0.3, 0.999)
  back <- vapply(tau, function(t) psdmodels:::pieces_cdf(one, psdmodels:::pieces_quantile(one, t)),
                 0)
  expect_equal(back, tau)
})

test_that("a bound cuts off the tail, and the rest is of one distribution", {
  levels <- c(0.1, 0.4, 0.9)
  integral <- function(g, from, to) integrate(g, from, to, rel.tol = 1e-10)$value
  for (side in c("lower", "upper")) {
    q <- if (side == "lower") c(0.3, 1, 1.2) else c(-1.2, -1, -0.3)
    bound <- if (side == "lower") list(lower = 0) else list(upper = 0)
    pieces <- do.call(psdmodels:::make_pieces, c(list(matrix(q, 1), levels), bound))
    along <- function(f) function(y) vapply(y, function(v) f(pieces, v), 0)
    density <- along(psdmodels:::pieces_density)
    cdf <- along(psdmodels:::pieces_cdf)
    knots <- if (side == "lower") c(0, q, 8) else c(-8, q, 0)
    whole <- function(g) sum(mapply(integral, knots[-5], knots[-1], MoreArgs = list(g = g)))
    expect_equal(whole(density), 1)
    moments <- psdmodels:::pieces_moments(pieces)
    expect_equal(whole(function(y) y * density(y)), moments$mean)
    expect_equal(whole(function(y) (y - moments$mean)^2 * density(y)), moments$variance)
    expect_equal(cdf(c(-9, knots[1], q, knots[5], 9)), c(0, 0, levels, 1, 1))
    y <- knots[-5] + 0.4 * diff(knots)
    above <- mapply(integral, knots[-5], y, MoreArgs = list(g = density))
    expect_equal(cdf(y), c(0, levels) + above)
    tau <- c(1e-6, 0.05, 0.3, 0.95, 1 - 1e-6)
    expect_equal(cdf(along(psdmodels:::pieces_quantile)(tau)), tau)
    expect_identical(density(if (side == "lower") -0.1 else 0.1), 0)
  }
})

test_that("a quantile at the bound is a jump there", {
  pieces <- psdmodels:::make_pieces(matrix(c(0, 1, 2), 1), c(0.1, 0.5, 0.9), lower = 0)
  expect_equal(psdmodels:::pieces_quantile(pieces, 0.05), 0)
  expect_identical(psdmodels:::pieces_cdf(pieces, -1e-9), 0)
  expect_equal(psdmodels:::pieces_cdf(pieces, 0), 0.1)
  draws <- psdmodels:::pieces_quantile(lapply(pieces, function(p) {
    if (is.matrix(p)) p[rep(1, 1e5), ] else p
  }), (seq_len(1e5) - 0.5) / 1e5)
  moments <- psdmodels:::pieces_moments(pieces)
  expect_equal(c(mean(draws), var(draws)), c(moments$mean, moments$variance), tolerance = 1e-3)
})

test_that("simulations of a fit with a bound keep to it", {
  data <- data.frame(x = cars$speed, y = cars$dist)
  low <- psd_quantreg(y ~ x, data, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-2, lower = 0)
  draws <- unlist(simulate(low, 200, seed = 1))
  expect_gte(min(draws), 0)
  expect_equal(mean(draws <= rep(fitted(low)[, 1], 200)), 0.1, tolerance = 0.05)
  high <- psd_quantreg(y ~ x, data, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-2, upper = 121)
  expect_lte(max(unlist(simulate(high, 200, seed = 1))), 121)
})

test_that("equal quantiles are a jump, crossing ones no distribution", {
  jump <- psdmodels:::make_pieces(matrix(c(0, 1, 1, 2), 1), c(0.1, 0.4, 0.6, 0.9))
  expect_equal(psdmodels:::pieces_cdf(jump, 1), 0.6)
  expect_equal(psdmodels:::pieces_cdf(jump, 1 - 1e-12), 0.4)
  expect_equal(psdmodels:::pieces_quantile(jump, 0.5), 1)
  expect_error(psdmodels:::make_pieces(matrix(c(0, 2, 1), 1), c(0.1, 0.5, 0.9)),
               class = "psd_undefined")
  single <- quick_quantreg(tau = 0.5)
  expect_error(simulate(single), class = "psd_undefined")
})

test_that("simulations at newdata keep missing rows", {
  draws <- simulate(fit, 2, seed = 1, newdata = data.frame(x = c(0.5, NA)))
  expect_identical(is.na(draws$sim_1), c(FALSE, TRUE))
  expect_identical(draws, simulate(fit, 2, seed = 1, newdata = data.frame(x = c(0.5, NA))))
})

test_that("quantiles that cross by rounding are taken for equal, others are refused", {
  near <- rbind(c(1e9, 1e9 - 1e-4, 2e9))
  expect_identical(make_pieces(near, c(0.2, 0.5, 0.8))$sd[1, 1], 0)
  expect_error(make_pieces(rbind(c(1, 0.9, 2)), c(0.2, 0.5, 0.8)), "never do",
               class = "psd_undefined")
})
