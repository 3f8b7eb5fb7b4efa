cases <- function() {
  set.seed(6)
  c(list(asinh = list(x = rt(60, 2), lower = -Inf, upper = Inf),
         log = list(x = 2 + rlnorm(60), lower = 2, upper = Inf),
         softplus = list(x = rexp(60, 3), lower = 0, upper = Inf),
         logit = list(x = -1 + 3 * rbeta(60, 2, 4), lower = -1, upper = 2),
         probit = list(x = -1 + 3 * rbeta(60, 2, 4), lower = -1, upper = 2)),
    list(probit = list(x = 1 + rgamma(60, 2, 3), lower = 1, upper = Inf)))
}

test_that("transformations rise, are inverted, and know their slopes", {
  for (k in seq_along(cases())) {
    name <- names(cases())[k]
    case <- cases()[[k]]
    entry <- psdmodels:::transform_table[[name]]
    p <- entry$parameters(case$x, rep(1, 60), case$lower, case$upper)
    x <- sort(case$x)
    u <- entry$forward(x, p)
    expect_true(all(diff(u) > 0))
    expect_equal(entry$inverse(u, p), x)
    h <- 1e-6
    slope <- (entry$forward(x + h * (x - p[[1]]), p) - entry$forward(x - h * (x - p[[1]]), p)) /
      (2 * h * (x - p[[1]]))
    expect_equal(exp(entry$log_slope(u, p)), slope, tolerance = 1e-5)
    bend <- (entry$log_slope(u + h, p) - entry$log_slope(u - h, p)) / (2 * h)
    expect_equal(entry$bend(u, p), bend, tolerance = 1e-5)
  }
})

test_that("a density on another scale is one in the units of the data", {
  for (number in seq_along(cases())) {
    name <- names(cases())[number]
    case <- cases()[[number]]
    fit <- psd_density(case$x, transform = name, lower = case$lower, upper = case$upper)
    expect_equal(psd_prob(fit), 1, tolerance = 1e-8)
    q <- quantile(fit, c(0.05, 0.3, 0.6, 0.95), names = FALSE)
    expect_equal(predict(fit, q, type = "cdf"), c(0.05, 0.3, 0.6, 0.95), tolerance = 1e-8)
    for (k in 1:3) {
      mass <- integrate(function(x) predict(fit, x), q[k], q[k + 1], rel.tol = 1e-9)$value
      expect_equal(mass, psd_prob(fit, q[k], q[k + 1]), tolerance = 1e-6)
    }
    h <- 1e-5 * (q[4] - q[1])
    slope <- (predict(fit, q + h) - predict(fit, q - h)) / (2 * h)
    expect_equal(predict(fit, q, type = "gradient"), slope, tolerance = 1e-4)
    expect_equal(log(predict(fit, q)), predict(fit, q, type = "log"))
    draws <- simulate(fit, 1000, seed = 1)
    expect_true(all(draws > case$lower & draws < case$upper))
    expect_gt(suppressWarnings(ks.test(predict(fit, draws, type = "cdf"), "punif")$p.value), 1e-3)
    expect_lt(length(serialize(fit, NULL)), 2e5)
  }
})

test_that("on the scale of a probit the uniform and the exponential distribution are normal", {
  entry <- psdmodels:::transform_table$probit
  interval <- entry$parameters(c(2, 3), c(1, 1), 1, 5)
  half_line <- entry$parameters(c(2, 4), c(3, 1), 1, Inf)  # of mean 2.5
  u <- c(-30, -8, -1, 0, 1, 6)
  expect_equal(pnorm(u), punif(entry$inverse(u, interval), 1, 5))
  expect_equal(entry$forward(1 + 4 * pnorm(u[3:5]), interval), u[3:5])
  expect_equal(entry$forward(pnorm(u), c(lower = 0, width = 1)), u)
  x <- 1 + c(1e-12, 1e-3, 1, 5, 300, 900)
  at <- entry$forward(x, half_line)
  expect_equal(pnorm(at, log.p = TRUE)[1:3], pexp(x - 1, 1 / 1.5, log.p = TRUE)[1:3],
               tolerance = 1e-4)  # one plus 1e-12 has few digits of the latter
  expect_equal(pnorm(at, lower.tail = FALSE, log.p = TRUE), -(x - 1) / 1.5)
  # the density of the reference is that of the normal times the slope
  expect_equal(dnorm(u) * exp(entry$log_slope(u, interval)), rep(0.25, 6))
  slope <- entry$log_slope(at, half_line)
  expect_equal(dnorm(at, log = TRUE) + slope, dexp(x - 1, 1 / 1.5, log = TRUE))
  # far out, where logarithms of both have no digits left: the hazard is that of Laplace's fraction
  far <- c(50, 99, 101, 1e6, 1e12)
  hazard <- far + 1 / (far + 2 / (far + 3 / (far + 4 / far)))
  expect_equal(entry$log_slope(far, half_line), -log(1.5 * hazard))
  expect_equal(entry$bend(far, half_line), far - hazard, tolerance = 1e-6)
})

