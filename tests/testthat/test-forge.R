test_that("variables of newdata must have the types they had in the fit", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2)
  for (wrong in list("a", factor(1), TRUE)) {
    expect_error(predict(fit, data.frame(speed = wrong)), "types that the fit had",
                 class = "psd_error")
  }
  expect_length(predict(fit, data.frame(speed = 5L)), 1)
})

test_that("a single column may have another name, several may not", {
  one <- mold_matrix(cbind(a = 1:3), NULL, "x", NULL)$recipe
  two <- mold_matrix(cbind(a = 1:3, b = 4:6), NULL, "x", NULL)$recipe
  expect_identical(forge(one, data.frame(other = 7)), matrix(7, 1, 1, dimnames = list(NULL, "a")))
  expect_error(forge(one, data.frame(b = 1, c = 2)), "must have the column a; a is missing",
               class = "psd_error")
  expect_error(forge(two, data.frame(a = 1)), "b is missing", class = "psd_error")
  expect_error(forge(two, data.frame(c = 1)), "a and b are missing", class = "psd_error")
})
