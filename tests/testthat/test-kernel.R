# Closed-form integrals of kernels against integrate().

# One row a kernel: log k(t).
log_kernel <- list(
  gaussian = function(t) -t^2 / 2,
  abel = function(t) -abs(t),
  matern32 = function(t) log1p(sqrt(3) * abs(t)) - sqrt(3) * abs(t)
)

# The log of the mass between 30 and 31 of the square of the section at 0 of width 0.1: the height
# at 30 over the slope of its logarithm there.
far_tail <- function(kernel) {
  height <- function(x) 2 * log_kernel[[kernel]](x / 0.1)
  height(30) - log((height(29.99) - height(30.01)) / 0.02)
}

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
  near <- if (is.finite(weight[4])) weight[3] + weight[4] * seq(-12, 12, by = 2)
  cuts <- sort(unique(c(seq(ends[1], ends[2], length.out = 60), one[1], other[1], near)))
  cuts <- cuts[cuts >= ends[1] & cuts <= ends[2]]
  sum(mapply(function(lo, hi) integrate(f, lo, hi, rel.tol = 1e-11, abs.tol = 1e-14)$value,
             head(cuts, -1), tail(cuts, -1)))
}

weights <- list(line = c(-Inf, Inf, 0, Inf), box = c(-0.7, 1.9, 0, Inf), half = c(0.2, Inf, 0, Inf),
                gauss = c(-Inf, Inf, 0.5, 1.3), gauss_box = c(-1, 2.5, -0.3, 0.8),
                tail = c(6, 9, 0, Inf), narrow = c(-Inf, Inf, 0.5, 1e-3),
                narrow_far = c(-Inf, 3, 4, 0.05), wide = c(-1, Inf, 5, 1e3))