test_that("moments of a density on another scale are those of quadrature", {
  for (name in c("logit", "probit")) {
    fit <- psd_density(cases()$logit$x, transform = name, lower = -1, upper = 2)
    moment <- function(k) {
      f <- function(x) x^k * predict(fit, x)
      integrate(f, -1, 2, rel.tol = 1e-10, subdivisions = 1000)$value
    }
    expect_equal(psd_moments(fit)$mean[[1]], moment(1), tolerance = 1e-7)
    expect_equal(psd_moments(fit)$covariance[[1]], moment(2) - moment(1)^2, tolerance = 1e-6)
  }
})

test_that("marginals and conditionals keep the scales of their columns", {
  set.seed(7)
  x <- cbind(a = rexp(80), b = rnorm(80))
  x[, "b"] <- x[, "b"] + x[, "a"]
  fit <- psd_density(x, transform = c("softplus", "none"), lower = c(0, -Inf))
  a <- psd_marginal(fit, "a")
  # An average with kernels of two standard deviations, whose integrals lose digits.
  expect_equal(psd_prob(a, upper = 1), psd_prob(fit, upper = c(1, Inf)), tolerance = 1e-6)
  given <- psd_conditional(fit, c(a = 1))
  joint <- predict(fit, cbind(1, c(0, 1, 2)))
  expect_equal(predict(given, c(0, 1, 2)), joint / predict(a, 1), tolerance = 1e-6)
  expect_equal(psd_moments(a)$mean, psd_moments(fit)$mean["a"], tolerance = 1e-6)
  u <- quadrature(-30, 3.5, 20)  # a = exp(u): the density has a peak at zero
  v <- quadrature(-15, 30, 30, 6)
  grid <- as.matrix(expand.grid(a = exp(u$x), b = v$x))
  w <- predict(fit, grid) * as.vector(outer(u$w * exp(u$x), v$w))
  centred <- sweep(grid, 2, colSums(w * grid))
  expect_equal(psd_moments(fit)$covariance, crossprod(centred, w * centred), tolerance = 1e-5)
  draws <- simulate(fit, 1500, seed = 2)
  expect_equal(unname(colMeans(draws)), unname(psd_moments(fit)$mean), tolerance = 0.1)
  expect_equal(cor(draws)[1, 2], cov2cor(psd_moments(fit)$covariance)[1, 2], tolerance = 0.2)
})

test_that("heavy tails and half lines are found, and the normal is left alone", {
  name <- function(fit) (fit$units$x$transforms[[1]] %||% list(name = "none"))$name
  set.seed(8)
  expect_identical(name(psd_density(rcauchy(150))), "asinh")
  expect_identical(name(psd_density(rnorm(150))), "none")
  expect_identical(name(psd_density(rlnorm(150, 0, 2), lower = 0)), "log")
  expect_identical(name(psd_density(rgamma(150, 3), lower = 0)), "probit")
  expect_identical(name(psd_density(rbeta(150, 0.5, 0.5), lower = 0, upper = 1)), "probit")
  expect_identical(name(psd_density(runif(150), lower = 0, upper = 1)), "none")
  expect_identical(name(psd_density(c(0, rexp(50)), lower = 0)), "none")
  expect_identical(name(psd_density(rcauchy(50), sigma = 1, lambda = 1)), "none")
})

test_that("a scale is taken where rows left out are more likely, less its price", {
  molded <- list(x = matrix(0, 10), placed = matrix(ppoints(10)), weights = rep(1, 10))
  choose <- function(gain, upper = Inf) {
    fit <- function(name) list(left_out = gain[[name]] / 10, name = name, converged = TRUE)
    psdmodels:::fit_best(fit, molded, list(lower = 0, upper = upper), TRUE)$name
  }
  expect_identical(choose(c(none = 0.1, probit = 1, log = 2)), "none")
  expect_identical(choose(c(none = 0, probit = 1.1, log = 2)), "probit")
  expect_identical(choose(c(none = 0, probit = 0, log = 2.1)), "log")
  expect_identical(choose(c(none = 0, probit = 2, log = 2.9)), "probit")
  expect_identical(choose(c(none = 0, probit = 0.9), upper = 1), "none")
  expect_identical(choose(c(none = 0, probit = 1.1), upper = 1), "probit")
})

