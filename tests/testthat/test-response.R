mold_quickly <- function(formula = NULL, data = NULL, x = NULL, y = NULL) {
  mold_response(formula, data, x, y, NULL, NULL, stats::na.omit, "x")
}

test_that("the response is a plain vector, and its text is kept", {
  data <- data.frame(a = 1:4, b = c(2, 4, 8, 16))
  molded <- mold_quickly(log2(b) ~ a, data)
  expect_equal(molded$y, c(1, 2, 3, 4))
  expect_equal(molded$recipe$response, "log2(b)")
  expect_equal(mold_quickly(x = data["a"], y = data["b"])$y, data$b)
})

test_that("the response is found again in new data, when it is there", {
  recipe <- mold_quickly(log2(b) ~ a, data.frame(a = 1:4, b = 2^(1:4)))$recipe
  expect_equal(response_in(recipe, data.frame(b = c(1, 32))), c(0, 5))
  expect_null(response_in(recipe, data.frame(a = 1)))
})
