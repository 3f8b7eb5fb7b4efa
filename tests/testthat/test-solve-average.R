# Averages over widths and penalties.

set.seed(1)
plane <- data.frame(a = rnorm(40), b = rexp(40))
plane$y <- sin(plane$a) + plane$b * rnorm(40)
fit <- psd_density(~ a + b, plane)
grid <- expand.grid(a = c(-1, 0, 1.2), b = c(0.2, 1, 3))

# The fit at the parameters of each member of an average.
members <- function(fit, ...) {
  table <- fit$average
  of_row <- function(name, row) {
    own <- table[row, grepl(paste0("^", name), names(table)), drop = FALSE]
    if (ncol(own) == 1) own[[1]] else stats::setNames(as.list(own), c("linear", "psd"))
  }
  lapply(seq_len(nrow(table)), function(row) {
    update(fit, sigma = of_row("sigma", row), lambda = of_row("lambda", row),
           tune = psd_tune(), ...)
  })
}

mixed <- function(values, weight) Reduce(`+`, Map(`*`, values, weight))

test_that("a density whose width is searched for is the average of its members", {
  expect_gt(length(unique(fit$average$sigma)), 1)
  expect_equal(sum(fit$average$weight), 1)
  expect_equal(psd_prob(fit), 1, tolerance = 1e-9)
  parts <- members(fit, shape = fit$parameters$shape, parametric = fit$parameters$parametric)
  single <- lapply(parts, predict, grid)
  expect_equal(predict(fit, grid), mixed(single, fit$average$weight), tolerance = 1e-3)
  below <- lapply(parts, function(part) psd_prob(part, upper = c(a = 0.5)))
  expect_equal(psd_prob(fit, upper = c(a = 0.5)), mixed(below, fit$average$weight),
               tolerance = 1e-3)
  means <- lapply(parts, function(part) psd_moments(part)$mean)
  expect_equal(psd_moments(fit)$mean, mixed(means, fit$average$weight), tolerance = 1e-3)
  along <- lapply(parts, function(part) predict(psd_marginal(part, "a"), c(-1, 0, 1)))
  expect_equal(predict(psd_marginal(fit, "a"), c(-1, 0, 1)), mixed(along, fit$average$weight),
               tolerance = 1e-3)
  # Given b, a member counts by its own density of b too.
  of_b <- vapply(parts, function(part) predict(psd_marginal(part, "b"), 1), 0)
  given <- lapply(parts, function(part) predict(psd_conditional(part, c(b = 1)), c(-1, 0, 1)))
  share <- fit$average$weight * of_b
  expect_equal(predict(psd_conditional(fit, c(b = 1)), c(-1, 0, 1)),
               mixed(given, share / sum(share)), tolerance = 1e-3)
  expect_true(all(psd_verify(fit, plane)$holds))
  expect_output(print(fit), "average of [0-9]+ fits around sigma")
  expect_output(print(summary(fit)), "averaged over: sigma .* to .*, lambda")
})

test_that("draws of an average have its moments", {
  drawn <- as.matrix(simulate(fit, 20000, seed = 1))
  moments <- psd_moments(fit)
  expect_lt(max(abs(colMeans(drawn) - moments$mean) / sqrt(diag(moments$covariance))), 0.03)
  expect_equal(cov(drawn), moments$covariance, tolerance = 0.08, ignore_attr = TRUE)
})

test_that("a tampered member of an average is found", {
  wrong <- fit
  wrong$average$lambda[1] <- 2 * wrong$average$lambda[1]
  expect_false(all(psd_verify(wrong, plane)$holds))
  wrong <- fit
  own <- fit$solved$members[[nrow(fit$average)]]
  wrong$functions[[1]]$coefficients[own$rows, own$columns] <-
    1.01 * fit$functions[[1]]$coefficients[own$rows, own$columns]
  expect_false(all(psd_verify(wrong, plane)$holds))
})

