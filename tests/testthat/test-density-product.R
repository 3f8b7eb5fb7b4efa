f <- psd_density(faithful$eruptions[1:136], sigma = 0.5, lambda = 1e-2, base = psd_gaussian(3, 2))
g <- psd_density(faithful$eruptions[137:272], sigma = 0.4, lambda = 1e-2, lower = 1)
heavy <- psd_density(faithful$eruptions[137:272], sigma = 0.4, lambda = 1e-2, lower = 0,
                     transform = "log")
abel <- psd_density(faithful$eruptions[1:136], kernel = "abel", sigma = 1, lambda = 1e-2)
exponential <- local({
  set.seed(1)
  psd_density(faithful$eruptions, sigma = 0.5, lambda = 1e-2, model = "glm",
              base = psd_gaussian(3, 2))
})

# With the bounds 0 and 1, at which densities jump, between two pieces.
whole <- function(h, lower = -6, upper = 14) {
  rule <- quadrature(lower, upper, parts = 400 * (upper - lower), n = 6)
  sum(rule$w * h(rule$x))
}

test_that("on the line the product is the normalised product, whatever it is made of", {
  pairs <- list(list(f, g), list(g, f), list(heavy, f), list(f, heavy), list(abel, heavy),
                list(exponential, g))
  for (pair in pairs) {
    both <- psd_product(pair[[1]], pair[[2]])
    raw <- function(x) predict(pair[[1]], x) * predict(pair[[2]], x)
    total <- whole(raw)
    x <- c(0.5, 1.5, 2, 3.3, 4.5)
    expect_equal(predict(both, x), raw(x) / total, tolerance = 1e-7)
    expect_equal(mean(both), whole(function(x) x * raw(x)) / total, tolerance = 1e-6)
    expect_equal(psd_moments(both)$covariance[[1]],
                 whole(function(x) (x - mean(both))^2 * raw(x)) / total, tolerance = 1e-6)
    slope <- (predict(both, x + 1e-5) - predict(both, x - 1e-5)) / 2e-5
    expect_equal(predict(both, x, type = "gradient"), slope, tolerance = 1e-5)
    expect_equal(psd_prob(both, upper = quantile(both, c(0.2, 0.7))[[1]]), 0.2, tolerance = 1e-6)
    expect_equal(psd_prob(both), 1, tolerance = 1e-7)
  }
})

test_that("products of products, draws and pictures", {
  three <- psd_product(psd_product(f, g), heavy)
  raw <- function(x) predict(f, x) * predict(g, x) * predict(heavy, x)
  expect_equal(predict(three, c(2, 4)), raw(c(2, 4)) / whole(raw, 1), tolerance = 1e-6)
  draws <- simulate(three, 4000, seed = 1)
  expect_lt(abs(mean(draws) - mean(three)), 5 * sd(draws) / sqrt(4000))
  expect_output(print(three), "derived: product of densities of x")
  expect_s3_class(ggplot2::ggplot_build(autoplot(three)), "ggplot_built")
})

plane <- function(rows, ...) psd_density(faithful[rows, ], lambda = 0.1, ...)
grid <- as.matrix(expand.grid(eruptions = seq(-1.5, 8, length.out = 160),
                              waiting = seq(0, 150, length.out = 160)))
cell <- prod(apply(grid, 2, function(x) diff(sort(unique(x)))[1]))

test_that("in the plane it is a PSD model again, in closed form", {
  a <- plane(1:80, sigma = 0.6, base = psd_gaussian(c(3, 70), c(3, 40)))
  b <- plane(137:216, sigma = 0.8)
  mixture <- plane(137:216, sigma = 0.8, model = "ncm")
  for (pair in list(list(a, b), list(a, mixture), list(mixture, mixture))) {
    both <- psd_product(pair[[1]], pair[[2]])
    raw <- predict(pair[[1]], grid) * predict(pair[[2]], grid)
    at <- predict(both, grid)
    expect_lt(max(abs(at - raw / sum(raw * cell))), 1e-5 * max(at))
    expect_equal(mean(both), colSums(grid * raw) / sum(raw), tolerance = 1e-5)
    expect_equal(mean(psd_marginal(both, 1)), mean(both)[[1]], tolerance = 1e-5)
  }
})

test_that("bounds are those of both", {
  a <- plane(1:80, sigma = 0.6, lower = c(0, 40))
  b <- plane(137:216, sigma = 0.8, upper = c(6, 100))
  both <- psd_product(a, b)
  outside <- grid[, 1] < 0 | grid[, 1] > 6 | grid[, 2] < 40 | grid[, 2] > 100
  expect_identical(max(predict(both, grid[outside, ])), 0)
  raw <- predict(a, grid) * predict(b, grid)
  high <- raw > max(raw) / 100
  ratio <- predict(both, grid[high, ]) / raw[high]
  expect_equal(ratio, rep(ratio[1], sum(high)), tolerance = 1e-4)
  expect_equal(psd_prob(both), 1)
})

