skip_if_not_installed("parsnip")
# Where R has to ask the system for it, packages that load lubridate warn.
if (Sys.getenv("TZ") == "") Sys.setenv(TZ = "UTC")
new <- data.frame(speed = c(5, 15, 25))
direct <- function() psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)

test_that("mode regression is psd_hetero()", {
  spec <- psd_reg(mode = "regression", kernel_width = 1, penalty = 1e-3)
  fit <- parsnip::fit(spec, dist ~ speed, cars)
  expect_equal(predict(fit, new)$.pred, predict(direct(), new))
  interval <- predict(fit, new, type = "pred_int", level = 0.8)
  expect_identical(names(interval), c(".pred_lower", ".pred_upper"))
  expect_equal(as.matrix(interval), predict(direct(), new, type = "interval", level = 0.8)[, -1],
               ignore_attr = TRUE)
  set.seed(1)
  confidence <- predict(fit, new, type = "conf_int", level = 0.9)
  set.seed(1)
  expected <- psd_confidence(direct(), new, level = 0.9)
  expect_equal(as.matrix(confidence), expected[, -1], ignore_attr = TRUE)
})

test_that("case weights and arguments of the engine are passed on", {
  w <- rep(1:2, 25)
  spec <- psd_reg(mode = "regression", kernel_width = 1, penalty = 1e-3)
  spec <- parsnip::set_engine(spec, "psdmodels", kernel = "matern32")
  skip_if_not_installed("hardhat")
  fit <- parsnip::fit(spec, dist ~ speed, cars, case_weights = hardhat::importance_weights(w))
  expected <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3, kernel = "matern32",
                         weights = w)
  expect_equal(predict(fit, new)$.pred, predict(expected, new))
})

quantile_spec <- function(...) {
  skip_if_not("quantile regression" %in% parsnip::get_model_env()$modes)
  parsnip::set_mode(psd_reg(...), "quantile regression", quantile_levels = c(0.1, 0.5, 0.9))
}

test_that("mode quantile regression is psd_quantreg() at the levels", {
  skip_if_not_installed("hardhat", "1.4.1")
  fit <- parsnip::fit(quantile_spec(kernel_width = 1, penalty = 1e-3), dist ~ speed, cars)
  q <- predict(fit, new)$.pred_quantile
  expect_s3_class(q, "quantile_pred")
  expected <- predict(psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.9), sigma = 1,
                                   lambda = 1e-3), new)
  expect_equal(as.matrix(q), expected, ignore_attr = TRUE)
  expect_identical(hardhat::extract_quantile_levels(q), c(0.1, 0.5, 0.9))
})

test_that("both parameters are tuned inside a workflow, with a recipe and resampling", {
  skip_if_not_installed("tune", "2.0.0")
  skip_if_not_installed("workflows")
  skip_if_not_installed("recipes")
  skip_if_not_installed("rsample")
  skip_if_not_installed("dials")
  skip_if_not_installed("yardstick", "1.4.0")
  spec <- quantile_spec(kernel_width = hardhat::tune(), penalty = hardhat::tune())
  recipe <- recipes::recipe(dist ~ speed, cars)
  recipe <- recipes::step_log(recipe, recipes::all_numeric_predictors())
  flow <- workflows::workflow(recipe, spec)
  expect_setequal(hardhat::extract_parameter_set_dials(flow)$name, c("kernel_width", "penalty"))
  set.seed(1)
  grid <- data.frame(kernel_width = c(0.3, 3), penalty = 0.01)
  tuned <- suppressWarnings(tune::tune_grid(flow, rsample::vfold_cv(cars, 3), grid = grid))
  scores <- tune::collect_metrics(tuned)
  expect_identical(unique(scores$.metric), "weighted_interval_score")
  best <- tune::select_best(tuned, metric = "weighted_interval_score")
  expect_identical(best$kernel_width, scores$kernel_width[which.min(scores$mean)])
  final <- parsnip::fit(tune::finalize_workflow(flow, best), cars)
  expected <- psd_quantreg(dist ~ log(speed), cars, tau = c(0.1, 0.5, 0.9), lambda = 0.01,
                           sigma = best$kernel_width)
  expect_equal(as.matrix(predict(final, new)$.pred_quantile), predict(expected, new),
               ignore_attr = TRUE)
})

test_that("the script of the example runs", {
  script <- system.file("examples", "tidymodels.R", package = "psdmodels")
  skip_if(script == "")
  needed <- c("workflows", "recipes", "rsample", "tune", "ggdist", "distributional")
  for (package in needed) skip_if_not_installed(package)
  skip_if_not("quantile regression" %in% parsnip::get_model_env()$modes)
  env <- new.env()
  suppressWarnings(suppressMessages(sys.source(script, env)))
  expect_s3_class(env$picture, "ggplot")
})
