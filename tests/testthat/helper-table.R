# The table problems x models that tests go through: test-table.R and test-verify.R.

table_data <- local({
  set.seed(1)
  data <- data.frame(x = sort(runif(40)), z = rnorm(40))
  data$y <- 2 + sin(5 * data$x) + (0.2 + data$x) * rnorm(40) / 4
  data$u <- abs(data$y - 1)
  data
})
rising <- psd_cone(halfspaces = cbind(c(-1, 1), c(1, 0)))  # 0 <= first <= second

# The names of the models for a problem; and those for a regression with several outputs.
offered <- function(problem, models = psdmodels:::model_table()) {
  names(Filter(function(model) psdmodels:::is_for(model, problem), models))
}
several <- offered("regression", Filter(function(model) !model$single, psdmodels:::model_table()))

# One entry a problem: the models it has, and the fit as a function of the model (and further
# arguments).
table_problems <- list(
  density = list(models = offered("density"), fit = function(model, ...) {
    psd_density(~x, table_data, model = model, sigma = 1, lambda = 0.01, lower = 0, upper = 1, ...)
  }),
  "density in the plane" = list(models = offered("density"), fit = function(model, ...) {
    psd_density(~ x + z, table_data, model = model, sigma = 1.5, lambda = 0.1,
                base = psd_gaussian(0, 2), ...)
  }),
  quantreg = list(models = offered("quantreg"), fit = function(model, ...) {
    psd_quantreg(y ~ x, table_data, tau = c(0.2, 0.5, 0.8), model = model, sigma = 1,
                 lambda = 0.01, ...)
  }),
  hetero = list(models = offered("hetero"), fit = function(model, ...) {
    psd_hetero(y ~ x, table_data, model = model, sigma = 1, lambda = 0.01, ...)
  }),
  regression = list(models = offered("regression"), fit = function(model, ...) {
    psd_regression(u ~ x, table_data, model = model, sigma = 1, lambda = 0.01, ...)
  }),
  "regression of ordered outputs" = list(models = several, fit = function(model, ...) {
    psd_regression(cbind(y, y + u) ~ x, table_data, cone = "ordered", model = model, sigma = 1,
                   lambda = 0.01, ...)
  }),
  "regression in half-spaces" = list(models = several, fit = function(model, ...) {
    psd_regression(cbind(u, y) ~ x, table_data, cone = rising, model = model, sigma = 1,
                   lambda = 0.01, ...)
  }),
  intensity = list(models = "psd", fit = function(model, ...) {
    psd_intensity(~x, table_data, lower = 0, upper = 1, sigma = 1, lambda = 0.01, ...)
  })
)
problem_of <- function(name) sub(" .*", "", name)
