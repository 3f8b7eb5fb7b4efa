# Closed-form integrals of kernels against integrate().
log_kernel <- list(gaussian = function(t) -t^2 / 2, abel = function(t) -abs(t))

# int x^m k((x - a) / s) k((x - b) / t) weight, divided by exp(peak), piece by piece.
numerical <- function(kernel, m, one, other, weight, peak) {
  log_k <- log_kernel[[kernel]]
  f <- function(x) {
    log_weight <- if (is.finite(weight[4])) dnorm(x, weight[3], weight[4], log = TRUE) else 0
    x^m * exp(log_k((x - one[1]) / one[2]) + log_k((x - other[1]) / other[2]) + log_weight - peak)
  }
  reach <- 40 * max(one[2], min(other[2], 10))
  ends <- c(max(weight[1], min(one[1], other[1]) - reach),
            min(weight[2], max(one[1], other[1]) + reach))
  cuts <- sort(unique(c(seq(ends[1], ends[2], length.out = 60), one[1], other[1])))
  cuts <- cuts[cuts >= ends[1] & cuts <= ends[2]]
  sum(mapply(function(lo, hi) integrate(f, lo, hi, rel.tol = 1e-11, abs.tol = 1e-14)$value,
             head(cuts, -1), tail(cuts, -1)))
}

weights <- list(line = c(-Inf, Inf, 0, Inf), box = c(-0.7, 1.9, 0, Inf), half = c(0.2, Inf, 0, Inf),
                gauss = c(-Inf, Inf, 0.5, 1.3), gauss_box = c(-1, 2.5, -0.3, 0.8),
                tail = c(6, 9, 0, Inf))
bumps <- list(same = list(c(0.3, 0.6), c(0.3, 0.6)), apart = list(c(-0.4, 0.5), c(1.1, 0.9)),
              wide = list(c(0.2, 5), c(-1, 0.3)))

test_that("every registered kernel is tested", {
  expect_setequal(names(log_kernel), psdmodels:::cpp_kernel_names())
})

for (kernel in names(log_kernel)) {
  test_that(paste0(kernel, ": moments of a product match numerical integration to 1e-9"), {
    for (weight in weights) for (pair in bumps) {
      out <- psdmodels:::cpp_kernel_product(kernel, pair[[1]], pair[[2]], weight)
      moment <- function(m) numerical(kernel, m, pair[[1]], pair[[2]], weight, out[1])
      expect_equal(moment(0), 1, tolerance = 1e-9)
      expect_equal(out[2], moment(1), tolerance = 1e-9)
      expect_equal(out[3], moment(2), tolerance = 1e-9)
    }
  })

  test_that(paste0(kernel, ": an infinite width is the constant one"), {
    out <- psdmodels:::cpp_kernel_product(kernel, c(0.3, 0.6), c(5, Inf), c(-0.7, 1.9, 0, Inf))
    expect_equal(numerical(kernel, 0, c(0.3, 0.6), c(5, 1e12), c(-0.7, 1.9, 0, Inf), out[1]), 1,
                 tolerance = 1e-9)
    both <- psdmodels:::cpp_kernel_product(kernel, c(0, Inf), c(0, Inf), c(-1, 3, 0, Inf))
    expect_equal(both, c(log(4), 1, 7 / 3), tolerance = 1e-12)
    expect_identical(psdmodels:::cpp_kernel_product(kernel, c(0, Inf), c(0, Inf),
                                                    c(-Inf, Inf, 0, Inf))[1], Inf)
  })

  test_that(paste0(kernel, ": far tails keep their logarithm"), {
    out <- psdmodels:::cpp_kernel_product(kernel, c(0, 0.1), c(0, 0.1), c(30, 31, 0, Inf))
    expected <- if (kernel == "gaussian") -90000 - log(2 * 30 / 0.01) else -600 + log(0.05)
    expect_equal(out[1], expected, tolerance = 1e-6)
    expect_gt(out[2], 30)
  })

  test_that(paste0(kernel, ": the gradient of a fitted function matches finite differences"), {
    set.seed(1)
    f <- list(type = "psd", kernel = kernel, coefficients = matrix(rnorm(10), 5),
              anchors = list(at = matrix(rnorm(15), 5), width = matrix(runif(15, 0.5, 2), 5)))
    x <- matrix(rnorm(12), 4)
    for (type in c("psd", "linear")) {
      f$type <- type
      slope <- sapply(1:3, function(k) {
        e <- matrix(replace(numeric(3), k, 1e-6), 4, 3, byrow = TRUE)
        (psdmodels:::cpp_evaluate(f, x + e) - psdmodels:::cpp_evaluate(f, x - e)) / 2e-6
      })
      expect_equal(psdmodels:::cpp_gradient(f, x), slope, tolerance = 1e-6)
    }
    f$type <- "psd"
    expect_equal(psdmodels:::cpp_log_evaluate(f, x), log(psdmodels:::cpp_evaluate(f, x)))
  })
}

test_that("a Gram matrix in d dimensions is the product over coordinates, in log form", {
  anchors <- list(at = matrix(0, 1, 200), width = matrix(1e-3, 1, 200))
  gram <- psdmodels:::cpp_gram("gaussian", anchors, lebesgue(200), rep(0L, 200))
  expect_equal(gram$log_scale, 200 * log(1e-3 * sqrt(pi)))
  expect_equal(gram$value, matrix(1))
})

test_that("box integrals of functions with different widths match numerical integration", {
  f <- list(type = "psd", kernel = "gaussian", coefficients = cbind(c(1, -0.5, 0.3)),
            anchors = list(at = cbind(c(0, 1, 2)), width = cbind(c(0.5, 0.8, Inf))))
  expected <- integrate(function(x) psdmodels:::cpp_evaluate(f, cbind(x)), -1, 2.5, rel.tol = 1e-12)
  expect_equal(psdmodels:::cpp_box_integrals(f, lebesgue(), cbind(-1), cbind(2.5)), expected$value,
               tolerance = 1e-10)
  f$type <- "linear"
  expected <- integrate(function(x) psdmodels:::cpp_evaluate(f, cbind(x)), -1, 2.5, rel.tol = 1e-12)
  expect_equal(psdmodels:::cpp_box_integrals(f, lebesgue(), cbind(-1), cbind(2.5)), expected$value,
               tolerance = 1e-10)
})
