test_that("the model is named by print() and glance()", {
  fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3, model = "pnm")
  expect_output(print(fit), "pnm")
  expect_identical(glance(fit)$kind, "pnm")
  expect_identical(glance(fit)$ridge, NA_real_)
  expect_identical(glance(density_1d())$kind, "psd")
  other <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2, model = "ncm")
  expect_output(print(other), "ncm")
})

test_that("an unknown model is an error that says which there are", {
  names <- paste0("\"", names(psdmodels:::model_table()), "\"", collapse = ".*")
  expect_error(psd_density(1:9, model = "foo"), names, class = "psd_error")
  expect_error(psd_regression(dist ~ speed, cars, model = "glm"), class = "psd_error")
  expect_error(psdmodels:::find_model("pnm", "intensity"), "no\\s+such model", class = "psd_error")
})

test_that("regression has the other models for one non-negative output only", {
  expect_error(psd_regression(cbind(dist, speed) ~ dist, cars, model = "ncm"), "several outputs",
               class = "psd_error")
  expect_error(psd_regression(dist ~ speed, cars, model = "pnm",
                              cone = psd_cone(halfspaces = matrix(1))),
               "nonnegative", class = "psd_error")
})

test_that("ridge is tuned in the psd model only", {
  set.seed(1)
  x <- rnorm(40)
  fit <- psd_density(x, sigma = 1, lambda = c(0.1, 1), ridge = c(0.01, 1), model = "ncm")
  expect_identical(nrow(fit$tuning), 2L)
})

test_that("sections that are left out far from the points change nothing", {
  set.seed(1)
  at <- matrix(c(sort(runif(60, 0, 100)), 50))
  width <- matrix(c(rep(c(0.01, 0.1), 30), 30))
  x <- matrix(seq(-20, 120, length.out = 3000))
  for (wide in c(1, 0, 1e-30)) {
    root <- rbind(matrix(rnorm(120), 60), wide)
    f <- new_function("psd", "gaussian", list(at = at, width = width), root)
    v <- exp(-outer(x[, 1], at[, 1], "-")^2 / rep(2 * width[, 1]^2, each = nrow(x)))
    expect_equal(values_at(f, x), rowSums((v %*% root)^2), tolerance = 1e-12)
    some <- seq(1, 3000, by = 97)  # each alone, where nothing is left out
    alone <- vapply(some, function(i) log_values(f, x[i, , drop = FALSE]), 0)
    expect_equal(log_values(f, x)[some], alone, tolerance = 1e-12)
    expect_true(all(is.finite(log_values(f, x))))
    slopes <- vapply(some, function(i) gradient_of(f, x[i, , drop = FALSE]), 0)
    expect_equal(gradient_of(f, x)[some, 1], slopes, tolerance = 1e-10)
  }
})
