set.seed(3)
data <- data.frame(a = runif(50), b = rnorm(50), g = factor(rep(c("u", "v"), 25)))
data$y <- data$a + data$b^2 + (data$g == "v") + rnorm(50) / 5
data$w <- rep(0:1, c(5, 45))

test_that("a dot, interactions, poly() and factors are those of the model matrix", {
  formulas <- list(y ~ . - w, y ~ a * b, y ~ poly(a, 2) + g, y ~ a:g + b - 1)
  for (formula in formulas) {
    fit <- psd_hetero(formula, data, sigma = 1, lambda = 0.1)
    with_intercept <- terms(formula, data = data)
    attr(with_intercept, "intercept") <- 1L
    columns <- model.matrix(with_intercept, data)[, -1]
    same <- psd_hetero(x = unname(columns), y = data$y, sigma = 1, lambda = 0.1)
    new <- data[c(3, 20, 41), ]
    expect_equal(predict(fit, new), predict(same, unname(columns)[c(3, 20, 41), ]))
    expect_equal(as.list(model.frame(fit)), as.list(model.frame(formula, data)),
                 ignore_attr = TRUE)
  }
})

test_that("formula() writes a dot out, and terms() know poly()", {
  fit <- psd_hetero(log(y + 9) ~ . - w, data, sigma = 1, lambda = 0.1)
  expect_equal(formula(fit), log(y + 9) ~ (a + b + g + w) - w, ignore_formula_env = TRUE)
  expect_identical(labels(terms(fit)), c("a", "b", "g"))
  fit <- psd_hetero(y ~ poly(a, 2), data, sigma = 1, lambda = 0.1)
  again <- model.frame(terms(fit), data[1:3, ])
  expect_equal(unclass(again[[2]])[, 1:2], unclass(poly(data$a, 2))[1:3, 1:2], ignore_attr = TRUE)
})

test_that("model.frame() has the rows and weights used, or says what is missing", {
  fit <- psd_hetero(y ~ a, data, sigma = 1, lambda = 0.1, weights = w, subset = b > -1)
  frame <- model.frame(fit)
  expect_identical(frame$a, data$a[data$w > 0 & data$b > -1])
  expect_identical(frame[["(weights)"]], data$w[data$w > 0 & data$b > -1])
  kept <- data
  data <- data[1:20, ]
  expect_error(model.frame(fit), class = "psd_no_data")
  expect_identical(model.frame(fit, kept), frame)
})

test_that("fits from numbers have a frame of numbers and no formula", {
  fit <- psd_hetero(x = cars$speed, y = cars$dist, sigma = 1, lambda = 0.1)
  expect_error(formula(fit), class = "psd_undefined")
  expect_error(terms(fit), class = "psd_undefined")
  expect_error(update(fit, . ~ . + z), class = "psd_undefined")
  expect_identical(model.frame(fit), data.frame(x = cars$speed, y = cars$dist))
  density <- psd_density(faithful, sigma = 1, lambda = 0.1)
  expect_identical(model.frame(density), faithful)
  expect_identical(model.frame(psd_marginal(density, "waiting")), faithful["waiting"])
})

test_that("update() changes formulas and arguments, of densities too", {
  fit <- psd_hetero(y ~ a, data, sigma = 1, lambda = 0.1)
  expect_identical(fitted(update(fit, ~ .)), fitted(fit))
  expect_identical(update(fit, . ~ . + b)$recipe$columns, c("a", "b"))
  expect_identical(update(fit, lambda = 0.2)$parameters$lambda[["psd"]], 0.2)
  expect_identical(update(fit, lambda = 0.2, evaluate = FALSE)$lambda, 0.2)
  density <- psd_density(~ a + b, data, sigma = 1, lambda = 0.1)
  expect_identical(update(density, ~ . - b)$recipe$columns, "a")
  local({
    inner <- data.frame(a = 1:9 / 9, y = 1:9 + c(0, 1, 0))
    fit <- psd_hetero(y ~ a, inner, sigma = 1, lambda = 0.1)
    expect_identical(update(fit, sqrt(y) ~ .)$y, sqrt(inner$y))
  })
})

test_that("offset() is refused where there is no linear predictor", {
  expect_error(psd_hetero(y ~ a + offset(b), data, sigma = 1, lambda = 1), "offset",
               class = "psd_input_error")
  expect_error(psd_quantreg(y ~ a + offset(b), data, sigma = 1, lambda = 1), "offset",
               class = "psd_input_error")
  expect_error(psd_density(~ a + offset(b), data, sigma = 1, lambda = 1), "offset",
               class = "psd_input_error")
})

test_that("a factor in a density is refused with what to do", {
  expect_error(psd_density(~ a + g, data), "group", class = "psd_input_error")
  expect_error(psd_density(data[c("a", "g")]), "psd_conditional", class = "psd_input_error")
})

test_that("data that are gone are asked for", {
  gone <- data
  fit <- psd_density(~a, gone, sigma = 1, lambda = 0.1)
  rm(gone)
  expect_error(model.frame(fit), "were not found .* give them as `data`", class = "psd_no_data")
  expect_identical(model.frame(fit, data)$a, data$a)
})
