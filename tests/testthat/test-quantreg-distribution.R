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
