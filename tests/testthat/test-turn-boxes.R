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

test_that("sections that are left out of a cell are nothing there, the others all stay", {
  f <- new_function("psd", "gaussian", list(at = cbind(c(0, 10, 30, 8), 0),
                                            width = cbind(c(1, 1, 3, 0.1), 1)), diag(4))
  for (cell in list(c(2, 4), c(9, 10), c(6.9, 6.95))) {
    near <- anchors_near(f, 1, cell[1], cell[2])
    kept <- f$anchors$at[, 1] %in% near$anchors$at[, 1]
    distance <- pmax(cell[1] - f$anchors$at[, 1], f$anchors$at[, 1] - cell[2], 0)
    largest <- exp(-(distance / f$anchors$width[, 1])^2 / 2)
    expect_identical(kept, largest > exp(-7^2 / 2))
    expect_identical(near$coefficients, f$coefficients[kept, , drop = FALSE])
    expect_identical(near$anchors$width, f$anchors$width[kept, , drop = FALSE])
  }
})

test_that("cells go as far as sections say anything, and are shorter where a turn is steeper", {
  f <- new_function("psd", "gaussian", list(at = cbind(c(0, 4)), width = cbind(c(1, 0.5))), diag(2))
  cells <- slanted_cells(f, 1, -Inf, Inf, 1)
  expect_equal(c(cells$from[1], max(cells$to)), c(-5.5, 4 + 5.5 * 0.5))
  expect_equal(cells$from[-1], cells$to[-length(cells$to)])
  expect_lte(max(cells$to - cells$from), 3.5)
  expect_gt(length(slanted_cells(f, 1, -Inf, Inf, 4)$from), 3 * length(cells$from))
  inside <- slanted_cells(f, 1, 1, 2, 1)
  expect_equal(range(unlist(inside)), c(1, 2))
  expect_length(slanted_cells(f, 1, 20, 30, 1)$from, 0)
  expect_equal(steepness(diag(3)), rep(1, 3))
  # In two coordinates: a side of the box moves by -turn[1, 2] / turn[2, 2] with the first.
  turn <- rbind(c(2, 3), c(0, 0.5))
  expect_equal(steepness(turn)[2], 1)
  expect_gte(steepness(turn)[1], 3 / 2)
})
