# Without the package: what its generics are given.
test_that("predictions are a long table, with groups where there are several a row", {
  at <- data.frame(speed = c(5, 10, 15))
  hetero <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 0.01)
  long <- get_predict.psd_hetero(hetero, at)
  expect_identical(long, data.frame(rowid = 1:3, estimate = predict(hetero, at)))
  expect_identical(get_predict.psd_hetero(hetero, at, "response"), long)
  expect_identical(get_predict.psd_hetero(hetero, at, "sd")$estimate,
                   predict(hetero, at, type = "sd"))
  quantiles <- psd_quantreg(dist ~ speed, cars, tau = c(0.2, 0.7), sigma = 1, lambda = 0.01)
  expect_no_warning(long <- get_predict.psd_quantreg(quantiles, data.frame(speed = c(5, 50))))
  expect_identical(long$rowid, c(1:2, 1:2))
  expect_identical(long$group, rep(c("q0.2", "q0.7"), each = 2))
  expect_identical(get_coef.psd_fit(hetero), c(none = 0))
  expect_identical(set_coef.psd_fit(hetero, 1), hetero)
  expect_null(get_vcov.psd_fit(hetero))
})

skip_if_not_installed("marginaleffects")
skip_if_not_installed("insight")
# The version on CRAN when this was written uses a function of R 4.4 without saying so.
if (!exists("%||%", baseenv())) assign("%||%", rlang::`%||%`, globalenv())

slope_of <- function(fit, data, variable, step = 1e-4, ...) {
  up <- down <- data
  up[[variable]] <- data[[variable]] + step
  down[[variable]] <- data[[variable]] - step
  suppressWarnings((predict(fit, up, ...) - predict(fit, down, ...)) / (2 * step))
}

test_that("average slopes of a quantile fit are finite differences, one a level", {
  fit <- psd_quantreg(mpg ~ hp + wt, mtcars, tau = c(0.1, 0.5, 0.9), sigma = 2, lambda = 1e-2)
  out <- marginaleffects::avg_slopes(fit, variables = "hp", vcov = FALSE)
  expect_identical(out$group, c("q0.1", "q0.5", "q0.9"))
  expect_equal(out$estimate, unname(colMeans(slope_of(fit, mtcars, "hp"))), tolerance = 1e-3)
  plot <- marginaleffects::plot_predictions(fit, condition = c("hp", "group"), vcov = FALSE,
                                            draw = FALSE)
  expect_true(all(c("hp", "group", "estimate") %in% names(plot)))
})

test_that("means, factors and other types of a heteroscedastic fit", {
  data <- transform(mtcars, cyl = factor(cyl))
  fit <- psd_hetero(mpg ~ hp + cyl, data, sigma = 2, lambda = 1e-2)
  out <- marginaleffects::avg_slopes(fit, variables = "hp", newdata = data, vcov = FALSE)
  expect_equal(out$estimate, mean(slope_of(fit, data, "hp")), tolerance = 1e-3)
  contrast <- marginaleffects::avg_comparisons(fit, variables = "cyl", newdata = data,
                                               vcov = FALSE)
  at <- function(level) {
    suppressWarnings(predict(fit, transform(data, cyl = factor(level, levels(data$cyl)))))
  }
  expect_equal(contrast$estimate, c(mean(at("6") - at("4")), mean(at("8") - at("4"))))
})

test_that("insight knows the variables", {
  fit <- psd_hetero(mpg ~ hp + wt, mtcars, sigma = 2, lambda = 1e-2)
  expect_identical(insight::find_predictors(fit)$conditional, c("hp", "wt"))
  expect_identical(insight::find_response(fit), "mpg")
})
