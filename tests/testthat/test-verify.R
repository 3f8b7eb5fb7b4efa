# psd_verify() is itself the oracle of all fits; here it is held against the table of problems and
# models, both solvers, and against fits that are wrong.

fields <- c("check", "found", "claimed", "error", "holds")
solvers <- c("newton", "fista")

for (name in names(table_problems)) for (model in table_problems[[name]]$models) {
  for (solver in solvers) {
    test_that(paste0(name, ", ", model, ", ", solver, ": everything that can be checked holds"), {
      set.seed(2)
      fit <- table_problems[[name]]$fit(model, control = psd_control(solver, tol = 1e-7))
      check <- psd_verify(fit, table_data)
      expect_s3_class(check, c("psd_verification", "data.frame"), exact = TRUE)
      expect_named(check, fields)
      expect_identical(check$check[check$holds %in% FALSE], character())
      certified <- model == "psd" && !grepl("half-spaces", name) ||
        model == "pnm" && problem_of(name) %in% c("density", "hetero")
      gap <- check[grepl("^gap( |$)", check$check) & !grepl("negative", check$check), ]
      expect_identical(nrow(gap), 1L)
      expect_identical(is.na(gap$holds), !certified)
      expect_identical("objective" %in% check$check, model %in% c("psd", "pnm") &&
                         !grepl("half-spaces", name))
      if (certified) expect_lte(gap$error, 2e-6)
    })
  }
}

failing <- function(fit, ...) {
  check <- psd_verify(fit, ...)
  sub(",? .*", "", check$check[!check$holds %in% TRUE])
}

test_that("kernels, weights, raw penalties, transformations and constraints are checked too", {
  set.seed(1)
  x <- rgamma(60, 2)
  w <- runif(60)
  fit <- function(...) psd_density(x, sigma = 0.7, lambda = 0.02, weights = w, ...)
  half <- psd_constraint("probability", 0.4, "<=", upper = 1)
  fits <- list(fit(kernel = "abel", lower = 0), fit(kernel = "matern32"), fit(penalty = "raw"),
               fit(penalty = "raw", model = "pnm"), fit(lower = 0, transform = "softplus"),
               fit(base = psd_gaussian(2, 3)),
               fit(constraints = psd_constraint("mean", 1.8)), fit(constraints = half))
  for (one in fits) expect_identical(failing(one, x, weights = w), character())
})

test_that("several widths, a parametric part and an average are checked part by part", {
  fit <- psd_density(faithful$eruptions[1:80], sigma = psd_widths(c(2, 0.5)))
  expect_gt(nrow(fit$average), 1)
  check <- psd_verify(fit, faithful$eruptions[1:80])
  expect_true(all(check$holds))
  expect_true(any(grepl(paste("of", nrow(fit$average), "parts"), check$check)))
  fit <- psd_quantreg(dist ~ speed, cars, sigma = psd_widths(c(2, 0.5)), lambda = 0.1)
  expect_true(all(psd_verify(fit)$holds))
})

test_that("losses by name and of one's own are checked, with constraints on integrals", {
  set.seed(3)
  data <- data.frame(x = runif(30))
  data$y <- rpois(30, 2 + 3 * data$x)
  for (loss in c("squared", "absolute", "huber", "poisson", "pinball")) {
    fit <- psd_regression(y ~ x, data, loss = loss, sigma = 1, lambda = 0.05,
                          constraints = psd_integral(3, "<=", lower = 0, upper = 1))
    expect_true(all(psd_verify(fit)$holds), label = loss)
  }
  own <- psd_loss(value = function(u, y) (u - y)^2 / 2,
                  prox = function(u, y, step) (u + step * y) / (1 + step),
                  conjugate = function(a, y) a^2 / 2 + a * y)
  fit <- psd_regression(y ~ x, data, loss = own, sigma = 1, lambda = 0.05)
  expect_true(all(psd_verify(fit)$holds))
})

test_that("a fit that is not what it says is found out", {
  x <- faithful$eruptions
  fit <- psd_density(x, sigma = 0.5, lambda = 0.1)
  expect_identical(failing(fit, x), character())
  wrong <- fit
  wrong$objective <- fit$objective + 1e-3
  expect_identical(failing(wrong, x), "objective")
  wrong <- fit
  wrong$log_scale <- fit$log_scale + 1e-4
  expect_identical(failing(wrong, x), "integral")
  wrong <- fit
  wrong$functions[[1]]$coefficients <- fit$functions[[1]]$coefficients[, -1, drop = FALSE]
  expect_true(all(c("objective", "gap", "integral") %in% failing(wrong, x)))
  expect_true("objective" %in% failing(fit, rev(x) + 0.01))

  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.2, 0.5, 0.8), sigma = 1, lambda = 0.01)
  wrong <- fit
  wrong$solved$dual <- 0.9 * fit$solved$dual
  expect_identical(failing(wrong), "gap")
  wrong <- fit
  wrong$mixing[3, 3] <- -1
  expect_true("smallest" %in% failing(wrong))
  fit <- psd_regression(cbind(dist, dist + speed) ~ speed, cars, cone = "ordered", sigma = 1,
                        lambda = 0.01)
  wrong <- fit
  wrong$mixing[2, 2] <- -1
  expect_true("least" %in% failing(wrong))
})

