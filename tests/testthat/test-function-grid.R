# Grids on the line, fine where a function is narrow and nowhere else.

one_column <- function(at, width) list(at = matrix(at), width = matrix(width))

test_that("a grid is even where that takes few points, and as fine as asked for", {
  anchors <- one_column(c(0, 3), c(1, 0.5))
  grid <- resolved_grid(-2, 6, anchors, step = 0.1, reach = 4, least = 10, most = 1000)
  expect_equal(grid, seq(-2, 6, length.out = 161))
  few <- resolved_grid(-2, 6, anchors, step = 2, reach = 4, least = 10, most = 1000)
  expect_equal(few, seq(-2, 6, length.out = 11))
})

test_that("beside narrow sections a grid is finer, as far as they reach", {
  anchors <- one_column(c(-50, 3, 7), c(30, 0.01, 1))
  grid <- resolved_grid(-100, 100, anchors, step = 0.1, reach = 4, least = 10, most = 400)
  expect_identical(range(grid), c(-100, 100))
  expect_false(is.unsorted(grid, strictly = TRUE))
  expect_lte(max(diff(grid)), 0.5 + 1e-12)
  near <- abs(grid - 3) < 0.04 - 1e-9
  expect_lte(max(diff(grid[near])), 0.001 + 1e-12)
  beside <- abs(grid - 7) < 3
  expect_lte(max(diff(grid[beside])), 0.1 + 1e-12)
  expect_lt(length(grid), 401 + 81 + 81 + 1)
  # What would lie beyond the ends is left out.
  cut <- resolved_grid(2.99, 203, anchors, step = 0.1, reach = 4, least = 10, most = 400)
  expect_identical(range(cut), c(2.99, 203))
})

test_that("cells are no longer than the size of any section within reach, and end at kinks", {
  at <- c(0, 10)
  edges <- local_cells(-40, 40, at, reach = c(30, 2), size = c(3, 0.5), kinks = c(-35, 5))
  expect_identical(range(edges), c(-40, 40))
  expect_false(is.unsorted(edges, strictly = TRUE))
  middle <- edges[-1] - diff(edges) / 2
  size <- diff(edges)
  expect_lte(max(size[abs(middle) < 30]), 3 + 1e-12)
  expect_lte(max(size[abs(middle - 10) < 2]), 0.5 + 1e-12)
  expect_true(all(c(-35, 5, -30, 30, 8, 12) %in% round(edges, 12)))
  # 5 beyond the reach on either side of the kink, twenty of length 3, eight of 0.5 and their rests.
  expect_lte(length(size), 3 + 22 + 8)
  expect_equal(local_cells(0, 1, 0.5, reach = 9, size = 0.3, kinks = NULL), seq(0, 1, by = 0.25))
  expect_equal(local_cells(0, 1, 0.5, reach = 9, size = 7, kinks = NULL), c(0, 1))
})

test_that("steps outward grow by a quarter up to the end", {
  expect_identical(outward_steps(1, 0), numeric())
  steps <- outward_steps(0.5, 20)
  expect_identical(steps[1], 0.5)
  expect_identical(max(steps), 20)
  inner <- steps[steps < 20]
  expect_equal(inner[-1] / inner[-length(inner)], rep(1.25, length(inner) - 1))
  expect_gte(inner[length(inner)] * 1.25, 20)
  expect_identical(outward_steps(3, 2), 2)
})

test_that("nodes of a line integrate products of sections far beyond their reach", {
  f <- new_function("psd", "gaussian", one_column(c(0, 1), c(1, 0.2)), diag(2))
  measure <- list(lower = -Inf, upper = Inf, mean = 0, sd = Inf)
  nodes <- line_nodes(f, measure, 1, beyond = 30)
  expect_gt(max(nodes$t), 38)
  expect_lt(min(nodes$t), -38)
  expect_equal(sum(nodes$weight), diff(range(c(0 - 9 - 30, 9 + 30))), tolerance = 1e-12)
  expect_equal(sum(nodes$weight * nodes$t^2 * exp(-nodes$t^2)), sqrt(pi) / 2, tolerance = 1e-12)
  half <- line_nodes(f, list(lower = 0, upper = 5, mean = 0, sd = 2), 1, beyond = 30)
  expect_gt(min(half$t), 0)
  expect_equal(sum(half$weight), 2 * sqrt(2 * pi) * (pnorm(5 / 2) - 0.5) / (2 * sqrt(2 * pi)),
               tolerance = 1e-12)
})

test_that("a function that falls has its root between the ends, or one of them", {
  expect_equal(level_of(function(t) 2 - t, c(0, 5)), 2, tolerance = 1e-10)
  expect_identical(level_of(function(t) -t, c(1, 5)), 1)
  expect_identical(level_of(function(t) 9 - t, c(1, 5)), 5)
})