test_that("the rule \"stack\" averages what each problem is linear in", {
  averaged <- psd_tune(rule = "stack")
  hetero <- psd_hetero(y ~ a, plane, tune = averaged)
  expect_gt(nrow(hetero$average), 1)
  natural <- lapply(members(hetero, pilot = TRUE), predict, grid["a"], type = "natural")
  # Natural parameters of the response in the units of the fit.
  standard <- function(natural) {
    unit <- hetero$units$y
    cbind(unit$scale * (natural[, 1] - unit$center * natural[, 2]), unit$scale^2 * natural[, 2])
  }
  expect_equal(standard(predict(hetero, grid["a"], type = "natural")),
               mixed(lapply(natural, standard), hetero$average$weight), tolerance = 1e-3)
  quantiles <- psd_quantreg(y ~ a, plane, tau = c(0.2, 0.7), tune = averaged)
  expect_gt(nrow(quantiles$average), 1)
  expect_equal(predict(quantiles, grid["a"]),
               mixed(lapply(members(quantiles), predict, grid["a"]), quantiles$average$weight),
               tolerance = 1e-2)
  expect_true(all(predict(quantiles, grid["a"], type = "gap") > 0))
  counts <- psd_regression(abs(y) ~ a, plane, tune = averaged)
  expect_equal(predict(counts, grid["a"]),
               mixed(lapply(members(counts), predict, grid["a"]), counts$average$weight),
               tolerance = 1e-3)
})

test_that("an average can be solved again under other weights", {
  boot <- psd_boot(fit, 3, seed = 1, data = plane)
  expect_true(all(vapply(boot$replicates, `[[`, NA, "converged")))
  at <- predict(boot, grid)
  expect_true(all(is.finite(as.matrix(at))))
})

test_that("weights fall with the loss, and few candidates are left", {
  weights <- psdmodels:::rule_stack()$weights
  expect_equal(weights(c(1, 1.02, NA, 3), 100), c(1, exp(-0.5), 0, 0) / (1 + exp(-0.5)))
  expect_identical(sum(weights(1 + (1:30) / 1e4, 100) > 0), 10L)
})

test_that("sums of functions have the anchors of all", {
  f <- function(type, at, width, coefficients) {
    psdmodels:::new_function(type, "gaussian",
                             list(at = matrix(at), width = matrix(width, length(at), 1)),
                             coefficients)
  }
  x <- matrix(seq(-2, 3, length.out = 9))
  values <- function(f) psdmodels:::values_at(f, x)
  one <- f("psd", c(0, 1), 0.5, matrix(c(1, 2, -1, 0.5), 2))
  two <- f("psd", c(0, 1), 0.5, matrix(c(0.3, 0.1)))
  three <- f("psd", c(0.5, 2, 3), 1.5, matrix(c(1, -1, 2)))
  sum <- psdmodels:::average_functions(list(one, three, two), c(0.2, 0.3, 0.5))
  expect_equal(dim(sum$coefficients), c(5, 4))
  expect_equal(values(sum), 0.2 * values(one) + 0.3 * values(three) + 0.5 * values(two))
  at <- psdmodels:::members_in_average(list(one, three, two))
  expect_identical(at[[3]], list(rows = 1:2, columns = 4L))
  expect_identical(at[[2]], list(rows = 3:5, columns = 3L))
  expect_identical(psdmodels:::summands(sum$coefficients), list(1:2, 3:5))
  linked <- cbind(c(1, 0, 1, 0), c(0, 2, 0, 0), c(0, 1, 1, 0))
  expect_identical(psdmodels:::summands(linked), list(1:3, 4L))
})

test_that("the root of a matrix of blocks keeps the digits of the small ones", {
  small <- crossprod(matrix(c(1, 2, 0, 3, 1, 1), 2)) / 1e20
  x <- rbind(cbind(diag(c(4, 9)), matrix(0, 2, 3)), cbind(matrix(0, 3, 2), small))
  root <- psdmodels:::psd_root(x, list(1:2, 3:5))
  expect_equal(tcrossprod(root)[1:2, 1:2], diag(c(4, 9)))
  expect_equal(1e20 * tcrossprod(root)[3:5, 3:5], 1e20 * small)
  expect_identical(dim(root), c(5L, 4L))
})

test_that("sums of linear functions have the sum of their slopes", {
  f <- function(at, slope) {
    out <- psdmodels:::new_function("linear", "gaussian",
                                    list(at = matrix(at), width = matrix(1, length(at), 1)),
                                    matrix(seq_along(at)))
    out$slopes <- slope
    out
  }
  x <- matrix(seq(-2, 3, length.out = 9))
  one <- f(c(0, 1), 0.5)
  two <- f(c(1, 2, 4), -3)
  sum <- psdmodels:::average_functions(list(one, two), c(0.25, 0.75))
  values <- function(f) psdmodels:::values_at(f, x)
  expect_equal(values(sum), 0.25 * values(one) + 0.75 * values(two))
  expect_identical(nrow(sum$anchors$at), 4L)
  expect_equal(sum$slopes, 0.25 * 0.5 - 0.75 * 3)
})
