# The table generics x fits: each gives the right answer, against one computed another way, or an
# error of class psd_undefined.

set.seed(1)
data <- data.frame(x = sort(runif(40)), z = rnorm(40))
data$y <- 2 + sin(5 * data$x) + (0.2 + data$x) * rnorm(40) / 4
data$count <- rpois(40, 3)
fits <- list(
  density = psd_density(~x, data, sigma = 1, lambda = 0.01, lower = 0, upper = 1),
  plane = psd_density(~ x + z, data, sigma = 1.5, lambda = 0.1),
  intensity = psd_intensity(~x, data, lower = 0, upper = 1, sigma = 1, lambda = 0.01),
  quantreg = psd_quantreg(y ~ x, data, tau = c(0.2, 0.5, 0.8), sigma = 1, lambda = 0.01),
  hetero = psd_hetero(y ~ x, data, sigma = 1, lambda = 0.01),
  regression = psd_regression(y ~ x, data, sigma = 1, lambda = 0.01),
  counts = psd_regression(count ~ x, data, loss = "poisson", sigma = 1, lambda = 0.01),
  absolute = psd_regression(y ~ x, data, loss = "absolute", sigma = 1, lambda = 0.01)
)
on_line <- function(f) integrate(f, 0, 1, rel.tol = 1e-10)$value

# An entry is a function of the fit that checks the answer; what has none must be refused.
answers <- list(
  mean = list(
    density = function(fit) {
      expect_equal(mean(fit), on_line(function(x) x * predict(fit, data.frame(x))))
    },
    plane = function(fit) expect_equal(mean(fit), psd_moments(fit)$mean)
  ),
  median = list(
    density = function(fit) expect_equal(psd_prob(fit, upper = median(fit)), 0.5)
  ),
  quantile = list(
    density = function(fit) expect_equal(psd_prob(fit, upper = quantile(fit, 0.3)), 0.3)
  ),
  sigma = list(
    hetero = function(fit) expect_equal(sigma(fit), predict(fit, data, type = "sd"))
  ),
  vcov = list(),
  residuals = list(
    quantreg = function(fit) expect_equal(residuals(fit), data$y - predict(fit, data)),
    hetero = function(fit) expect_equal(residuals(fit), data$y - predict(fit, data)),
    regression = function(fit) expect_equal(residuals(fit), data$y - predict(fit, data)),
    counts = function(fit) expect_equal(residuals(fit), data$count - predict(fit, data)),
    absolute = function(fit) expect_equal(residuals(fit), data$y - predict(fit, data))
  ),
  family = list(
    hetero = function(fit) expect_identical(family(fit)$family, "gaussian"),
    regression = function(fit) expect_identical(family(fit)$family, "gaussian"),
    counts = function(fit) {
      expect_identical(unlist(family(fit)[c("family", "link")], use.names = FALSE),
                       c("poisson", "identity"))
    }
  ),
  simulate = list(
    density = function(fit) expect_true(all(abs(simulate(fit, 50, seed = 1) - 0.5) < 0.5)),
    plane = function(fit) expect_identical(names(simulate(fit, 2, seed = 1)), c("x", "z")),
    intensity = function(fit) {
      points <- lengths(lapply(simulate(fit, 400, seed = 1), `[[`, "x"))
      expect_lt(abs(mean(points) - psd_count(fit)), 5 * sqrt(psd_count(fit) / 400))
      expect_lt(abs(var(points) / psd_count(fit) - 1), 0.4)
    },
    quantreg = function(fit) {
      draws <- simulate(fit, 2000, seed = 1)
      share <- vapply(1:3, function(j) mean(draws <= predict(fit)[, j]), 0)
      expect_equal(share, c(0.2, 0.5, 0.8), tolerance = 0.01)
    },
    hetero = function(fit) expect_identical(dim(simulate(fit, 3, seed = 1)), c(40L, 3L)),
    counts = function(fit) {
      draws <- as.matrix(simulate(fit, 2000, seed = 1))
      expect_lt(max(abs(rowMeans(draws) - fitted(fit)) / sqrt(fitted(fit) / 2000)), 5)
    }
  ),
  formula = list(
    density = function(fit) expect_equal(formula(fit), ~x, ignore_formula_env = TRUE),
    plane = function(fit) expect_equal(formula(fit), ~ x + z, ignore_formula_env = TRUE),
    intensity = function(fit) expect_equal(formula(fit), ~x, ignore_formula_env = TRUE),
    quantreg = function(fit) expect_equal(formula(fit), y ~ x, ignore_formula_env = TRUE),
    hetero = function(fit) expect_equal(formula(fit), y ~ x, ignore_formula_env = TRUE),
    regression = function(fit) expect_equal(formula(fit), y ~ x, ignore_formula_env = TRUE),
    counts = function(fit) expect_equal(formula(fit), count ~ x, ignore_formula_env = TRUE),
    absolute = function(fit) expect_equal(formula(fit), y ~ x, ignore_formula_env = TRUE)
  )
)
same_terms <- function(fit) {
  expect_identical(labels(terms(fit)), setdiff(all.vars(formula(fit)), c("y", "count")))
  expect_identical(attr(terms(fit), "response"), as.integer(length(formula(fit)) == 3))
}
same_frame <- function(fit) {
  expected <- data[all.vars(formula(fit))]
  expect_identical(as.data.frame(as.list(model.frame(fit, data))), expected)
  expect_identical(as.data.frame(as.list(model.frame(fit))), expected)
}
one_row_per_landmark <- function(fit) {
  expect_identical(vapply(if (is.list(coef(fit))) coef(fit) else list(coef(fit)), nrow, 0L),
                   vapply(fit$functions, function(f) nrow(f$anchors$at), 0L))
}
same_columns <- function(fit) {
  expected <- as.matrix(data[setdiff(all.vars(formula(fit)), c("y", "count"))])
  expect_equal(model.matrix(fit), expected, ignore_attr = "dimnames")
  expect_identical(colnames(model.matrix(fit)), colnames(expected))
  expect_equal(model.matrix(fit, data[1:3, ]), expected[1:3, , drop = FALSE],
               ignore_attr = "dimnames")
}
weights_of_one <- function(fit) expect_identical(weights(fit), rep(1, 40))
answers[c("AIC", "BIC", "deviance", "df.residual")] <- list(list())
answers$logLik <- list(
  density = function(fit) expect_equal(as.numeric(logLik(fit)), sum(log(fitted(fit)))),
  plane = function(fit) expect_equal(as.numeric(logLik(fit)), sum(log(fitted(fit)))),
  intensity = function(fit) {
    expect_equal(as.numeric(logLik(fit)), sum(log(fitted(fit))) - psd_count(fit))
  },
  hetero = function(fit) {
    expected <- sum(dnorm(data$y, fitted(fit), sigma(fit), log = TRUE))
    expect_equal(as.numeric(logLik(fit)), expected)
  }
)
answers$weights <- lapply(fits[-(1:2)], function(fit) weights_of_one)
answers$model.matrix <- lapply(fits, function(fit) same_columns)
answers$coef <- lapply(fits, function(fit) one_row_per_landmark)
answers$terms <- lapply(fits, function(fit) same_terms)
answers$model.frame <- lapply(fits, function(fit) same_frame)