test_that("what cannot be verified is refused by name", {
  fit <- psd_density(faithful, sigma = 1, lambda = 0.1)
  expect_error(psd_verify(1), "`fit` must be a fitted model", class = "psd_error")
  expect_error(psd_verify(fit), "`data` must be given for a density", class = "psd_error")
  expect_error(psd_verify(fit, faithful[1:9, ]), "`data` must have the 272 rows",
               class = "psd_error")
  expect_error(psd_verify(psd_marginal(fit, 1), faithful), "not a marginal", class = "psd_error")
  expect_error(psd_verify(fit, faithful, tol = 0), "`tol` must be", class = "psd_error")
})

test_that("a verification is printed with one line a check", {
  fit <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1)
  shown <- capture.output(print(psd_verify(fit, faithful$eruptions)))
  expect_match(shown[1], "<psd_verification> 6 of 6 hold, 0 fail", fixed = TRUE)
  expect_length(shown, 7)
  expect_match(shown[-1], "^holds ")
})

test_that("bounded quantiles and intensities of several widths are checked", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.2, 0.5, 0.8), sigma = 1, lambda = 0.01,
                      upper = 150, parametric = TRUE)
  expect_true(all(psd_verify(fit)$holds))
  wrong <- fit
  wrong$functions[[1]]$coefficients <- 1.01 * fit$functions[[1]]$coefficients
  expect_true(all(c("objective", "gap") %in% failing(wrong)))
  fit <- psd_intensity(faithful$eruptions[1:60], 1, 6, sigma = psd_widths(c(1, 0.2)), lambda = 0.01)
  expect_true(all(psd_verify(fit)$holds))
})

test_that("an intensity that is shrunk is checked with the integral that it pays for", {
  x <- faithful$eruptions[1:60]
  for (sigma in list(1, psd_widths(c(1, 0.2)))) {
    fit <- psd_intensity(x, 1, 6, sigma = sigma, lambda = 0.01, total = "shrunk")
    check <- psd_verify(fit)
    expect_true(all(check$holds))
    integral <- check[check$check == "integral", ]
    expect_equal(integral$found, psd_count(fit))
    expect_lt(integral$claimed, 59)
    wrong <- fit
    wrong$functions[[1]]$coefficients <- 1.01 * fit$functions[[1]]$coefficients
    expect_true(all(c("objective", "gap", "integral") %in% failing(wrong)))
  }
})

test_that("where the gap cannot be found the rest still is", {
  set.seed(5)
  data <- data.frame(x = runif(30))
  data$y <- rpois(30, 2 + 3 * data$x)
  fit <- psd_regression(y ~ x, data, loss = "poisson", sigma = psd_widths(c(2, 0.5)))
  expect_gt(nrow(fit$average), 1)
  check <- psd_verify(fit)
  expect_identical(grepl("^gap", check$check), is.na(check$holds))
  expect_true(all(check$holds, na.rm = TRUE))
  wide <- psd_density(data$x, sigma = 1e5, lambda = 1e-3, parametric = TRUE)
  check <- suppressWarnings(psd_verify(wide, data$x))
  expect_match(check$check[2], "too many nodes")
  expect_identical(check$claimed[2], 0)
  expect_true(check$holds[1])
})

test_that("an average of several functions is not taken for one of a single one", {
  fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.4, 0.7), lower = -1,
                      sigma = psd_widths(c(2, 0.5)))
  expect_gt(nrow(fit$average), 1)
  check <- psd_verify(fit)
  expect_identical(check$check[is.na(check$holds)], "gap (an average of several functions)")
})

test_that("an average of one quantile next to a bound, with penalties by part, is checked", {
  fit <- psd_quantreg(dist ~ speed, cars[1:20, ], tau = 0.4, upper = 200, sigma = 1)
  expect_gt(nrow(fit$average), 1)
  check <- psd_verify(fit)
  expect_true(all(check$holds, na.rm = TRUE))
  objective <- startsWith(check$check, "objective of")
  expect_true(check$holds[objective])
  fit$average$objective <- fit$average$objective * 1.01
  expect_false(psd_verify(fit)$holds[objective])
})

