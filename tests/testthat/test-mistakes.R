# The mistakes that users are most likely to make, and what they are told: one voice, the argument
# named, and what to do where that helps. The snapshot is the table.

set.seed(1)
people <- data.frame(height = rnorm(30, 170, 9), weight = rnorm(30, 70, 10),
                     sex = rep(c("f", "m"), 15), group = "one", when = Sys.Date() - 30:1)
people$flat <- 5
twins <- matrix(people$height, 15, 2, dimnames = list(NULL, c("a", "a")))

mistakes <- list(
  # data
  "a misspelt column" = quote(psd_density(~heigth, people)),
  "a misspelt column that is the name of a function" = quote(psd_quantreg(weight ~ time, people)),
  "a function for a variable" = quote(psd_density(~mean)),
  "a column that is no number" = quote(psd_density(people[c("height", "sex")])),
  "a factor for numbers" = quote(psd_density(factor(people$sex))),
  "a table of counts" = quote(psd_density(table(people$sex))),
  "a factor in a density" = quote(psd_density(~sex, people)),
  "text for numbers" = quote(psd_density(c("1.5", "2.5"))),
  "a function for a vector" = quote(psd_density(mean)),
  "no data at all" = quote(psd_density(numeric())),
  "one row" = quote(psd_density(people$height[1])),
  "a constant column" = quote(psd_density(people$flat)),
  "an infinite value" = quote(psd_density(c(people$height, Inf))),
  "missing values only" = quote(psd_density(c(NA_real_, NA))),
  "data that are no data frame" = quote(psd_density(~height, people$height)),
  "data left out" = quote(psd_quantreg(weight ~ height)),
  "duplicate names" = quote(psd_density(twins)),
  "values outside the support" = quote(psd_density(people$height, lower = 170)),
  "bounds in the wrong order" = quote(psd_density(people$height, lower = 200, upper = 100)),
  # formulas
  "no response" = quote(psd_quantreg(~height, people)),
  "a response in a density" = quote(psd_density(weight ~ height, people)),
  "the response among the predictors" = quote(psd_hetero(weight ~ weight + height, people)),
  "a factor of one level" = quote(psd_quantreg(weight ~ group, people)),
  "no predictor" = quote(psd_quantreg(weight ~ 1, people)),
  "a response that is text" = quote(psd_quantreg(sex ~ height, people)),
  "a smooth term" = quote(psd_hetero(weight ~ s(height), people)),
  "an offset" = quote(psd_hetero(weight ~ height + offset(height), people)),
  "vectors without names of arguments" = quote(psd_quantreg(people$height, people$weight)),
  "x without y" = quote(psd_quantreg(x = people$height)),
  # weights, subset, missing values
  "weights of the wrong length" = quote(psd_density(people$height, weights = 1:3)),
  "negative weights" = quote(psd_density(people$height, weights = -seq_len(30))),
  "weights that are not there" = quote(psd_density(~height, people, weights = wt)),
  "a subset of both signs" = quote(psd_density(~height, people, subset = c(-1, 2))),
  "an empty subset" = quote(psd_density(~height, people, subset = height > 1e3)),
  "an unknown na.action" = quote(psd_density(~height, people, na.action = "omit")),
  # settings
  "a width of zero" = quote(psd_density(people$height, sigma = 0)),
  "a penalty of zero" = quote(psd_density(people$height, lambda = 0)),
  "an unknown kernel" = quote(psd_density(people$height, kernel = "rbf")),
  "an unknown model" = quote(psd_density(people$height, model = "PSD")),
  "an unknown loss" = quote(psd_regression(weight ~ height, people, loss = "l2")),
  "levels in percent" = quote(psd_quantreg(weight ~ height, people, tau = c(5, 50, 95))),
  "control without psd_control()" = quote(psd_density(people$height, control = list(tol = 1e-3))),
  "a window that is missing" = quote(psd_intensity(people$height)),
  "counts below zero" = quote(psd_regression(-weight ~ height, people, loss = "poisson")),
  "a constraint that cannot hold" = quote(
    psd_density(people$height, sigma = 1, lambda = 0.1, lower = 100, upper = 250,
                constraints = psd_constraint("mean", 300))
  ),
  # verbs
  "newdata without the column" = quote(predict(density_of_height, data.frame(weight = 70))),
  "newdata with too few columns" = quote(predict(density_of_both, matrix(1:3))),
  "a misspelt argument" = quote(predict(density_of_height, people, typ = "log", x = 1)),
  "an unknown type" = quote(predict(density_of_height, people, type = "pdf")),
  "quantiles of two variables" = quote(quantile(density_of_both, 0.5)),
  "a level that was not fitted" = quote(predict(quartiles, people, tau = 0.95)),
  "a marginal of no such column" = quote(psd_marginal(density_of_both, "age")),
  "given values without names" = quote(psd_conditional(density_of_both, 170)),
  "a colour, which R takes for columns" = quote(plot(density_of_both, col = "red"))
)

fit_people <- function(...) psd_density(..., sigma = 1, lambda = 0.1)
density_of_height <- fit_people(~height, people)
density_of_both <- fit_people(people[c("height", "weight")])
quartiles <- psd_quantreg(weight ~ height, people, sigma = 1, lambda = 0.1)

# The condition of a call: never raw, and nothing but it.
told <- function(call) {
  condition <- tryCatch(
    withCallingHandlers(eval(call), message = function(m) invokeRestart("muffleMessage")),
    error = identity, warning = identity
  )
  if (!inherits(condition, "error")) stop("no error: ", deparse1(call))
  condition
}

test_that("every mistake is answered by a classed error", {
  expect_gte(length(mistakes), 40)
  for (name in names(mistakes)) {
    condition <- told(mistakes[[name]])
    classes <- c("psd_error", "rlib_error_dots_nonempty")
    expect_true(inherits(condition, classes), label = name)
  }
})

test_that("the messages are those of the table", {
  expect_snapshot(
    for (name in names(mistakes)) {
      cat("* ", name, ": `", deparse1(mistakes[[name]]), "`\n  ",
          gsub("\n", "\n  ", conditionMessage(told(mistakes[[name]]))), "\n\n", sep = "")
    }
  )
})
