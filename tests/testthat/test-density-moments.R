
test_that("moments are numbers where kernels are so far apart in width that masses underflow", {
  fit <- psd_density(cbind(1:3, c(2, 1, 4)), sigma = 1, lambda = 0.1, standardize = FALSE)
  f <- fit$functions[[1]]
  # Sections 1 and 2 share exp(-700): a number beside the masses of all coordinates, none beside
  # those of the first alone, where section 3 is 1e11 wide.
  f$anchors <- list(at = cbind(c(0, 52.9, 0), 0), width = cbind(c(1, 1, 1e11), c(1, 1, 1e-11)))
  f$coefficients <- matrix(1, 3, 1)
  moments <- moments_of(f, fit$measure, -log_integral(f, fit$measure))
  expect_equal(moments$mean, c(52.9 / 3, 0), tolerance = 1e-9)
  expect_equal(diag(moments$second), c(1e22 / 6, 1 / 3), tolerance = 1e-9)
})

test_that("on another scale cells are short where kernels are narrow, and moments exact", {
  set.seed(1)
  x <- cbind(exp(rnorm(30)), exp(rnorm(30)))
  fit <- psd_density(x, lower = 0, transform = "log", sigma = psd_widths(c(4, 0.01)), lambda = 1e-2)
  f <- fit$functions[[1]]
  nodes <- line_nodes(f, fit$measure, 1)
  expect_lt(length(nodes$t), 8000)
  v <- exp(cpp_log_sections(f$kernel, take_anchors(f$anchors, 1), matrix(nodes$t)))
  exact <- section_integrals(f, fit$measure, 1)
  expect_equal(v %*% (nodes$weight * t(v)), exact$value * exp(exact$log_scale), tolerance = 1e-9,
               ignore_attr = TRUE)
})
