test_that("variables of newdata must have the types they had in the fit", {
  fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2)
  for (wrong in list("a", factor(1), TRUE)) {
    expect_error(predict(fit, data.frame(speed = wrong)), "types that the fit had",
                 class = "psd_error")
  }
  expect_length(predict(fit, data.frame(speed = 5L)), 1)
})

test_that("a formula with one variable takes its values, and fits are functions of them", {
  at <- c(8, 12.5)
  fits <- list(psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-2),
               psd_regression(dist ~ log(speed), cars, sigma = 1, lambda = 1e-2),
               psd_quantreg(dist ~ speed, cars, tau = 0.5, sigma = 1, lambda = 1e-2),
               psd_density(~speed, cars, sigma = 1, lambda = 1e-2),
               psd_intensity(~speed, 0, 30, cars, sigma = 1, lambda = 1e-2))
  for (fit in fits) {
    expect_identical(predict(fit, at), predict(fit, data.frame(speed = at)))
    expect_identical(as.function(fit)(at), as.vector(predict(fit, data.frame(speed = at))))
  }
  sd <- as.function(fits[[1]], type = "sd")
  expect_identical(sd(at), predict(fits[[1]], at, type = "sd"))
  middle <- integrate(as.function(fits[[2]]), 8, 12)$value
  grid <- seq(8, 12, length.out = 2001)
  expect_equal(middle, 4 * mean(predict(fits[[2]], grid)), tolerance = 1e-3)
  two <- psd_regression(mpg ~ wt + hp, mtcars, sigma = 2, lambda = 1e-2)
  expect_error(predict(two, 3), "must be a data frame with wt and hp", class = "psd_input_error")
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

test_that("columns of a matrix are found by their names, in any order", {
  x <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  fit <- psd_density(x, sigma = 1, lambda = 0.1)
  expected <- predict(fit, x[1:4, ])
  expect_identical(predict(fit, x[1:4, c("hp", "qsec", "wt")]), expected)
  expect_identical(predict(fit, x[1:4, c("wt", "qsec", "hp")]), expected)
  expect_identical(predict(fit, cbind(more = 0, x[1:4, ])), expected)
})

test_that("of columns without names a data frame has as many, one by its name among others", {
  one <- mold_matrix(matrix(1:3), NULL, "x", NULL)$recipe
  two <- mold_matrix(matrix(1:6, 3), NULL, "x", NULL)$recipe
  frame <- data.frame(7, 8)
  expect_identical(as.vector(forge(two, frame)), c(7, 8))
  frame[[one$columns]] <- 9
  expect_identical(as.vector(forge(one, frame)), 9)
  expect_error(forge(two, frame), "must have 2 columns, as the fit has, not 3", class = "psd_error")
})
