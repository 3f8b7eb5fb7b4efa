test_that("intervals of highest density have their probability and end at one level", {
  set.seed(4)
  fits <- list(density_1d(), density_bounded(),
               psd_density(rexp(200), sigma = 1, lambda = 0.1, lower = 0, transform = "log"))
  for (fit in fits) {
    regions <- psd_hdr(fit, c(0.5, 0.9))
    for (region in split(regions, regions$prob)) {
      mass <- psd_prob(fit, matrix(region$lower), matrix(region$upper))
      expect_equal(sum(mass), region$prob[1], tolerance = 1e-8)
      ends <- setdiff(c(region$lower, region$upper), 0)
      expect_equal(predict(fit, ends), rep(region$level[1], length(ends)), tolerance = 1e-7)
      inside <- simulate(fit, 2000, seed = 1)
      within <- rowSums(outer(inside, region$lower, ">=") & outer(inside, region$upper, "<="))
      expect_identical(within == 1, predict(fit, inside) >= region$level[1])
    }
  }
  expect_lte(min(psd_hdr(fits[[2]], 0.9)$lower), 0)
})

test_that("two humps have two intervals, as a mixture of normals says", {
  x <- c(qnorm(ppoints(150), -3), qnorm(ppoints(150), 3))
  region <- psd_hdr(psd_density(x, sigma = 0.3, lambda = 1e-3), 0.8)
  expect_identical(nrow(region), 2L)
  expect_equal(region$lower, c(-3, 3) - qnorm(0.9), tolerance = 0.05)
  expect_equal(region$upper, c(-3, 3) + qnorm(0.9), tolerance = 0.05)
})

test_that("regions of two variables hold their share of draws, inside closed pieces", {
  fit <- density_2d()
  region <- psd_hdr(fit, c(0.5, 0.9))
  draws <- simulate(fit, 20000, seed = 1)
  for (part in split(region, region$prob)) {
    share <- mean(predict(fit, draws) >= part$level[1])
    expect_lt(abs(share - part$prob[1]), 0.012)
    expect_equal(predict(fit, part[c("eruptions", "waiting")]), rep(part$level[1], nrow(part)),
                 tolerance = 0.03)
    for (piece in split(part, part$piece)) {
      expect_identical(unlist(piece[1, 4:5]), unlist(piece[nrow(piece), 4:5]), ignore_attr = TRUE)
    }
  }
})

test_that("a region that meets the bounds is closed along them", {
  set.seed(5)
  x <- matrix(runif(200), 100, dimnames = list(NULL, c("a", "b")))
  region <- psd_hdr(psd_density(x, sigma = 2, lambda = 0.1, lower = 0, upper = 1), 0.9)
  for (piece in split(region, region$piece)) {
    expect_equal(unlist(piece[1, 4:5]), unlist(piece[nrow(piece), 4:5]), ignore_attr = TRUE)
  }
  expect_equal(range(region[c("a", "b")]), c(0, 1), tolerance = 1e-4)
})

test_that("a region is closed also where the next number is far: it moves with the data", {
  set.seed(6)
  x <- cbind(a = round(runif(40), 3), b = rnorm(40))
  region <- function(shift) {
    x[, "a"] <- x[, "a"] + shift
    psd_hdr(psd_density(x, sigma = 0.5, lambda = 0.1, lower = c(shift - 0.5, -Inf),
                        upper = c(shift + 1.5, Inf)), 0.9, n = 51)
  }
  near <- region(0)
  far <- region(2^40)  # the next number is 2^-12 away
  expect_equal(range(far$a) - 2^40, range(near$a), tolerance = 1e-2)
  expect_equal(range(far$b), range(near$b), tolerance = 1e-2)
})

test_that("levels of more variables come from draws, with an error", {
  set.seed(1)
  region <- psd_hdr(density_3d(), 0.8)
  draws <- simulate(density_3d(), 20000, seed = 2)
  share <- mean(predict(density_3d(), draws) >= region$level)
  expect_lt(abs(share - 0.8), 5 * region$error * sqrt(2))
  negative <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1, model = "pnm")
  expect_error(psd_hdr(negative), class = "psd_input_error")
})

test_that("modes are where the gradient is zero, and those of a mixture", {
  x <- c(qnorm(ppoints(200), -3), qnorm(ppoints(100), 3))
  fit <- psd_density(x, sigma = 0.5, lambda = 1e-3)
  modes <- psd_mode(fit, least = 0.2)
  expect_equal(modes$x, c(-3, 3), tolerance = 0.02)
  expect_equal(modes$density, predict(fit, modes$x))
  expect_equal(predict(fit, modes$x, type = "gradient"), c(0, 0), tolerance = 1e-6)
  plane <- psd_mode(density_2d(), least = 0.2)
  expect_identical(nrow(plane), 2L)
  slope <- predict(density_2d(), plane[1:2], type = "gradient")
  expect_lt(max(abs(slope * c(1, 1, 13, 13))), 1e-5)
  grid <- expand.grid(eruptions = seq(1, 6, length.out = 80), waiting = seq(40, 100, by = 1))
  expect_gte(plane$density[1], max(predict(density_2d(), grid)))
  expect_lt(plane$density[1] / max(predict(density_2d(), grid)), 1.01)
})