test_that("what has no product is refused", {
  expect_error(psd_product(f, faithful), class = "psd_input_error")
  expect_error(psd_product(f, plane(1:80, sigma = 1)), "same variables", class = "psd_input_error")
  negative <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1, model = "pnm")
  expect_error(psd_product(f, negative), class = "psd_input_error")
  far <- psd_density(faithful$eruptions - 10, sigma = 1, lambda = 0.1, upper = 0)
  expect_error(psd_product(far, g), "overlap", class = "psd_input_error")
  abel <- plane(1:40, sigma = 2, kernel = "abel")
  expect_error(psd_product(abel, abel), class = "psd_no_closed_form")
})

test_that("divergences of one variable are their integrals", {
  for (pair in list(list(f, g), list(g, f), list(heavy, g), list(abel, f))) {
    one <- pair[[1]]
    other <- pair[[2]]
    expected <- whole(function(x) (predict(one, x) - predict(other, x))^2)
    expect_equal(c(psd_divergence(one, other)), expected, tolerance = 1e-6)
  }
  ratio <- function(one, other) {
    function(x) predict(one, x) * (predict(one, x, type = "log") - predict(other, x, type = "log"))
  }
  expect_equal(c(psd_divergence(g, f, "KL")), whole(ratio(g, f), 1, 8), tolerance = 1e-6)
  expect_identical(c(psd_divergence(f, g, "KL")), Inf)
  expect_identical(c(psd_divergence(f, f)), 0)
  expect_lt(abs(psd_divergence(f, f, "KL")), 1e-12)
  expect_error(psd_divergence(f, g, "hellinger"), class = "psd_input_error")
})

test_that("a function paired with itself has each pair of sections once", {
  one <- plane(1:60, sigma = 0.6)$functions[[1]]
  box <- list(lower = c(-1, -Inf), upper = c(2, Inf), mean = c(0, 0), sd = c(Inf, Inf))
  again <- one
  again$label <- "not identical, so that the pairs are made twice"
  expect_equal(paired_integral(one, one, box, 1e8), paired_integral(one, again, box, 1e8),
               tolerance = 1e-12)
})

test_that("the integral of a divergence is refined where it must be, and ends", {
  kink <- adaptive_integral(function(x) log(abs(x - 0.3)), c(0, 0.5), c(0.5, 1))
  expect_equal(kink$value, 0.3 * log(0.3) + 0.7 * log(0.7) - 1, tolerance = 1e-7)
  expect_gt(kink$error, abs(kink$value - (0.3 * log(0.3) + 0.7 * log(0.7) - 1)))
  peak <- adaptive_integral(function(x) stats::dnorm(x, 0.123, 0.01), 0, 1)
  expect_equal(peak$value, 1, tolerance = 1e-9)
  expect_lt(peak$error, 1e-8)
  # What is no more than rounding has no end by halving.
  calls <- 0
  noise <- function(x) {
    calls <<- calls + length(x)
    1 + 1e-6 * sin(1e12 * x)
  }
  edges <- seq(0, 1, length.out = 5001)
  expect_equal(adaptive_integral(noise, edges[-5001], edges[-1])$value, 1, tolerance = 1e-6)
  expect_lt(calls, 3e6)
})

test_that("cells are not halved for the sake of what is nothing to the whole", {
  asked <- 0
  bump <- function(x) {
    asked <<- asked + length(x)
    stats::dnorm(x) + 1e-13 * (x > 5.3)
  }
  expect_equal(adaptive_integral(bump, -8:7, -7:8)$value, 1, tolerance = 1e-12)
  once <- asked / 3  # whole cells, then their halves
  asked <- 0
  cell_integral(bump, -8:7, -7:8)
  expect_equal(asked, once)
})

test_that("divergences in the plane have a closed form or an error", {
  a <- plane(1:80, sigma = 0.6, base = psd_gaussian(c(3, 70), c(3, 40)))
  b <- plane(137:216, sigma = 0.8)
  expected <- sum((predict(a, grid) - predict(b, grid))^2) * cell
  closed <- psd_divergence(a, b)
  expect_equal(c(closed), expected, tolerance = 1e-4)
  expect_identical(attr(closed, "method"), "closed form")
  set.seed(1)
  drawn <- psdmodels:::drawn_divergence(a, b, "L2", 5000)
  expect_lt(abs(drawn - expected), 4 * attr(drawn, "error"))
  log_ratio <- predict(a, grid, type = "log") - predict(b, grid, type = "log")
  kl <- psd_divergence(a, b, "KL", draws = 5000)
  expect_identical(attr(kl, "method"), "draws")
  expect_lt(abs(kl - sum(predict(a, grid) * log_ratio) * cell), 4 * attr(kl, "error"))
})

