# A Poisson process on [0, 1], `times` the intensity 200 sin^2 + 40, by thinning.
true_intensity <- function(x) 200 * sin(4 * x)^2 + 40
process <- function(seed, times = 1) {
  set.seed(seed)
  x <- runif(rpois(1, 240 * times))
  x[runif(length(x)) < true_intensity(x) / 240]
}

test_that("the integral is the number of points minus the documented shrinkage", {
  x <- process(1)
  for (lambda in c(1e-1, 1e-3)) {
    fit <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = lambda,
                         total = "shrunk", control = psd_control(tol = 1e-12))
    integral <- integrate(function(t) predict(fit, t), 0, 1, rel.tol = 1e-10)$value
    expect_equal(psd_count(fit), integral, tolerance = 1e-8)
    features <- fit$functions[[1]]
    expect_equal(psd_count(fit), length(x) * (1 - fit$shrinkage), tolerance = 1e-7)
    # tr A and |A|^2 in feature coordinates: phi = L^{-1} k, L L' the kernel matrix of the anchors.
    at <- features$anchors$at
    width <- features$anchors$width[1]
    kernel <- exp(-outer(at[, 1], at[, 1], "-")^2 / (2 * width^2))
    kernel[is.infinite(features$anchors$width), ] <- 0
    kernel[, is.infinite(features$anchors$width)] <- 0
    diag(kernel)[is.infinite(features$anchors$width)] <- 1
    form <- crossprod(features$coefficients, kernel %*% features$coefficients)
    penalty <- lambda * (sum(diag(form)) + 0.01 * sum(form^2))
    expect_equal(fit$shrinkage, penalty, tolerance = 1e-4)
  }
  expect_lt(fit$shrinkage, 0.02)
})

test_that("the objective is the mean of minus log f plus the integral over n plus the penalty", {
  x <- process(2)
  fit <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = 1e-2, standardize = FALSE,
                       total = "shrunk", control = psd_control(tol = 1e-12))
  n <- length(x)
  risk <- -mean(log(predict(fit, x) / n)) + psd_count(fit) / n
  # At the optimum the penalty is between its half and the whole of the shrinkage.
  expect_gt(fit$objective, risk + fit$shrinkage / 2)
  expect_lt(fit$objective, risk + fit$shrinkage + 1e-9)
  expect_equal(as.numeric(logLik(fit)), sum(log(predict(fit, x))) - psd_count(fit))
})

test_that("the expected number of points is the observed one, also in the plane or weighted", {
  x <- process(5)
  line <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = 0.1)
  expect_equal(psd_count(line), length(x), tolerance = 1e-9)
  expect_equal(integrate(function(t) predict(line, t), 0, 1)$value, length(x), tolerance = 1e-6)
  at <- as.matrix(quakes[seq(1, 1000, 4), c("long", "lat")])
  window <- list(lower = c(lat = -40, long = 160), upper = c(long = 190, lat = -10))
  plane <- psd_intensity(at, window$lower, window$upper, sigma = 0.5, lambda = 0.01)
  expect_equal(psd_count(plane), 250, tolerance = 1e-9)
  shrunk <- update(plane, total = "shrunk")
  expect_lt(psd_count(shrunk), 200)
  weights <- rep(c(0.5, 2), length.out = length(x))
  weighted <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = 0.1, weights = weights)
  expect_equal(psd_count(weighted), sum(weights), tolerance = 1e-9)
  tuned <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5)
  expect_equal(psd_count(tuned), length(x), tolerance = 1e-9)
})

test_that("under the constraint the fit is n times the density on the window, and the optimum", {
  x <- process(6)
  fit <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = 0.01, constant = FALSE,
                       control = psd_control(tol = 1e-10))
  density <- psd_density(x, lower = 0, upper = 1, sigma = 0.5, lambda = 0.01, ridge = 0.01,
                         control = psd_control(tol = 1e-10))
  at <- seq(0, 1, 0.05)
  expect_equal(predict(fit, at), length(x) * predict(density, at), tolerance = 1e-4)
  expect_equal(fit$objective, density$objective, tolerance = 1e-8)
})

test_that("with an exposure the intensity is per unit of it, the likelihood that of the counts", {
  x <- process(7)
  once <- psd_intensity(x, lower = 0, upper = 1, sigma = 0.5, lambda = 0.01)
  years <- update(once, exposure = 4)
  expect_equal(predict(years, x), predict(once, x) / 4)
  expect_equal(psd_count(years), length(x) / 4)
  expect_equal(as.numeric(logLik(years)), as.numeric(logLik(once)))
  expect_output(print(years), "per unit of exposure")
})

