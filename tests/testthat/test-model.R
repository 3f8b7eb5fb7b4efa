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