test_that("densities on scales far apart have a product if numbers tell them apart", {
  set.seed(6)
  small <- psd_density(1e-60 * rnorm(20), sigma = 1, lambda = 0.1)
  plain <- psd_density(rnorm(20), sigma = 1, lambda = 0.1)
  # Where the one is, the other is constant.
  expect_equal(predict(psd_product(small, plain), 1e-60), predict(small, 1e-60), tolerance = 1e-8)
  expect_error(psd_product(plain, small), "`f` and `g` must be .* nearer", class = "psd_error")
})

test_that("divergences and products see what is narrow beside outliers", {
  x <- qnorm(ppoints(60))
  f <- psd_density(c(x, 1e9), sigma = 0.5, lambda = 1e-3)
  g <- psd_density(x, sigma = 0.5, lambda = 1e-3)
  square <- function(x) (predict(f, x) - predict(g, x))^2
  near <- integrate(square, -9, 9, rel.tol = 1e-9, subdivisions = 1000)$value
  expect_equal(as.numeric(psd_divergence(f, g)), near, tolerance = 1e-3)
  expect_equal(psd_prob(psd_product(f, g), -9, 9), 1, tolerance = 1e-8)
})

test_that("the sum over pairs is the integral of the product, or is not given", {
  a <- plane(1:60, sigma = 0.15)
  b <- plane(100:150, sigma = 0.2)
  factors <- closed_factors(a, b)
  product <- closed_product(a, b)
  expect_equal(paired_integral(factors$one, factors$other, a$measure, 1e8),
               log_integral(product, a$measure) + product$log_factor, tolerance = 1e-6)
  expect_null(paired_integral(factors$one, factors$other, a$measure, most = 10))
  wide <- plane(1:60, sigma = 3)$functions[[1]]
  expect_null(paired_integral(wide, wide, a$measure, 1e8))
})

test_that("products of pairs are summed as their tensor would be", {
  set.seed(1)
  one <- list(coefficients = matrix(rnorm(8), 4))
  other <- list(coefficients = matrix(rnorm(9), 3))
  pairs <- list(i = c(1, 2, 4, 1, 3), k = c(1, 1, 1, 3, 3), weight = runif(5))
  values <- matrix(rnorm(30), 6)
  tensor <- t(sapply(1:5, function(p) {
    pairs$weight[p] * kronecker(other$coefficients[pairs$k[p], ], one$coefficients[pairs$i[p], ])
  }))
  expect_equal(paired_coefficients(values, pairs, one, other), values %*% tensor)
})

test_that("a product that would take too long, or too many sections, is not given", {
  one <- plane(1:60, sigma = 0.15)$functions[[1]]
  expect_s3_class(thinned(one, one), "function_psd")
  expect_null(thinned(one, one, work = 1e5))
})

# How often, and with how many rows, a function of the package is called meanwhile.
calls_of <- function(name, expression) {
  rows <- NULL
  note <- function(x) rows <<- c(rows, NROW(x))
  space <- asNamespace("psdmodels")
  suppressMessages(trace(name, bquote((.(note))(.(as.name(names(formals(space[[name]]))[1])))),
                         print = FALSE, where = space))
  on.exit(suppressMessages(untrace(name, where = space)))
  force(expression)
  rows
}

test_that("a product beyond hope is given up before all pairs are looked at", {
  set.seed(1)
  f <- psd_density(matrix(rnorm(800), 200), sigma = 0.6, lambda = 0.01)$functions[[1]]
  looked_at <- calls_of("make_features", expect_null(thinned(f, f)))
  expect_lt(sum(looked_at), nrow(f$coefficients)^2 / 5)
})

test_that("nothing is computed for the divergence of a density from itself", {
  fit <- plane(1:60, sigma = 0.6)
  for (type in c("L2", "KL")) expect_identical(c(psd_divergence(fit, fit, type)), 0)
})

test_that("without one of its integrals a divergence has no closed form", {
  a <- plane(1:60, sigma = 0.6, transform = "asinh")
  b <- plane(137:216, sigma = 0.8)
  asked <- calls_of("inner_product", found <- psd_divergence(a, b, draws = 50))
  expect_length(asked, 1)
  expect_identical(attr(found, "method"), "draws")
})