test_that("heavy tails are tried from a gain of 1 on, and taken from 1.5 on", {
  heavy <- function(df) matrix(qt(ppoints(80), df))
  gain <- function(df) johnson_gain(heavy(df)[, 1], rep(1, 80))
  one <- uniroot(function(df) gain(df) - 1, c(3, 60))$root
  tried <- function(df) suitable_transforms(heavy(df)[, 1], rep(1, 80), -Inf, Inf)
  expect_identical(tried(1.05 * one), "none")
  expect_identical(tried(one / 1.05), c("none", "asinh"))
  molded <- list(placed = heavy(2), weights = rep(1, 80))
  choose <- function(asinh) {
    fit <- function(name) {
      list(left_out = if (name == "none") 0 else asinh / 80, name = name, converged = TRUE)
    }
    psdmodels:::fit_best(fit, molded, list(lower = -Inf, upper = Inf), FALSE)$name
  }
  expect_identical(choose(1.4), "none")
  expect_identical(choose(1.6), "asinh")
})

test_that("a transformation that does not suit the data is refused", {
  expect_error(psd_density(rnorm(9), transform = "log"), "does not suit", class = "psd_error")
  expect_error(psd_density(0:9, transform = "log", lower = 0), "does not suit", class = "psd_error")
  expect_error(psd_density(1:9, transform = "sqrt"), "`transform` must be", class = "psd_error")
  expect_error(psd_density(cbind(1:9, 9:1), transform = c("none", "none", "none")), "per column")
  expect_error(psd_density(1:9, lower = 0, transform = "log", base = psd_gaussian()),
               "must be \"none\" with `psd_gaussian()`", fixed = TRUE, class = "psd_error")
})

test_that("moments of mixtures on another scale are those of the density", {
  set.seed(7)
  x <- rbeta(40, 2, 3)
  fit <- psd_density(x, sigma = 0.5, lambda = 0.1, lower = 0, upper = 1, transform = "logit",
                     model = "ncm")
  moments <- psd_moments(fit)
  mean <- integrate(function(x) x * predict(fit, x), 0, 1, rel.tol = 1e-8)$value
  second <- integrate(function(x) (x - mean)^2 * predict(fit, x), 0, 1, rel.tol = 1e-8)$value
  expect_equal(unname(moments$mean), mean, tolerance = 1e-6)
  expect_equal(moments$covariance[1, 1], second, tolerance = 1e-5)
})

test_that("a single value can be fitted on another scale", {
  fit <- psd_density(3, sigma = 1, lambda = 0.1, standardize = FALSE, transform = "asinh")
  expect_true(is.finite(predict(fit, 3)))
})

test_that("kernels that cover more than all numbers are refused", {
  set.seed(1)
  x <- runif(50)
  for (one in list(list(sigma = 9e7, transform = "logit", upper = 1),
                   list(sigma = 1e4, transform = "log", upper = Inf))) {
    expect_error(psd_density(x, lower = 0, upper = one$upper, transform = one$transform,
                             sigma = one$sigma, lambda = 0.1),
                 "`sigma` must be smaller where `transform` is", class = "psd_error")
  }
})

test_that("tails of powers have the moments that they have", {
  set.seed(9)
  x <- rlnorm(60)
  fit <- function(kernel, sigma) {
    psd_density(x, lower = 0, transform = "log", sigma = sigma, lambda = 0.01, kernel = kernel)
  }
  for (kernel in c("matern32", "abel")) {
    heavy <- fit(kernel, 0.7)
    # In the logarithm, where the integrand is exponential far out.
    moment <- function(k) {
      f <- function(u) exp((k + 1) * u + predict(heavy, exp(u), type = "log"))
      edges <- c(-60, -20, sort(unique(log(x))), 20, 60, 200)
      sum(vapply(seq_along(edges[-1]), function(i) {
        integrate(f, edges[i], edges[i + 1], rel.tol = 1e-10, subdivisions = 1000)$value
      }, 0))
    }
    expect_equal(psd_moments(heavy)$mean[[1]], moment(1), tolerance = 1e-7)
    expect_equal(psd_moments(heavy)$covariance[[1]], moment(2) - moment(1)^2, tolerance = 1e-6)
  }
  # The tail falls as x^-(2 / width + 1): a width above 1 has no variance, one above 2 no mean.
  wide <- fit("abel", 1.5 / sd(log(x)))
  expect_identical(psd_moments(wide)$covariance[[1]], Inf)
  expect_true(is.finite(psd_moments(wide)$mean))
  wider <- fit("abel", 3 / sd(log(x)))
  expect_error(psd_moments(wider), "x has no mean", class = "psd_undefined")
  expect_identical(tidy(wider)$mean, NA_real_)
  expect_output(print(summary(wider)), "NA")
})

