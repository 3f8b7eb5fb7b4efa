# Boxes of turned densities by quadrature, in cells that are short only where kernels are narrow.

test_that("steps are no longer than what any anchor within reach allows, and not much shorter", {
  at <- c(0, 10)
  ends <- graded_ends(-50, 60, at, longest = c(20, 0.5), reach = c(200, 3))
  expect_equal(range(ends), c(-50, 60))
  expect_false(is.unsorted(ends, strictly = TRUE))
  step <- diff(ends)
  near <- ends[-1] > 7 & ends[-length(ends)] < 13
  expect_lte(max(step[near]), 0.5 + 1e-12)
  expect_lte(max(step), 20 + 1e-12)
  expect_lte(length(ends), 25)  # 221 if all were as short
})

test_that("a box that holds everything in all columns but one has the mass of the marginal", {
  set.seed(6)
  x <- matrix(rnorm(36), 12) %*% (diag(3) + 0.5)
  fit <- psd_density(x, sigma = psd_widths(c(2, 0.3)), lambda = 0.01, shape = "full",
                     transform = "none")
  wide <- apply(fit$range, 2, diff) * 12
  for (k in 1:3) {
    lower <- replace(rep(-Inf, 3), k, -1)
    upper <- replace(rep(Inf, 3), k, 0.5)
    expect_equal(psd_prob(fit, pmax(lower, -wide), pmin(upper, wide)), psd_prob(fit, lower, upper),
                 tolerance = 1e-7)
  }
})

test_that("the whole space has probability one, and a box without inside none", {
  set.seed(6)
  fit <- psd_density(matrix(rnorm(24), 12) %*% (diag(2) + 0.5), sigma = 1, lambda = 0.1,
                     shape = "full")
  expect_true(is_turned(fit))
  # before it is cut off at one
  expect_identical(turned_box_mass(fit, rbind(c(-Inf, -Inf), c(1, -Inf)),
                                   rbind(c(Inf, Inf), c(1, Inf))), c(1, 0))
})