test_that("the integral of a square is that of quadrature, with sections of both signs", {
  fit <- plane(1:100, sigma = 0.2)
  f <- fit$functions[[1]]
  h <- 0.04
  grid <- as.matrix(expand.grid(seq(-4, 4, by = h), seq(-4, 4, by = h)))
  expect_equal(paired_integral(f, f, fit$measure, 1e8), log(sum(values_at(f, grid)^2) * h^2),
               tolerance = 1e-9)
})

test_that("a product does not ask which density has the bounded scale", {
  set.seed(12)
  bounded <- psd_density(rbeta(80, 2, 3), lower = 0, upper = 1, transform = "logit", sigma = 0.7,
                         lambda = 1e-2)
  half <- psd_density(rexp(80, 2), lower = 0, transform = "log", sigma = 0.7, lambda = 1e-2)
  free <- psd_density(rnorm(80, 0.3, 0.5), sigma = 0.5, lambda = 1e-2)
  along <- quadrature(-30, log(8), parts = 400)  # of the logarithm, as densities rise at zero
  ranges <- list(quadrature(0, 1, parts = 200), list(x = exp(along$x), w = along$w * exp(along$x)))
  for (k in 1:2) {
    f <- list(bounded, half)[[k]]
    mass <- sum(ranges[[k]]$w * predict(f, ranges[[k]]$x) * predict(free, ranges[[k]]$x))
    at <- c(0.01, 0.2, 0.5, 0.9)
    expected <- predict(f, at) * predict(free, at) / mass
    expect_equal(predict(psd_product(f, free), at), expected, tolerance = 1e-6)
    expect_equal(predict(psd_product(free, f), at), expected, tolerance = 1e-6)
  }
  # no section of the other inside
  far <- psd_density(rnorm(80, -1, 0.2), sigma = 2, lambda = 1e-2)
  expect_no_warning(both <- psd_product(bounded, far))
  mass <- sum(ranges[[1]]$w * predict(bounded, ranges[[1]]$x) * predict(far, ranges[[1]]$x))
  expect_equal(predict(both, 0.3), predict(bounded, 0.3) * predict(far, 0.3) / mass,
               tolerance = 1e-6)
})

test_that("sections of several widths are not thinned out as if they had one", {
  function_of <- function(...) psd_density(faithful$eruptions, lambda = 1e-2, ...)$functions[[1]]
  one <- function_of(sigma = 0.5, parametric = FALSE)
  expect_false(is.null(psdmodels:::thinned(one, one)))
  several <- function_of(sigma = psd_widths(c(1, 0.5)), parametric = FALSE)
  expect_null(psdmodels:::thinned(several, one))
})

test_that("squared differences of densities of any size are numbers", {
  x <- c(2, 3, 5, 7, 9, 12, 14)
  distance <- function(unit) {
    fit <- function(sigma) {
      psd_density(unit * x, lower = 0, sigma = sigma, lambda = 1e-3, model = "pnm")
    }
    c(psd_divergence(fit(1), fit(0.5)))
  }
  expect_equal(distance(2^-600) / 2^600, distance(1), tolerance = 1e-6)
})

test_that("differences of densities that are highest at a bound are those of quadrature", {
  set.seed(8)
  x <- rbeta(80, 0.9, 3)
  f <- psd_density(x, lower = 0, upper = 1, transform = "none", sigma = 1, lambda = 0.01)
  g <- psd_density(x, lower = 0, upper = 1, transform = "probit", sigma = 1, lambda = 0.1)
  # Along the logarithm of the distance from either bound.
  rule <- quadrature(log(1e-12), log(0.5), parts = 500)
  square <- function(x) sum(rule$w * exp(rule$x) * (predict(f, x) - predict(g, x))^2)
  expected <- square(exp(rule$x)) + square(1 - exp(rule$x))
  expect_equal(as.numeric(psd_divergence(f, g)), expected, tolerance = 1e-6)
  expect_equal(as.numeric(psd_divergence(g, f)), expected, tolerance = 1e-6)
})

test_that("variables may have other names only if there is one, and must be as many", {
  of <- function(columns) list(recipe = list(columns = columns))
  expect_no_error(check_same_variables(of("a"), of("b")))
  expect_no_error(check_same_variables(of(c("a", "b")), of(c("a", "b"))))
  for (other in list(c("a", "c"), c("b", "a"), "a", c("a", "b", "c"))) {
    expect_error(check_same_variables(of(c("a", "b")), of(other)), "of the same variables",
                 class = "psd_input_error")
  }
  expect_error(check_same_variables(of("a"), of(c("a", "b"))), class = "psd_input_error")
})
