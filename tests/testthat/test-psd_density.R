test_that("vector, matrix, data frame and formula give the same fit", {
  fit <- function(...) psd_density(..., sigma = 0.6, lambda = 1e-2)
  frame <- fit(faithful)
  expect_equal(predict(fit(as.matrix(faithful)), faithful), predict(frame, faithful))
  formula <- fit(~ eruptions + waiting, data = faithful)
  expect_equal(predict(formula, faithful), predict(frame, faithful))
  expect_equal(predict(fit(~ eruptions, data = faithful), faithful),
               predict(fit(faithful$eruptions), faithful$eruptions))
  expect_equal(predict(frame, faithful[5:1, 2:1]), predict(frame, faithful[5:1, ]))
})

test_that("weights and subset are looked up in data, and only ratios of weights matter", {
  data <- transform(faithful[1:100, ], w = rep(1:2, 50))
  fit <- function(...) psd_density(~ eruptions, data, sigma = 0.6, lambda = 1e-2, ...)
  one <- fit(weights = w, subset = waiting > 60)
  two <- psd_density(data$eruptions[data$waiting > 60], sigma = 0.6, lambda = 1e-2,
                     weights = 1e5 * data$w[data$waiting > 60])
  expect_equal(predict(one, data.frame(eruptions = 2:4)), predict(two, 2:4), tolerance = 1e-6)
  expect_equal(as.numeric(logLik(one)), as.numeric(logLik(two)), tolerance = 1e-6)
})

test_that("rows with missing values are dropped with a message, or refused", {
  x <- c(faithful$eruptions[1:50], NA)
  expect_message(fit <- psd_density(x, sigma = 0.6, lambda = 1e-2), class = "psd_missing")
  expect_identical(nobs(fit), 50L)
  expect_error(psd_density(x, sigma = 0.6, lambda = 1e-2, na.action = na.fail), class = "psd_error")
})

test_that("the reference optima are met", {
  i <- 0:29
  x1 <- i / 10 + 0.03 * sin(7 * i)
  fit <- psd_density(x1, sigma = 0.08, lambda = 0.01, standardize = FALSE, penalty = "raw",
                     control = psd_control(tol = 1e-9))
  expect_equal(glance(fit)$objective, 1.076309789, tolerance = 1e-8)
  boxed <- psd_density(x1, sigma = 0.08, lambda = 0.001, standardize = FALSE, penalty = "raw",
                       lower = -0.2, upper = 3.2, control = psd_control(tol = 1e-9))
  expect_equal(glance(boxed)$objective, 0.784783947, tolerance = 1e-8)
})

test_that("mistakes in the input are named", {
  x <- faithful$eruptions
  expect_snapshot(error = TRUE, {
    psd_density(c(1, Inf), sigma = 1, lambda = 1)
    psd_density(c(NA_real_, NaN), sigma = 1, lambda = 1)
    psd_density(c(1, 2, NA), sigma = 1, lambda = 1, na.action = na.fail)
    psd_density("a")
    psd_density(iris, sigma = 1, lambda = 1)
    psd_density(~ Species, iris, sigma = 1, lambda = 1)
    psd_density(Sepal.Width ~ Sepal.Length, iris, sigma = 1, lambda = 1)
    psd_density(~ depth, faithful, sigma = 1, lambda = 1)
    psd_density(numeric(), sigma = 1, lambda = 1)
    psd_density(faithful[0, ], sigma = 1, lambda = 1)
    psd_density(rep(2, 10), sigma = 1, lambda = 1)
    psd_density(x, sigma = 1, lambda = 1, weights = 1:3)
    psd_density(x, sigma = 1, lambda = 1, weights = rep(-1, 272))
    psd_density(x, sigma = 1, lambda = 1, weights = rep(0, 272))
    psd_density(x, sigma = 1, lambda = 1, weights = c(NA, rep(1, 271)))
    psd_density(x, sigma = 1, lambda = 1, lower = 2, upper = 1)
    psd_density(x, sigma = 1, lambda = 1, lower = 2)
    psd_density(x, sigma = 1, lambda = 1, lower = c(0, 0))
    psd_density(x, sigma = 0, lambda = 1)
    psd_density(x, sigma = 1, lambda = -1)
    psd_density(x, sigma = 1, lambda = 1, ridge = 0)
    psd_density(x, sigma = 1, lambda = 1, kernel = "cubic")
    psd_density(x, sigma = 1, lambda = 1, base = "gaussian")
    psd_density(x, sigma = 1, lambda = 1, penalty = "none")
    psd_density(x, sigma = 1, lambda = 1, standardize = 1)
    psd_density(x, sigma = 1, lambda = 1, control = list())
    psd_density(x, sigma = 1, lambda = 1, tune = 5)
  })
})

