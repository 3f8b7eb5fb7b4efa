# The table problems x models: what every fit promises, whatever it fits and whatever it is made of.

promised <- c("model", "kind", "n", "rank", "landmarks", "sigma", "lambda", "ridge", "objective",
              "gap", "iterations", "status", "converged", "seconds")

data <- table_data
problems <- table_problems

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
    stopped <- function(...) problems[[name]]$fit("psd", control = psd_control(..., max_iter = 4))
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