bumps <- list(same = list(c(0.3, 0.6), c(0.3, 0.6)), apart = list(c(-0.4, 0.5), c(1.1, 0.9)),
              wide = list(c(0.2, 5), c(-1, 0.3)), far = list(c(-6, 0.3), c(7, 0.5)))

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
    short <- psdmodels:::cpp_kernel_product(kernel, c(0, Inf), c(0, Inf), c(0.2, 0.3, -0.1, 50))
    expect_equal(short, c(log(0.1) + dnorm(0.25, -0.1, 50, log = TRUE), 0.25, 0.19 / 3),
                 tolerance = 1e-6)
    both <- psdmodels:::cpp_kernel_product(kernel, c(0, Inf), c(0, Inf), c(-1, 3, 0, Inf))
    expect_equal(both, c(log(4), 1, 7 / 3), tolerance = 1e-12)
    expect_identical(psdmodels:::cpp_kernel_product(kernel, c(0, Inf), c(0, Inf),
                                                    c(-Inf, Inf, 0, Inf))[1], Inf)
  })

  test_that(paste0(kernel, ": moments of a product do not depend on the unit"), {
    for (weight in weights) for (pair in bumps) {
      plain <- psdmodels:::cpp_kernel_product(kernel, pair[[1]], pair[[2]], weight)
      for (unit in 2^c(-300, 300)) {
        out <- psdmodels:::cpp_kernel_product(kernel, unit * pair[[1]], unit * pair[[2]],
                                              unit * weight)
        log_unit <- if (is.finite(weight[4])) 0 else log(unit)
        expect_equal(out - c(log_unit, 0, 0), plain * unit^(0:2), tolerance = 1e-9)
        expect_equal(out[2:3] / unit^(1:2), plain[2:3], tolerance = 1e-9)
      }
    }
  })

  # Over a box beside which everything is wide the product is its value there, and x is uniform.
  test_that(paste0(kernel, ": a box may be as narrow as numbers allow"), {
    log_k <- log_kernel[[kernel]]
    for (sd in c(Inf, 1.3)) for (wide in c(1, 1e150)) for (length in 10^-c(8, 12, 20, 110, 160)) {
      one <- wide * c(0.3, 0.6)
      other <- wide * c(-1, 2)
      out <- psdmodels:::cpp_kernel_product(kernel, one, other, c(0, length, 0.7, sd))
      height <- log_k(-0.3 / 0.6) + log_k(0.5) +
        if (is.finite(sd)) dnorm(0, 0.7, sd, log = TRUE) else 0
      expect_equal(out[1] - log(length), height, tolerance = 1e-7)
      expect_equal(out[2] / length, 1 / 2, tolerance = 1e-7)
      if (length > 1e-150) expect_equal(out[3] / length / length, 1 / 3, tolerance = 1e-7)
    }
  })

  test_that(paste0(kernel, ": a box far out in the tails may be narrow"), {
    one <- c(-4, 0.5)
    for (length in c(1e-3, 1e-6, 1e-10)) {
      out <- psdmodels:::cpp_kernel_product(kernel, one, one, c(0, length, 0, Inf))
      log_k <- log_kernel[[kernel]]
      f <- function(u) exp(2 * (log_k((u * length + 4) / 0.5) - log_k(8)))
      mass <- integrate(f, 0, 1, rel.tol = 1e-12)$value
      mean <- integrate(function(u) u * f(u), 0, 1, rel.tol = 1e-12)$value / mass
      expect_equal(out[1], 2 * log_k(8) + log(length * mass), tolerance = 1e-12)
      expect_equal(out[2] / length, mean, tolerance = 1e-9)
    }
  })

  test_that(paste0(kernel, ": far tails keep their logarithm"), {
    out <- psdmodels:::cpp_kernel_product(kernel, c(0, 0.1), c(0, 0.1), c(30, 31, 0, Inf))
    expect_equal(out[1], far_tail(kernel), tolerance = 1e-5)
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

for (kernel in names(log_kernel)) {
  test_that(paste0(kernel, ": the traits are true"), {
    traits <- psdmodels:::cpp_kernel_traits(kernel)
    expect_named(traits, c("kinked", "smooth", "normal", "root", "decay"))
    k <- function(t) exp(log_kernel[[kernel]](t))
    t <- seq(-4, 4, by = 0.1)
    if (!is.na(traits$root)) expect_equal(k(t / traits$root)^2, k(t))
    if (is.na(traits$root)) {
      for (s in c(1.2, sqrt(2), 2)) expect_gt(max(abs(k(t / s)^2 - k(t))), 1e-3)
    }
    h <- 1e-4
    jump <- function(order) {  # of a derivative at the center, one-sided differences
      d <- function(side) {
        at <- side * h * (0:3)
        weights <- list(c(-1, 1, 0, 0), c(1, -2, 1, 0), c(-1, 3, -3, 1))[[order]]
        sum(weights * k(at)) / (side * h)^order
      }
      abs(d(1) - d(-1))
    }
    expect_identical(traits$kinked, jump(1) > 0.1)
    expect_identical(traits$smooth, max(jump(1), jump(2), jump(3)) < 0.1)
    curved <- diff(log_kernel[[kernel]](seq(-3, 3, by = 0.5)), differences = 3)
    expect_identical(traits$normal, max(abs(curved)) < 1e-10)
    fall <- -diff(log_kernel[[kernel]](c(1e5, 1e5 + 1)))
    if (is.finite(traits$decay)) expect_equal(fall, traits$decay, tolerance = 1e-4)
    else expect_gt(fall, 1e4)
  })

  test_that(paste0(kernel, ": distribution functions and draws agree with closed-form integrals"), {
    set.seed(2)
    coefficients <- matrix(rnorm(12), 6)
    anchors <- list(at = matrix(rnorm(6)), width = matrix(runif(6, 0.3, 1.5)))
    f <- psdmodels:::new_function("psd", kernel, anchors, coefficients)
    normal <- modifyList(lebesgue(), list(sd = 0.7))
    for (measure in list(lebesgue(), lebesgue(1, -1, 1.5), normal)) {
      mass <- function(to) mass_in_boxes(f, measure, rep(measure$lower, length(to)), to)
      ends <- seq(-0.9, 1.4, by = 0.1)
      expect_equal(psdmodels:::cpp_distribution(f, measure, ends), mass(ends) / mass(measure$upper),
                   tolerance = 1e-10)
      u <- cbind(seq(0.001, 0.999, length.out = 41))
      x <- psdmodels:::cpp_draw(kernel, f$anchors, list(f$coefficients), measure, u)
      expect_equal(psdmodels:::cpp_distribution(f, measure, x), u[, 1], tolerance = 1e-10)
    }
  })
}

test_that("a Gram matrix in d dimensions is the product over coordinates, in log form", {
  anchors <- list(at = matrix(0, 1, 200), width = matrix(1e-3, 1, 200))
  gram <- psdmodels:::cpp_gram("gaussian", anchors, lebesgue(200), rep(0L, 200))
  expect_equal(gram$log_scale, 200 * log(1e-3 * sqrt(pi)))
  expect_equal(gram$value, matrix(1))
})

test_that("box integrals of functions with different widths match numerical integration", {
  anchors <- list(at = cbind(c(0, 1, 2)), width = cbind(c(0.5, 0.8, Inf)))
  for (type in c("psd", "linear")) {
    f <- psdmodels:::new_function(type, "gaussian", anchors, cbind(c(1, -0.5, 0.3)))
    values <- function(x) psdmodels:::cpp_evaluate(f, cbind(x))
    expected <- integrate(values, -1, 2.5, rel.tol = 1e-12)
    expect_equal(mass_in_boxes(f, lebesgue(), -1, 2.5), expected$value, tolerance = 1e-10)
  }
})

test_that("many masses at once are those of products one by one", {
  set.seed(4)
  for (kernel in names(log_kernel)) for (weight in weights) {
    at <- matrix(c(rnorm(20), 1e3, -6, 0))
    width <- matrix(c(10^runif(20, -2, 1), 0.1, 0.3, 1e8))
    measure <- list(lower = weight[1], upper = weight[2], mean = weight[3], sd = weight[4])
    gram <- psdmodels:::cpp_gram(kernel, list(at = at, width = width), measure, 0L)
    each <- outer(1:23, 1:23, Vectorize(function(i, j) {
      psdmodels:::cpp_kernel_product(kernel, c(at[i], width[i]), c(at[j], width[j]), weight)[1]
    }))
    expect_equal(gram$value, exp(each - max(each)), tolerance = 1e-12)
    expect_equal(gram$log_scale, max(each), tolerance = 1e-12)
  }
})

test_that("tails of the normal keep all digits", {
  for (from in c(3.1, 7.9, 8, 8.1, 12, 19.9, 20, 35, 100, 1e4)) {
    out <- psdmodels:::cpp_kernel_product("gaussian", c(0, 1), c(0, Inf), c(from, Inf, 0, Inf))
    log_tail <- pnorm(from, lower.tail = FALSE, log.p = TRUE)
    expect_equal(out[1], log_tail + log(2 * pi) / 2, tolerance = 1e-14)
    # Of two logs that are large together digits get lost.
    if (from < 50) expect_equal(out[2], exp(dnorm(from, log = TRUE) - log_tail), tolerance = 1e-11)
  }
})
