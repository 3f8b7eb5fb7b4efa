# The limits of double precision, from either side: what is just inside is taken, what is just
# beyond is refused by name.

refused <- function(code, words) expect_error(code, words, class = "psd_input_error")
taken <- function(code) expect_no_error(code)
here <- rlang::current_env()

test_that("columns may be small or have far values up to a limit", {
  x <- 1e-290 * cbind(a = c(-1, 0, 1))
  taken(check_size(x, 2e-290, "x", here))
  refused(check_size(x, 0.5e-290, "x", here), "must have a spread of at least 1e-290, not 5e-291")
  far <- cbind(a = c(-1, 1), b = c(0, 1e100))
  taken(check_size(far, c(1, 1.1), "x", here))
  refused(check_size(far, c(1, 0.9), "x", here), "Column b of `x` .* 1e\\+100 times")
  taken(check_size(-far, c(1, 1.1), "x", here))
  refused(check_size(-far, c(1, 0.9), "x", here), "Column b of `x`")
})

test_that("a column is constant if it varies in less than three of its digits", {
  digits <- .Machine$double.eps
  expect_identical(is_constant(c(900, 1100) * digits, c(1, 1)), c(TRUE, FALSE))
  expect_identical(is_constant(c(900, 1100) * digits, c(-1, -1)), c(TRUE, FALSE))
  expect_identical(is_constant(c(0, 1e-300), c(0, 0)), c(TRUE, FALSE))
  refused(check_scale(cbind(a = rep(3, 4)), 0, "x", here), "Column a of `x` is constant")
  refused(check_scale(cbind(c(2, 3, 4)), 4e-14, "x", here), "`x` varies in its last digits only")
  taken(check_scale(cbind(c(-2, 3, 4)), 1e-12, "x", here))
})

test_that("a response that is not standardised has squares, and inverses of them", {
  for (y in list(c(1, -9e99), c(0, 2e-100), c(0, 0))) taken(check_unscaled(y, "y", here))
  for (y in list(c(1, -2e100), c(0, -5e-101))) {
    refused(check_unscaled(y, "y", here), "`y` must be of a size between 1e-100 and 1e\\+100")
  }
})

test_that("a box that is a point beside the data is refused for the column that makes it one", {
  ends <- function(lower, upper) rbind(lower, upper)
  columns <- c("a", "b")
  taken(check_box_ends(ends(c(1, -Inf), c(1 + 1e-12, Inf)), columns, here))
  refused(check_box_ends(ends(c(0, 1), c(1, 1 + 1e-13)), columns, here), "column b goes")
})

test_that("a density is a number where its logarithm is moderate, in all columns together", {
  sized <- function(...) list(center = 0 * c(...), scale = exp(c(...)))
  t <- matrix(0, 1, 2)
  taken(check_jacobian(t, sized(299, 299)))
  taken(check_jacobian(t, sized(-299, -299)))
  refused(check_jacobian(t, sized(301, 301)), "not one of size 1e-261")
  refused(check_jacobian(t, sized(-301, -301)), "not one of size 1e261")
  # Columns that make up for each other have no numbers of their own.
  refused(check_jacobian(t, sized(-601, 601)), "not one of size")
  taken(check_density_size(c(-9e9, 599), here))
  refused(check_density_size(c(0, 601), here), "of size 1e261")
  taken(check_window(list(lower = c(0, 0), upper = exp(c(299, 299)))))
  refused(check_window(list(lower = c(0, 0), upper = exp(c(301, 301)))), "not one of size 1e261")
  refused(check_window(list(lower = c(0, 0), upper = exp(-c(301, 301)))), "not one of size 1e-261")
  taken(check_integral_size(-exp(1), 600, here))
  taken(check_integral_size(0, 1e9, here))
  refused(check_integral_size(-exp(1), 602, here), "not one of size 1e-261")
})

test_that("kernels are wider than the distance of numbers at the largest value", {
  problem <- list(x = matrix(c(-8, 1)), measure = list(), parts = list(psd = list()))
  width <- 80 * .Machine$double.eps
  taken(check_resolved(problem, 1.01 * width, here))
  refused(check_resolved(problem, 0.99 * width, here), "`sigma` must be at least 1.8e-14")
  problem$parts$psd$widths <- psd_widths(c(1, 0.5))
  taken(check_resolved(problem, 2.01 * width, here))
  refused(check_resolved(problem, 1.99 * width, here), "`sigma` must be at least")
  problem$measure <- NULL
  taken(check_resolved(problem, 1e-30, here))
})

test_that("a base may be thirty standard deviations from the data", {
  x <- cbind(a = c(0, 1), b = c(-29.9, 0))
  measure <- list(mean = c(0, 0), sd = c(1, 1))
  taken(check_near_base(x, measure, here))
  refused(check_near_base(1.01 * x, measure, here), "b lies 30 standard deviations away")
  measure$sd <- c(Inf, Inf)
  taken(check_near_base(1e9 * x, measure, here))
})

test_that("what is refused for its size names the first column concerned", {
  x <- cbind(a = 1:2, "b{c}" = 3:4)
  expect_identical(column_label(x, c(FALSE, TRUE)), "Column {.field b{{c}}} of {.arg {arg}}")
  expect_identical(column_label(unname(x), c(FALSE, TRUE)), "{.arg {arg}}")
})

test_that("kernels go where numbers are, transformed back, and can be told from a bound", {
  log_scale <- list(center = c(0, 0), scale = c(1, 1),
                    transforms = rep(list(list(name = "log", parameters = c(lower = 0))), 2))
  anchors <- function(at, width) list(at = cbind(0, at), width = cbind(1, width))
  taken(check_invertible(anchors(690, 3), log_scale, here))
  # Their reach is no number, or their core is none, or neither.
  for (far in list(anchors(690, 5), anchors(-800, 1), anchors(750, 1))) {
    refused(check_invertible(far, log_scale, here), "`sigma` must be smaller where .* is \"log\"")
  }
  taken(check_invertible(anchors(0, Inf), log_scale, here))
  log_scale$transforms <- NULL
  taken(check_invertible(anchors(750, 1e9), log_scale, here))
})