for (verb in names(answers)) for (name in names(fits)) {
  test_that(paste0(verb, "() of ", name, ": the right answer or a refusal"), {
    check <- answers[[verb]][[name]]
    if (!is.null(check)) {
      check(fits[[name]])
    } else {
      ask <- get(verb, mode = "function")
      several <- name == "plane" && verb %in% c("median", "quantile")
      expect_error(ask(fits[[name]]), class = if (several) "psd_input_error" else "psd_undefined")
    }
  })
}

test_that("type = \"response\" is the first type of every prediction", {
  for (fit in fits) expect_identical(predict(fit, data, type = "response"), predict(fit, data))
})

test_that("a density with negative parts has a mean but no median", {
  fit <- psd_density(~x, data, sigma = 1, lambda = 0.01, model = "pnm", lower = 0, upper = 1)
  expect_error(median(fit), class = "psd_input_error")
  expect_equal(mean(fit), on_line(function(x) x * predict(fit, data.frame(x))))
})

test_that("a point process may have no points", {
  fit <- fits$intensity
  fit$total <- 1e-9
  expect_identical(simulate(fit, 1, seed = 1)[[1]], data.frame(x = numeric()))
})

test_that("a gap that rounding makes negative is shown by its size", {
  fit <- fits$hetero
  fit$gap <- -1.9e-11
  expect_output(print(fit), "within 1.9e-11 of the global optimum", fixed = TRUE)
  fit$gap <- 0
  expect_output(print(fit), "within 2.2e-16 of the global optimum", fixed = TRUE)
})