test_that("integrals that rounding spoils are told, by how much", {
  set.seed(1)
  x <- cbind(a = rnorm(20), b = rnorm(20))
  wide <- function(sigma, ...) {
    psd_density(x, sigma = sigma, lambda = 1e-7, ridge = 1e-7, lower = -5, upper = 5, ...)
  }
  fit <- NULL
  expect_warning(fit <- wide(12), class = "psd_rounding")
  expect_no_warning(wide(2))
  expect_no_warning(wide(12, model = "ncm"))
  # against quadrature
  rule <- legendre_rule(40)
  grid <- expand.grid(a = 5 * rule$nodes, b = 5 * rule$nodes)
  lost <- abs(sum(25 * outer(rule$weights, rule$weights) * predict(fit, grid)) - 1)
  told <- integral_rounding(fit$functions[[1]], fit$measure)
  expect_gt(lost, told / 100)
  expect_lt(lost, told * 10)
})

test_that("a fit keeps few of many rows, and nothing as long as the data", {
  set.seed(1)
  fit <- psd_density(rnorm(3000), sigma = 1, lambda = 1, control = psd_control(max_rank = 20))
  expect_identical(fit$n, 3000L)
  expect_lte(nrow(fit$sample), 1000)
  expect_null(fit$x)
  expect_null(fit$solved$dual)
})

test_that("the dual is guessed on the line through the last two, or nu in proportion", {
  one <- list(dual = c(-1, -2, 0.5), lambda = 0.1)
  expect_null(predicted_dual(NULL, 0.05, 2))
  expect_equal(predicted_dual(one, 0.05, 2), c(-1, -2, 0.75))
  two <- list(dual = c(-1.5, -2.5, 0.6), lambda = 0.08, before = one)
  expect_equal(predicted_dual(two, 0.06, 2), c(-2, -3, 0.7))
  # where the line leaves what is allowed, anywhere, it says nothing
  beyond <- list(dual = c(-0.2, -2.5, 0.6), lambda = 0.08, before = one)
  expect_equal(predicted_dual(beyond, 0.02, 2), c(-0.2, -2.5, 0.9))
  # no line goes through two solutions at the same penalty, alike or not
  for (dual in list(one$dual, c(-1.1, -2, 0.5))) {
    same <- c(one, list(before = list(dual = dual, lambda = 0.1)))
    expect_equal(predicted_dual(same, 0.05, 2), c(-1, -2, 0.75))
    expect_equal(predicted_dual(same, 0.1, 2), one$dual)
  }
  for (lost in list(list(dual = c(NaN, -1, 0.5)), list(dual = c(-1, -2, 0.5), before = list(
    dual = c(-1, -2, NaN), lambda = 0.2
  )))) {
    expect_null(predicted_dual(c(lost, lambda = 0.1), 0.05, 2))
  }
})

test_that("few different values are told, below twenty and a third of the rows", {
  told <- function(x) {
    tryCatch({
      tell_discrete(cbind(x = x))
      FALSE
    }, psd_discrete = function(m) TRUE)
  }
  expect_true(told(rep_len(1:19, 90)))
  expect_false(told(rep_len(1:20, 90)))
  expect_true(told(rep_len(1:9, 30)))
  expect_false(told(rep_len(1:10, 30)))
  expect_false(told(rep(1, 30)))
})

test_that("columns without a name get one", {
  x <- as.matrix(faithful)
  whole <- psd_density(x, sigma = 0.5, lambda = 0.1)
  colnames(x) <- c("eruptions", "")
  fit <- psd_density(x, sigma = 0.5, lambda = 0.1)
  expect_identical(fit$recipe$columns, c("eruptions", "x2"))
  expect_equal(predict(fit, x[1:3, ]), predict(whole, faithful[1:3, ]))
  expect_equal(psd_prob(fit, lower = c(x2 = 70)), psd_prob(whole, lower = c(waiting = 70)))
})