test_that("an intensity is recovered better than by a scaled kernel density", {
  grid <- seq(0, 1, length.out = 400)
  errors <- vapply(101:104, function(seed) {
    x <- process(seed, 4)
    fit <- suppressMessages(classes = "psd_grid_edge", psd_intensity(
      x, lower = 0, upper = 1, sigma = c(0.6, 1, 2), lambda = c(0.03, 3e-3, 3e-4),
      tune = psd_tune(repeats = 2)
    ))
    kernel <- density(x, from = 0, to = 1, n = 400)
    error <- function(estimate) mean((estimate - 4 * true_intensity(grid))^2)
    c(error(predict(fit, grid)), error(length(x) * kernel$y))
  }, c(0, 0))
  expect_lt(mean(errors[1, ]), 0.9 * mean(errors[2, ]))
})

test_that("integrals that rounding spoils are told", {
  set.seed(1)
  x <- runif(20)
  fit <- function(sigma, lambda) {
    psd_intensity(x, lower = 0, upper = 1, sigma = sigma, lambda = lambda, total = "shrunk")
  }
  wide <- NULL
  told <- expect_warning(wide <- fit(12, 1e-12), class = "psd_rounding")
  counted <- stats::integrate(function(x) predict(wide, x), 0, 1, rel.tol = 1e-10)$value
  lost <- abs(psd_count(wide) / counted - 1)
  expect_gt(lost, told$lost / 1000)
  expect_lt(lost, told$lost * 10)
  expect_no_warning(fit(1, 1e-3))
})

test_that("a homogeneous process has a constant intensity, and weights are multiplicities", {
  set.seed(3)
  x <- (1:50 - 0.5) / 50
  flat <- psd_intensity(x, lower = 0, upper = 1, sigma = 1, lambda = 1e-2)
  expect_equal(range(predict(flat, seq(0, 1, 0.01))), c(50, 50), tolerance = 0.05)
  double <- psd_intensity(x, lower = 0, upper = 1, sigma = 1, lambda = 1e-2, weights = rep(2, 50))
  expect_equal(predict(double, x), 2 * predict(flat, x), tolerance = 1e-4)
})

test_that("intensities change units as they must, in two dimensions", {
  set.seed(4)
  x <- cbind(a = runif(60), b = rbeta(60, 2, 3))
  one <- psd_intensity(x, lower = 0, upper = 1, sigma = 1, lambda = 1e-2)
  two <- psd_intensity(x * 10, lower = 0, upper = 10, sigma = 1, lambda = 1e-2)
  expect_equal(predict(two, x * 10), predict(one, x) / 100, tolerance = 1e-5)
  expect_equal(psd_count(two, upper = c(5, 10)), psd_count(one, upper = c(0.5, 1)),
               tolerance = 1e-5)
})

test_that("mistakes in the input are named", {
  expect_snapshot(error = TRUE, {
    psd_intensity(1:10, sigma = 1, lambda = 1)
    psd_intensity(1:10, lower = 0, upper = 5, sigma = 1, lambda = 1)
    psd_intensity(1:10, lower = 0, upper = Inf, sigma = 1, lambda = 1)
    psd_intensity(1:10, lower = 20, upper = 0, sigma = 1, lambda = 1)
    psd_intensity(faithful, lower = c(waiting = 0), upper = c(6, 100), sigma = 1, lambda = 1)
    psd_intensity(faithful, lower = 0, upper = c(wait = 6), sigma = 1, lambda = 1)
    psd_intensity(1:10, lower = 0, upper = 20, exposure = 0)
    psd_count(1)
  })
})

test_that("a window too small for an intensity to be a number is refused", {
  expect_error(psd_intensity(1e-305 * (1:9), 0, 1e-304, sigma = 1, lambda = 0.1,
                             standardize = FALSE),
               "`lower` and `upper` must be a window", class = "psd_input_error")
})

test_that("counts of parts add up to a millionth, or a warning says that they do not", {
  x <- c(0.707, 0.307, 0.559, 0.844, 0.826, 0.832, 0.876, 0.09, 0.947, 0.904, 0.461, 0.806, 0.979,
         0.636, 0.444, 0.418, 0.065, 0.153, 0.274, 0.9)
  for (sigma in c(1, 1.5, 2, 2.4576, 3)) {
    warned <- FALSE
    fit <- withCallingHandlers(
      psd_intensity(x, lower = -0.85, upper = 1.89, sigma = sigma, lambda = 1e-7),
      psd_rounding = function(w) {
        warned <<- TRUE
        invokeRestart("muffleWarning")
      }
    )
    parts <- psd_count(fit, upper = 0.52) + psd_count(fit, lower = 0.52)
    expect_true(warned || abs(parts / psd_count(fit) - 1) < 1e-6, info = sigma)
  }
})