test_that("the dual of a density is found at penalties of any size", {
  x <- faithful$eruptions[1:40]
  for (lambda in 10^c(-6, -2, 2, 6)) {
    fit <- psd_density(x, sigma = 1, lambda = lambda)
    expect_true(all(psd_verify(fit, x)$holds), label = paste("lambda", lambda))
  }
})

test_that("the dual of a density is found with several multipliers, however small the penalty", {
  set.seed(4)
  x <- cbind(a = rnorm(30, 3), b = runif(30))
  fit <- psd_density(x, sigma = 1.8, lambda = 1e-10,
                     constraints = psd_constraint("mean", 1, columns = "a"))
  expect_true(fit$converged)
  checks <- psd_verify(fit, x, steps = 2000)
  expect_true(all(checks$holds))
  # An inequality that does not bind has no multiplier.
  free <- psd_density(x, sigma = 1.8, lambda = 1e-3,
                      constraints = psd_constraint("mean", 9, "<=", columns = "a"))
  expect_true(all(psd_verify(free, x, steps = 2000)$holds))
})

test_that("a gap is not told where the optimum of the dual was not found", {
  x <- c(-14.06, 1.23, 22.09, -0.22, 1.73)
  fit <- psd_density(x, sigma = 0.96, lambda = 1e5, ridge = 4e-6, penalty = "raw",
                     kernel = "matern32")
  checks <- psd_verify(fit, x, steps = 2000)
  expect_true(all(checks$holds, na.rm = TRUE))
  few <- psd_verify(fit, x, tol = 1e-13, steps = 1)
  gap <- grepl("^gap", few$check)
  expect_match(few$check[gap], "not found")
  expect_identical(few$holds[gap], NA)
})

test_that("losses and kernels of the core are known in plain R; others are told from them", {
  known <- c(names(psdmodels:::plain_losses), "hetero", "nonnegative")  # the last of pnm only
  expect_setequal(known, psdmodels:::cpp_loss_names())
  expect_setequal(names(psdmodels:::plain_log_kernels), psdmodels:::cpp_kernel_names())
  fit <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 0.01)
  other <- fit
  other$solved$losses[[1]]$name <- "new"
  check <- psd_verify(other)
  expect_identical(check$check[is.na(check$holds)], "gap (a loss that is not known in plain R)")
  other <- fit
  other$functions[[1]]$kernel <- "new"
  expect_error(psd_verify(other), "known in plain R", class = "psd_input_error")
})

test_that("where rounding ends the search for the dual point the gap is not known", {
  x <- cbind(c(1.26, 0.55, -1e12, -0.9, 1.26, 0.14, 0.14, 0.71, 0.99, -2.03, -0.2, 0.74),
             c(0.72, 0.02, 0.72, -1.58, 0.72, -1.58, -1.58, -1.58, 0.02, 0.72, 0.02, 0.02))
  fit <- psd_density(x, penalty = "raw", sigma = 0.192, lambda = 3e6, standardize = FALSE,
                     shape = "axes")
  for (steps in c(50, 2000)) {
    checks <- psd_verify(fit, x, steps = steps)
    expect_false(any(!checks$holds[grepl("^gap", checks$check)], na.rm = TRUE))
  }
})

test_that("a search for the dual point that goes where it has no value does not fail", {
  set.seed(1)
  x <- matrix(round(rnorm(30), 1), 15)
  fit <- psd_density(x, sigma = 0.15, lambda = 3e6)
  checks <- psd_verify(fit, x, steps = 2000)
  expect_false(any(!checks$holds, na.rm = TRUE))
})

test_that("a base that is a point beside the kernels is integrated against as one", {
  x <- qnorm(ppoints(30))
  data <- data.frame(a = x, b = 1e148 * (2 + sin(1:30)), y = 1 + x^2)
  fit <- psd_regression(y ~ a + b, data, sigma = 3, lambda = 0.05,
                        constraints = psd_integral(3, ">=", base = psd_gaussian(0, 1)))
  checks <- psd_verify(fit)
  expect_equal(checks$found[checks$check == "constraint"],
               checks$claimed[checks$check == "constraint"], tolerance = 1e-5)
  expect_false(any(!checks$holds, na.rm = TRUE))
})