test_that("a mode may be at a bound or on another scale", {
  set.seed(2)
  x <- rexp(200)
  bounded <- psd_density(x, sigma = 2, lambda = 10, lower = 0, transform = "none",
                         parametric = TRUE)
  expect_equal(psd_mode(bounded)$x[1], 0)
  scaled <- psd_density(x, sigma = 1, lambda = 0.1, lower = 0, transform = "log")
  highest <- max(predict(scaled, exp(seq(-12, 2, length.out = 20000))))
  expect_equal(psd_mode(scaled)$density[1], highest, tolerance = 1e-5)
  both <- psd_density(cbind(a = x, b = rev(x)), sigma = 1, lambda = 0.1, lower = 0,
                      transform = "log")
  slope <- predict(both, psd_mode(both)[1, 1:2], type = "gradient")
  expect_lt(max(abs(slope)), 1e-4 * psd_mode(both)$density[1])
})

test_that("modes and regions are found beside outliers of any distance", {
  x <- c(qnorm(ppoints(60)), 1e12)
  fit <- psd_density(x, sigma = 0.5, lambda = 1e-3)
  expect_equal(psd_mode(fit)$density[1], max(predict(fit, seq(-3, 3, by = 1e-3))),
               tolerance = 1e-6)
  region <- psd_hdr(fit, 0.5)
  expect_true(all(abs(c(region$lower, region$upper)) < 3))
  expect_equal(sum(psd_prob(fit, matrix(region$lower), matrix(region$upper))), 0.5,
               tolerance = 1e-6)
})

test_that("regions that a grid does not resolve are refused", {
  x <- cbind(a = c(rnorm(20), 1e9), b = rnorm(21))
  fit <- psd_density(x, sigma = 0.5, lambda = 1e-3)
  expect_error(psd_hdr(fit, 0.9, n = 20), "`n` must be larger", class = "psd_unresolved")
})

test_that("landmarks far from all others are modes, whatever the size of a column", {
  set.seed(7)
  x <- cbind(a = rnorm(30), b = 1e-180 * rnorm(30), c = rnorm(30, 50, 10), d = rnorm(30, 0, 30))
  fit <- psd_density(x, sigma = 0.15, lambda = 1e-3, standardize = FALSE, shape = "full")
  modes <- psd_mode(fit)
  expect_identical(nrow(modes), 30L)
  expect_equal(sort(modes$a), sort(x[, "a"]), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("regions of small and large probability have it, also on a coarse grid", {
  set.seed(3)
  fit <- psd_density(rexp(50), sigma = 1.9, lambda = 7e-4, standardize = FALSE)
  for (prob in c(1e-3, 0.01, 0.999)) {
    region <- psd_hdr(fit, prob)
    inside <- mapply(function(from, to) psd_prob(fit, from, to), region$lower, region$upper)
    expect_equal(sum(inside), prob, tolerance = 1e-5)
  }
  top <- psd_hdr(fit, 1e-12)
  expect_equal(top$level, max(psd_mode(fit)$density), tolerance = 1e-6)
})

test_that("a density that rises towards a bound without end has its mode beside the bound", {
  set.seed(3)
  x <- cbind(a = rbeta(15, 2, 2), b = 50 + rbeta(15, 2, 2))
  # On the logit scale it falls less than the scale rises.
  rising <- function(x, ...) {
    psd_density(x, sigma = 5, lambda = 0.6, kernel = "abel", transform = "logit", ...)
  }
  for (fit in list(rising(x[, "b"], lower = 50, upper = 51),
                   rising(x, lower = c(0, 50), upper = c(1, 51)))) {
    found <- psd_mode(fit)
    at <- found[names(found) != "density"]
    expect_true(all(is.finite(found$density)))
    expect_gt(min(found$density), 1e3)
    expect_equal(found$density, predict(fit, if (length(at) == 1) at[[1]] else at))
  }
  many <- rising(cbind(x, c = x[, 1]^2, d = x[, 1]^3), lower = c(0, 50, 0, 0),
                 upper = c(1, 51, 1, 1))
  expect_true(all(is.finite(psd_mode(many)$density)))
})

test_that("climbs that end within a twentieth of a width are one peak, the highest", {
  object <- list(functions = list(list(anchors = list(width = cbind(c(1, 3), c(8, 2))))))
  t <- rbind(c(0, 0), c(0.049, 0.09), c(0.051, 0), c(0, 0.11), c(0.06, 0.01))
  x <- cbind(a = 1:5, b = 6:10)
  expect_identical(distinct_peaks(x, t, object), x[c(1, 3, 4), ])
  expect_identical(distinct_peaks(x[1, , drop = FALSE], t[1, , drop = FALSE], object),
                   x[1, , drop = FALSE])
})

test_that("a density of a single row has one mode, that row, and its regions around it", {
  one <- psd_density(cbind(a = 1, b = 2), sigma = 1, lambda = 0.1, standardize = FALSE)
  mode <- psd_mode(one)
  expect_equal(unlist(mode[1:2]), c(a = 1, b = 2), tolerance = 1e-6)
  expect_identical(nrow(mode), 1L)
})

test_that("the grid for regions has the highest density among its points", {
  fit <- psd_density(c(0, 0.3, 2), sigma = 0.7, lambda = 0.01, standardize = FALSE)
  grid <- seq(-3, 5, by = 0.37)
  found <- with_highest(fit, grid)
  expect_length(found, length(grid) + 1)
  new <- setdiff(found, grid)
  expect_equal(new, psd_mode(fit)$x[1], tolerance = 1e-6)
  expect_false(is.unsorted(found))
  # A density that falls from its bound on is highest there already.
  bounded <- psd_density(c(0.1, 0.2, 0.9), lower = 0, sigma = 3, lambda = 0.01, transform = "none",
                         standardize = FALSE)
  from_zero <- seq(0, 3, by = 0.1)
  expect_identical(which.max(predict(bounded, from_zero)), 1L)
  expect_identical(with_highest(bounded, from_zero), from_zero)
})
