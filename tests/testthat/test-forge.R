test_that("variables of newdata must have the types they had in the fit", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2)
  for (wrong in list("a", factor(1), TRUE)) {
    expect_error(predict(fit, data.frame(speed = wrong)), "types that the fit had",
                 class = "psd_error")
  }
  expect_length(predict(fit, data.frame(speed = 5L)), 1)
})
