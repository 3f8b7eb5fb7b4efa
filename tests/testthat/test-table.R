# The table problems x models: what every fit promises, whatever it fits and whatever it is made of.

promised <- c("model", "kind", "n", "rank", "landmarks", "sigma", "lambda", "ridge", "objective",
              "gap", "iterations", "status", "converged", "seconds")

set.seed(1)
data <- data.frame(x = sort(runif(40)), z = rnorm(40))
data$y <- 2 + sin(5 * data$x) + (0.2 + data$x) * rnorm(40) / 4
data$u <- abs(data$y - 1)
rising <- psd_cone(halfspaces = cbind(c(-1, 1), c(1, 0)))  # 0 <= first <= second

# The names of the models for a problem; and those for a regression with several outputs.
offered <- function(problem, models = psdmodels:::model_table()) {
  names(Filter(function(model) psdmodels:::is_for(model, problem), models))
}
several <- offered("regression", Filter(function(model) !model$single, psdmodels:::model_table()))

# One entry a problem: the models it has, and the fit as a function of the model (and further
# arguments).
problems <- list(
  density = list(models = offered("density"), fit = function(model, ...) {
    psd_density(~x, data, model = model, sigma = 1, lambda = 0.01, lower = 0, upper = 1, ...)
  }),
  "density in the plane" = list(models = offered("density"), fit = function(model, ...) {
    psd_density(~ x + z, data, model = model, sigma = 1.5, lambda = 0.1, base = psd_gaussian(0, 2),
                ...)
  }),
  quantreg = list(models = offered("quantreg"), fit = function(model, ...) {
    psd_quantreg(y ~ x, data, tau = c(0.2, 0.5, 0.8), model = model, sigma = 1, lambda = 0.01, ...)
  }),
  hetero = list(models = offered("hetero"), fit = function(model, ...) {
    psd_hetero(y ~ x, data, model = model, sigma = 1, lambda = 0.01, ...)
  }),
  regression = list(models = offered("regression"), fit = function(model, ...) {
    psd_regression(u ~ x, data, model = model, sigma = 1, lambda = 0.01, ...)
  }),
  "regression of ordered outputs" = list(models = several, fit = function(model, ...) {
    psd_regression(cbind(y, y + u) ~ x, data, cone = "ordered", model = model, sigma = 1,
                   lambda = 0.01, ...)
  }),
  "regression in half-spaces" = list(models = several, fit = function(model, ...) {
    psd_regression(cbind(u, y) ~ x, data, cone = rising, model = model, sigma = 1, lambda = 0.01,
                   ...)
  }),
  intensity = list(models = "psd", fit = function(model, ...) {
    psd_intensity(~x, data, lower = 0, upper = 1, sigma = 1, lambda = 0.01, ...)
  })
)
problem_of <- function(name) sub(" .*", "", name)

for (name in names(problems)) for (model in problems[[name]]$models) {
  test_that(paste0(name, ", ", model, ": a fit keeps every promise"), {
    set.seed(2)
    fit <- problems[[name]]$fit(model)
    expect_s3_class(fit, c(paste0("psd_", problem_of(name)), "psd_fit"), exact = TRUE)
    expect_identical(nobs(fit), 40L)

    row <- glance(fit)
    expect_identical(nrow(row), 1L)
    expect_identical(intersect(names(row), promised), promised)
    expect_identical(row$model, problem_of(name))
    expect_identical(row$kind, model)
    expect_identical(row$n, 40L)
    expect_identical(row$status, "converged")
    expect_true(row$converged)
    made_of <- psdmodels:::model_table()[[model]]
    expect_identical(is.na(row$rank), made_of$form != "psd")
    expect_identical(is.na(row$ridge), !made_of$ridge)
    if (made_of$form == "psd") expect_true(row$rank %in% seq_len(row$landmarks))
    expect_gte(row$iterations, 1)
    expect_true(is.finite(row$objective))
    if (!is.na(row$gap)) expect_lt(row$gap, 1e-3)

    values <- predict(fit, data)
    expect_true(all(is.finite(values)))
    expect_identical(NROW(values), 40L)
    expect_identical(as.vector(values), as.vector(fitted(fit)))
    expect_identical(nrow(augment(fit, data)), if (name == "quantreg") 120L else 40L)
    expect_s3_class(tidy(fit), "data.frame")
    expect_output(print(fit), paste0("<psd_", problem_of(name), ">"))
    expect_output(print(summary(fit)), "converged after")
    if (model != "psd") expect_output(print(fit), model)

    copy <- unserialize(serialize(fit, NULL))
    expect_identical(predict(copy, data), values)
    expect_identical(glance(copy), row)
  })
}

test_that("a fit that is stopped early says so, in the same words everywhere", {
  for (name in names(problems)) {
    stopped <- function(...) problems[[name]]$fit("psd", control = psd_control(..., max_iter = 1))
    expect_warning(fit <- stopped(tol = 1e-12), class = "psd_not_converged", label = name)
    expect_true(glance(fit)$status %in% c("max_iter", "stalled"))
    expect_false(glance(fit)$converged)
    expect_true(all(is.finite(predict(fit, data))))
  }
})

test_that("the rank of a fit in half-spaces is that of the same fit in the orthant", {
  fit <- function(cone) {
    psd_regression(cbind(u, y) ~ x, data, cone = cone, sigma = 1, lambda = 0.05,
                   control = psd_control(tol = 1e-7))
  }
  given <- fit(psd_cone(halfspaces = diag(2)))
  known <- fit(psd_cone())
  expect_identical(glance(given)$rank, glance(known)$rank)
})

test_that("every problem is in the table", {
  declared <- ls(asNamespace("psdmodels"), pattern = "_problem$")
  expect_setequal(problem_of(names(problems)), setdiff(sub("_problem$", "", declared), "new"))
})