test_that("moments on another scale do not depend on the size of the numbers", {
  set.seed(10)
  x <- rexp(30)
  fit <- function(size) {
    psd_density(size * x, lower = 0, transform = "softplus", sigma = 1, lambda = 0.1)
  }
  plain <- tidy(fit(1))
  for (size in 2^c(-600, 600)) {
    expect_equal(tidy(fit(size))$mean / size, plain$mean, tolerance = 1e-8)
    expect_equal(tidy(fit(size))$sd / size, plain$sd, tolerance = 1e-8)
  }
  expect_identical(psd_moments(fit(2^600))$covariance[[1]], Inf)
})

test_that("on the scales of a half line that are not logarithmic far out all moments exist", {
  set.seed(8)
  x <- rexp(40)
  for (transform in c("softplus", "probit")) {
    fit <- psd_density(x, sigma = 3, lambda = 0.1, lower = 0, transform = transform,
                       kernel = "abel")
    # The square root, as with "probit" the tail falls exponentially in that.
    moment <- function(k) {
      f <- function(s) s^(2 * k) * predict(fit, s^2) * 2 * s
      edges <- sqrt(c(0, sort(x), 10 * 2^(0:12)))
      sum(vapply(seq_along(edges[-1]), function(i) {
        integrate(f, edges[i], edges[i + 1], rel.tol = 1e-9)$value
      }, 0))
    }
    expect_equal(psd_moments(fit)$mean[[1]], moment(1), tolerance = 1e-7)
    expect_equal(psd_moments(fit)$covariance[[1]], moment(2) - moment(1)^2, tolerance = 1e-6)
  }
})

test_that("values that cannot be told apart from their bound are not transformed", {
  set.seed(1)
  x <- 1e-15 * rnorm(30)
  expect_error(psd_density(x, lower = -1, upper = 1, transform = "logit", sigma = 1, lambda = 0.1),
               "nearer", class = "psd_error")
  expect_identical(suitable_transforms(x, rep(1, 30), -1, 1), "none")
  expect_identical(suitable_transforms(1e5 * x, rep(1, 30), -1, 1), c("none", "probit"))
  fit <- psd_density(x, lower = -1, upper = 1, sigma = 1, lambda = 0.1)
  p <- c(0.1, 0.5, 0.9)
  expect_equal(predict(fit, quantile(fit, p), type = "cdf"), p, tolerance = 1e-6)
})

test_that("asinh has the centre and scale of Johnson's S_U distribution", {
  set.seed(3)
  u <- rnorm(400)
  likelihood <- function(at, x) {
    v <- asinh((x - at[1]) / at[2])
    sum(dnorm(v, mean(v), sqrt(mean((v - mean(v))^2)), log = TRUE) -
          log(sqrt((x - at[1])^2 + at[2]^2)))
  }
  for (x in list(sinh(u), 5 + 2 * sinh(0.8 * u + 1), 1e6 * (7 - sinh(u + 2)))) {
    found <- johnson_parameters(x, rep(1, 400))
    unit <- robust_scale(x, rep(1, 400))
    middle <- median(x)
    grid <- expand.grid(center = middle + unit * seq(-3, 3, 0.05),
                        scale = unit * 10^seq(-1, 1, 0.05))
    best <- max(apply(grid, 1, likelihood, x = x))
    expect_gt(likelihood(found, x), best - 1e-6)
    normal <- sum(dnorm(x, mean(x), sqrt(mean((x - mean(x))^2)), log = TRUE))
    expect_equal(johnson_gain(x, rep(1, 400)), likelihood(found, x) - normal, tolerance = 1e-6)
    # a weight of two is the row twice
    twice <- rep(1:2, 200)
    expect_equal(johnson_parameters(x, twice), johnson_parameters(rep(x, twice), rep(1, 600)),
                 tolerance = 1e-5)
  }
  expect_identical(johnson_parameters(rep(4, 3), rep(1, 3)), c(center = 4, scale = 1))
  expect_identical(johnson_gain(rep(4, 3), rep(1, 3)), 0)
  # Rounding takes the mean of these off them.
  expect_identical(johnson_parameters(rep(3.3, 3), rep(1, 3)), c(center = 3.3, scale = 1))
})