test_that("integrals that take too many pairs of sections are left out, not waited for", {
  set.seed(1)
  x <- cbind(rcauchy(40), runif(40))
  fit <- psd_intensity(x, lower = c(-1000, -10), upper = c(1000, 10), sigma = psd_widths(),
                       lambda = 0.15)
  checks <- psd_verify(fit)
  expect_true(any(grepl("too many nodes", checks$check)))
  expect_false(any(!checks$holds, na.rm = TRUE))
  # The same widths with a tenth of the sections are within reach.
  f <- fit$functions[[1]]
  integral <- function(f) psdmodels:::plain_integral(f, fit$measure)
  expect_true(anyNA(integral(f)))
  few <- seq(1, nrow(f$anchors$at), by = 10)
  f$anchors <- lapply(f$anchors, function(a) a[few, , drop = FALSE])
  expect_false(anyNA(integral(f)))
})

test_that("a fit to a single row is checked, too", {
  for (model in c("psd", "pnm")) {
    fit <- psd_quantreg(y ~ x, data.frame(x = 1, y = 2), tau = c(0.05, 0.5), sigma = 3,
                        lambda = 0.02, standardize = FALSE, model = model)
    expect_false(any(!psd_verify(fit)$holds, na.rm = TRUE), info = model)
  }
})

test_that("what has integrals without squares is not said to fail", {
  set.seed(1)
  unit <- 2^-610
  x <- cbind(a = runif(30), b = unit * runif(30))
  fit <- psd_intensity(x, lower = 0, upper = c(1, unit), sigma = 1, lambda = 0.01,
                       standardize = FALSE)
  found <- psd_verify(fit, x)
  expect_false(any(found$holds %in% FALSE))
  expect_true(anyNA(found$holds))
})

test_that("points to look at are spread evenly over a box twice as large as the data", {
  data <- cbind(c(0, 4), c(10, 11), c(-3, -3))
  points <- psdmodels:::spread_points(data)
  expect_identical(points[1:2, ], data)
  spread <- points[-(1:2), ]
  expect_identical(dim(spread), c(500L, 3L))
  middle <- c(2, 10.5, -3)
  reach <- c(4, 1, 1)
  place <- sweep(sweep(spread, 2, middle), 2, reach, "/")
  expect_true(all(abs(place) <= 1))
  quarter <- findInterval(place, c(-1, -0.5, 0, 0.5))
  expect_true(all(abs(table(quarter, col(place)) - 125) <= 5))
  expect_lt(max(abs(cor(place)[upper.tri(diag(3))])), 0.2)
})

test_that("a density that is zero at the data up to rounding is not judged, a negative one fails", {
  set.seed(3)
  x <- c(rnorm(12), 2)
  fit <- psd_density(x, model = "pnm", sigma = 1, lambda = 1, parametric = FALSE)
  last <- which(fit$functions[[1]]$anchors$at[, 1] == max(fit$functions[[1]]$anchors$at))
  with_value <- function(size) {
    wrong <- fit
    value <- psdmodels:::all_values(fit$functions, fit$functions[[1]]$anchors$at)[last]
    wrong$functions[[1]]$coefficients[last] <- fit$functions[[1]]$coefficients[last] - value + size
    psd_verify(wrong, x)
  }
  expect_identical(failing(fit, x), character())
  check <- with_value(0)
  expect_match(check$check[2], "gap (a value at the data is zero up to rounding)", fixed = TRUE)
  expect_identical(check$holds[2], NA)
  check <- with_value(-0.01)
  expect_identical(check$check[2:3], c("objective", "gap (its dual is not a closed form)"))
  expect_identical(check$holds[2:3], c(FALSE, NA))
  expect_identical(check$found[2], Inf)
})

test_that("the plain loss of counts is that of the Poisson distribution, also without any", {
  u <- rep(c(0, 0.3, 1, 2.5), 3)
  y <- rep(c(0, 1, 4), each = 4)
  expect_equal(psdmodels:::plain_losses$poisson$value(u, y),
               -dpois(y, u, log = TRUE) - lgamma(y + 1))
})

test_that("a dual point at which some numbers are none has no value, and is no error", {
  block <- list(values = diag(2), square = TRUE)
  by <- c(l1 = 0.1, l2 = 0.5)
  # One negative eigenvalue, -2 + 0.1.
  expect_equal(plain_conjugate(block, by, c(-2, 1), 0)$value, 1.9^2 / (2 * 0.5))
  expect_equal(plain_conjugate(block, by, c(-2, 1), 0)$point, diag(c(1.9 / 0.5, 0)))
  for (b in list(c(-Inf, 1), c(NaN, NaN), c(1, Inf))) {
    expect_identical(plain_conjugate(block, by, b, 0)$value, Inf)
  }
  expect_identical(plain_conjugate(block, by, c(1, 1), diag(c(Inf, 0)))$value, Inf)
})
