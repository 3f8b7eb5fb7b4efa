fits_of <- function(...) {
  suppressMessages(psd_density(..., sigma = 1, lambda = 0.05), classes = "psd_discrete")
}

test_that("each group has the density of its own rows", {
  fits <- fits_of(~ Sepal.Length | Species, iris)
  expect_s3_class(fits, "psd_densities")
  expect_named(fits, levels(iris$Species))
  for (name in names(fits)) {
    own <- fits_of(~Sepal.Length, iris[iris$Species == name, ])
    expect_equal(predict(fits[[name]], 4:7), predict(own, 4:7), tolerance = 1e-10)
    expect_equal(unname(predict(fits, 4:7)[, name]), predict(own, 4:7), tolerance = 1e-10)
  }
  expect_identical(nobs(fits), 150L)
})

test_that("subset, weights, missing groups and a dot go the way of a single fit", {
  data <- transform(mtcars, gears = ifelse(gear == 5, NA, gear))
  expect_message(fits <- fits_of(~ mpg | gears, data, subset = hp < 200, weights = wt),
                 class = "psd_missing")
  own <- fits_of(~mpg, subset(data, gear == 4 & hp < 200), weights = wt)
  expect_named(fits, c("3", "4"))
  expect_equal(predict(fits[["4"]], c(15, 25)), predict(own, c(15, 25)), tolerance = 1e-10)
  dot <- fits_of(~ . | Species, iris[c(1, 2, 5)])
  expect_identical(dot[[1]]$recipe$columns, c("Sepal.Length", "Sepal.Width"))
  group <- rep(c(TRUE, FALSE), 16)
  expect_named(fits_of(~ mtcars$mpg | group), c("FALSE", "TRUE"))
  # A fit finds its rows again.
  expect_length(fitted(fits[["3"]]), fits[["3"]]$n)
})

test_that("Bayes' rule: prior times density over the sum, also where all is tiny", {
  fits <- fits_of(~ Petal.Length + Petal.Width | Species, iris)
  at <- iris[c(1, 71, 120), ]
  joint <- sweep(predict(fits, at), 2, c(0.2, 0.3, 0.5), "*")
  prior <- c(virginica = 5, setosa = 2, versicolor = 3)
  expect_equal(predict(fits, at, type = "posterior", prior = prior), joint / rowSums(joint),
               tolerance = 1e-10)
  shares <- predict(fits[c("setosa", "virginica")], at, type = "posterior")
  expect_equal(rowSums(shares), rep(1, 3))
  far <- predict(fits, data.frame(Petal.Length = c(80, NA), Petal.Width = 1), type = "posterior")
  expect_equal(sum(far[1, ]), 1)
  expect_true(all(is.na(far[2, ])))
  guess <- predict(fits, iris, type = "class")
  expect_identical(levels(guess), levels(iris$Species))
  expect_gt(mean(guess == iris$Species), 0.95)
  expect_identical(predict(fits, iris[1:2, ], type = "class", prior = c(0, 0, 1)),
                   factor(rep("virginica", 2), levels(iris$Species)))
})

test_that("a posterior is unknown where no group has a density", {
  fits <- fits_of(~ x | g, data.frame(x = c(1:5, 11:15), g = rep(1:2, each = 5)), lower = 0)
  expect_true(all(is.na(predict(fits, -1, type = "posterior"))))
  expect_identical(predict(fits, c(-1, 3), type = "class"), factor(c(NA, "1"), c("1", "2")))
})

test_that("tables have a row per group, in their order", {
  fits <- fits_of(~ Sepal.Length | Species, iris)
  expect_identical(as.character(tidy(fits)$group), names(fits))
  expect_equal(tidy(fits)$mean, unname(mean(fits)))
  expect_identical(glance(fits)$n, rep(50L, 3))
  expect_equal(quantile(fits, 0.5), median(fits), ignore_attr = TRUE)
  expect_output(print(fits), "densities of Sepal.Length by Species (150", fixed = TRUE)
  expect_output(print(summary(fits)), "-- virginica")
})

test_that("one picture compares groups, of one variable and of two", {
  one <- autoplot(fits_of(~ Sepal.Length | Species, iris))
  drawn <- ggplot2::ggplot_build(one)$data[[2]]
  expect_length(unique(drawn$colour), 3)
  expect_identical(one$labels$colour, "Species")
  two <- autoplot(fits_of(~ Petal.Length + Petal.Width | Species, iris), n = 41)
  layers <- ggplot2::ggplot_build(two)$data
  expect_length(layers, 4) # points, and the borders of each group
  expect_error(autoplot(fits_of(~ . | Species, iris)), "one or two variables, not of 4")
})

test_that("groups too narrow for the grid have no borders, but their points", {
  set.seed(1)
  data <- data.frame(x = rnorm(30), y = rnorm(30), g = rep(c("a", "b"), 15))
  fits <- psd_density(~ x + y | g, data, sigma = 0.003, lambda = 1e-3)
  drawn <- suppressWarnings(autoplot(fits), classes = "psd_unresolved")
  expect_identical(nrow(suppressWarnings(ggplot2::ggplot_build(drawn))$data[[1]]), 30L)
})

test_that("mistakes are told", {
  expect_error(fits_of(~ mpg | hp, mtcars), "several rows each")
  expect_error(fits_of(~ mpg | am | vs, mtcars), "one bar only")
  expect_error(fits_of(~ mpg | nope, mtcars), "'nope' not found")
  expect_error(fits_of(~ mpg | carb, mtcars), "group \"6\" cannot be fitted (1 row)", fixed = TRUE)
  expect_error(fits_of(~ mpg | am, as.matrix(mtcars)), "must be a data frame")
  expect_error(fits_of(~ mpg | list(am), mtcars), "one value per row")
  fits <- fits_of(~ mpg | am, mtcars)
  expect_error(predict(fits), "must be given")
  expect_error(predict(fits, 20, prior = c(1, 1)), "posterior")
  expect_error(predict(fits, 20, type = "class", prior = c(a = 1, b = 1)), "named by the groups")
  expect_error(predict(fits, 20, type = "class", prior = c(0, 0)), "all zero")
  expect_error(fits["2"], "There is no group")
  for (verb in c("coef", "fitted", "residuals", "logLik", "simulate", "as.function")) {
    expect_error(match.fun(verb)(fits), "Ask each density", class = "psd_undefined")
  }
  expect_error(psd_density(~., iris), "Species")
})

test_that("a subset may leave a single group, but not none", {
  fits <- suppressMessages(psd_density(~ mpg | cyl, mtcars, subset = cyl == 4, sigma = 1,
                                       lambda = 0.1))
  expect_identical(names(fits), "4")
  expect_error(psd_density(~ mpg | cyl, mtcars, subset = cyl == 5, sigma = 1, lambda = 0.1),
               "`subset` must keep at least one row", class = "psd_input_error")
})

test_that("groups that are all missing are refused, and the picture is drawn by plot() too", {
  expect_error(fits_of(~ eruptions | g, cbind(faithful, g = NA)), "must not be all missing",
               class = "psd_input_error")
  fits <- psd_density(~ mpg | am, mtcars, sigma = 1, lambda = 0.05)
  drawn <- record_drawing(expect_identical(plot(fits), fits))
  expect_gt(length(drawn), 0)
  expect_identical(getCall(fits), attr(fits, "call"))
  again <- update(fits, sigma = 2)
  expect_identical(again[["0"]]$parameters$sigma, 2)
})