test_that("slopes of Johnson's likelihood are those of its differences", {
  set.seed(4)
  z <- rcauchy(30)
  share <- runif(30)
  share <- share / sum(share)
  for (at in list(c(0, 0), c(-2, -1), c(1, 2))) {
    difference <- vapply(1:2, function(k) {
      step <- 1e-6 * (1:2 == k)
      (johnson_loss(at + step, z, share) - johnson_loss(at - step, z, share)) / 2e-6
    }, 0)
    expect_equal(johnson_slope(at, z, share), difference, tolerance = 1e-6)
  }
  # values whose squares are no numbers
  expect_true(all(is.finite(johnson_parameters(c(1e200, rcauchy(30), -1e250), rep(1, 32)))))
})

test_that("skewed values are seen from their steep side, values with light tails as they are", {
  set.seed(5)
  x <- exp(rnorm(300, 0, 1.5)) + rnorm(300, 0, 0.05)
  fit <- psd_density(x)
  transform <- fit$units$x$transforms[[1]]
  expect_identical(transform$name, "asinh")
  expect_lt(transform$parameters[["center"]], median(x))
  mirrored <- psd_density(-x)$units$x$transforms[[1]]
  expect_equal(unname(mirrored$parameters), unname(transform$parameters * c(-1, 1)),
               tolerance = 1e-4)
  none <- psd_density(x, transform = "none")
  truth <- exp(rnorm(2000, 0, 1.5)) + rnorm(2000, 0, 0.05)
  expect_gt(mean(predict(fit, truth, type = "log") - predict(none, truth, type = "log")), 0.1)
  expect_identical(suitable_transforms(runif(200), rep(1, 200), -Inf, Inf), "none")
})

test_that("a column that is not transformed has moments also under exponential tails", {
  set.seed(5)
  x <- cbind(a = rexp(25), b = rnorm(25))
  fit <- psd_density(x, kernel = "abel", sigma = 2, lambda = 0.1, lower = c(0, -Inf),
                     transform = c("softplus", "none"))
  # That of b alone has a closed form.
  alone <- psd_moments(psd_marginal(fit, "b"))
  both <- psd_moments(fit)
  expect_equal(both$mean[["b"]], alone$mean[[1]], tolerance = 1e-6)
  expect_equal(both$covariance["b", "b"], alone$covariance[[1]], tolerance = 1e-6)
})

test_that("without a transformation slopes are one everywhere, at zero too", {
  for (slope in transform_table$none[c("log_slope", "bend")]) {
    expect_identical(slope(c(-1, 0, 2), numeric()), c(0, 0, 0))
  }
})

test_that("one name is for all columns, otherwise there is one a column", {
  x <- matrix(0, 4, 3)
  check <- function(transform) check_transform(transform, x, lebesgue(3))
  expect_identical(check("asinh"), rep("asinh", 3))
  expect_identical(check(c("asinh", "none", "none")), c("asinh", "none", "none"))
  expect_error(check(c("asinh", "none")), "one per column", class = "psd_input_error")
})

test_that("the scale of asinh is between a tenth and ten times that of the data", {
  p <- ppoints(60)
  scale <- function(x) {
    johnson_parameters(x, rep(1, 60))[["scale"]] / robust_scale(x, rep(1, 60))
  }
  expect_equal(scale(p), 10, tolerance = 1e-6)
  expect_equal(scale(tan(pi * (p - 0.5))^3), 0.1, tolerance = 1e-6)
  # Between, the most likely one: that of a t distribution with one degree of freedom.
  cauchy <- tan(pi * (p - 0.5))
  values <- johnson_values(cauchy, rep(1, 60))
  loss <- function(log_scale) johnson_loss(c(0, log_scale), values$z, values$share)
  expect_equal(log(scale(cauchy)), optimize(loss, log(c(0.1, 10)))$minimum, tolerance = 1e-3)
})

test_that("each of several transformations must be known, and there is one a column", {
  x <- cbind(a = 1:9, b = (1:9)^2)
  measure <- list(lower = c(0, 0), upper = c(Inf, Inf), sd = c(Inf, Inf))
  check <- function(transform) check_transform(transform, x, measure)
  for (transform in list(c("none", "cube"), c("cube", "none"), "cube", 1, rep("none", 3))) {
    expect_error(check(transform), "one for all columns or one per column",
                 class = "psd_input_error")
  }
  expect_identical(check("log"), c("log", "log"))
  expect_identical(check(c("none", "log")), c("none", "log"))
  expect_identical(check("auto"), "auto")
  measure$sd <- c(1, Inf)
  expect_identical(check(c("none", "log")), c("none", "log"))
  expect_error(check(c("log", "none")), "the base is in the units of the data",
               class = "psd_input_error")
})
