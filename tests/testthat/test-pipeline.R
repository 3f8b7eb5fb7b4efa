# What every fit goes through: settings that cannot be solved are refused, by name.

set.seed(1)
x <- rnorm(30)

test_that("a kernel narrower than the distance of numbers is refused where it is integrated", {
  expect_error(psd_density(1e20 * x, sigma = 1, lambda = 0.1, standardize = FALSE),
               "`sigma` must be at least", class = "psd_input_error")
  expect_error(psd_density(c(x, 1e16), sigma = psd_widths(c(1, 0.1)), lambda = 0.1),
               "not 0.1", class = "psd_input_error")
  fit <- psd_quantreg(x = 1e20 * x, y = x, sigma = 1, lambda = 0.1, standardize = FALSE)
  expect_true(all(is.finite(fitted(fit))))
})

test_that("several widths need a variance, a search two rows", {
  expect_error(psd_density(3, lambda = 0.1, standardize = FALSE),
               "`sigma` must be a single width", class = "psd_input_error")
  expect_error(psd_density(c(3, 3), lambda = 0.1, standardize = FALSE),
               "`sigma` must be a single width", class = "psd_input_error")
  one <- psd_density(3, sigma = 1, lambda = 0.1, standardize = FALSE)
  expect_equal(quantile(one, 0.5, names = FALSE), 3)
  expect_error(psd_density(3, sigma = 1, standardize = FALSE), "two different rows",
               class = "psd_error")
  expect_error(psd_density(3, sigma = 1, standardize = FALSE, tune = psd_tune(train = 0.5)),
               "two different rows", class = "psd_error")
})

test_that("a fit without a finite loss is an error, not a fit", {
  set.seed(2)
  far <- matrix(rnorm(60, sd = 100), 20)
  expect_error(psd_density(far, sigma = 0.1, lambda = 1, standardize = FALSE,
                           control = psd_control(max_rank = 3)),
               "finite loss at every row", class = "psd_no_solution")
})

test_that("a density whose integral is lost to rounding is an error, not a fit of NaN", {
  kinds <- vapply(1:8, function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(50 * 12), 50)
    x[, 12] <- rcauchy(50)
    fit <- tryCatch(suppressWarnings(psd_density(x, sigma = 8, lambda = 2e-3, penalty = "raw",
                                                 model = "pnm",
                                                 control = psd_control(rank_tol = 1e-3))),
                    psd_no_solution = function(e) "refused")
    if (identical(fit, "refused")) return("refused")
    if (all(is.finite(predict(fit, x)))) "fit" else "NaN"
  }, "")
  expect_false("NaN" %in% kinds)
  lost <- list(objective = 1, functions = list(list(coefficients = 1)), log_scale = NaN,
               iterations = 1)
  expect_error(check_solution(lost, NULL), "lost to rounding", class = "psd_no_solution")
  infinite <- list(objective = 0, log_scale = 0, iterations = 3L,
                   functions = list(list(coefficients = matrix(c(1, -Inf)))))
  expect_error(check_solution(infinite, NULL), "No function", class = "psd_no_solution")
})

test_that("a base far from the data and a kernel too wide for a transformation are refused", {
  expect_error(psd_density(x + 1e4, sigma = 1, lambda = 0.1, base = psd_gaussian(0, 3)),
               "`base` must be near the data", class = "psd_input_error")
  expect_s3_class(psd_density(x + 80, sigma = 1, lambda = 0.1, base = psd_gaussian(0, 3)),
                  "psd_density")
  expect_error(psd_density(exp(x), sigma = 1e4, lambda = 0.1, lower = 0, transform = "log"),
               "`sigma` must be smaller where `transform` is \"log\"", class = "psd_input_error")
  # wide kernels beside a narrow one, which the fit hardly uses
  expect_error(psd_density(exp(x), sigma = psd_widths(10^c(-4, 0, 4)), lambda = 0.1, lower = 0,
                           transform = "softplus"),
               "cannot be told from a bound", class = "psd_input_error")
  expect_s3_class(psd_density(exp(x), sigma = psd_widths(c(1, 0.1)), lambda = 0.1, lower = 0,
                              transform = "softplus"), "psd_density")
})

test_that("a search in which no candidate has a solution ends in words", {
  set.seed(3)
  data <- data.frame(a = 5 + runif(12), b = runif(12))
  never <- psd_constraint("mean", 0, columns = 1)
  expect_error(suppressMessages(psd_density(data, constraints = never, sigma = c(1, 0.3),
                                            lambda = 0.8, model = "ncm", standardize = FALSE)),
               class = "psd_error")
})

test_that("a search among numbers of any size is that in their unit", {
  x <- c(3.079124, 3.694949)
  fit <- function(unit) {
    psd_intensity(unit * x, unit * 0.985319826867176, unit * 3.9412793074687, kernel = "abel",
                  standardize = FALSE, weights = c(2, 1), lambda = 0.1)
  }
  expect_equal(2^440 * fitted(fit(2^440)), fitted(fit(1)), tolerance = 1e-5)
})

test_that("a density too large for a number is refused, however it comes about", {
  x <- cbind(a = 1e-160 * c(1, 2, 4), b = 1e-160 * c(3, 1, 2))
  expect_error(psd_density(x, lower = 0, upper = 5e-160, sigma = 6, lambda = 8, standardize = FALSE,
                           kernel = "abel"),
               "a number of double precision, not one of size 1e319", class = "psd_input_error")
})
