# A narrow kernel, so that columns of R hardly cancel.
narrow <- function(...) {
  set.seed(3)
  x <- cbind(a = c(rnorm(60), rnorm(40, 3)), b = rexp(100))
  psd_density(x, sigma = 0.3, lambda = 0.2, lower = c(-Inf, 0), ...)
}

test_that("the bound holds everywhere and the share kept is the ratio of the integrals", {
  fit <- narrow(base = psd_gaussian(c(1, 0), 4))
  by <- rejection_bound(fit$functions[[1]], fit$measure)
  expect_gt(by$share, least_share(by$f))
  set.seed(1)
  at <- matrix(rnorm(4000, sd = 3), ncol = 2)
  expect_true(all(cpp_evaluate(by$f, at) <= cpp_evaluate(by$bound, at) * (1 + 1e-12)))
  proposed <- draw_products(by$f$anchors, fit$measure, by$weights, 2e4)
  kept <- mean(cpp_evaluate(by$f, proposed) / cpp_evaluate(by$bound, proposed))
  expect_equal(kept, by$share, tolerance = 0.05)
})

test_that("draws by rejection have the probabilities of the density", {
  for (fit in list(narrow(), narrow(base = psd_gaussian(c(1, 0), 4)), narrow(model = "ncm"))) {
    by <- rejection_bound(squared_form(fit$functions[[1]]), fit$measure)
    expect_false(is.null(by))
    draws <- simulate(fit, 2e4, seed = 1)
    expect_true(all(draws$b >= 0))
    for (column in c("a", "b")) {
      below <- predict(psd_marginal(fit, column), draws[[column]], type = "cdf")
      expect_gt(suppressWarnings(ks.test(below, "punif")$p.value), 1e-3)
    }
    corner <- mean(draws$a < 1 & draws$b < 0.5)
    p <- psd_prob(fit, upper = c(1, 0.5))
    expect_lt(abs(corner - p), 4 * sqrt(p * (1 - p) / 2e4))
  }
})

test_that("a mixture of kernels is drawn from without rejecting any", {
  by <- rejection_bound(squared_form(narrow(model = "ncm")$functions[[1]]), narrow()$measure)
  expect_equal(by$share, 1)
})

test_that("other kernels, the line and columns that cancel are left to the other method", {
  line <- psd_density(faithful$waiting, sigma = 0.3, lambda = 1e-3)
  abel <- psd_density(faithful[1:50, ], sigma = 1, lambda = 1e-2, kernel = "abel")
  wide <- psd_density(faithful, sigma = 3, lambda = 1e-4)
  for (fit in list(line, abel, wide)) {
    expect_null(rejection_bound(fit$functions[[1]], fit$measure))
  }
})

test_that("a truncated normal is right in the body and in both tails", {
  set.seed(1)
  n <- 1e4
  cases <- list(c(0, 1, -1, 2), c(0, 1, 9, 10), c(0, 1, -Inf, -12), c(2, 0.5, -Inf, Inf))
  for (case in cases) {
    x <- truncated_normal(rep(case[1], n), rep(case[2], n), case[3], case[4])
    log_below <- function(q) pnorm(q, case[1], case[2], log.p = TRUE)
    log_above <- function(q) pnorm(q, case[1], case[2], lower.tail = FALSE, log.p = TRUE)
    tail <- if (case[3] > case[1]) function(q) -exp(log_above(q)) else function(q) exp(log_below(q))
    u <- (tail(x) - tail(case[3])) / (tail(case[4]) - tail(case[3]))
    expect_gt(ks.test(u, "punif")$p.value, 1e-3)
    expect_true(all(x >= case[3] & x <= case[4]))
  }
})

test_that("where a section is constant draws are uniform", {
  set.seed(4)
  x <- truncated_normal(c(rep(0, 2000), rep(1e9, 2000)), c(rep(Inf, 2000), rep(1e15, 2000)), 2, 5)
  expect_gt(ks.test(x[1:2000], "punif", 2, 5)$p.value, 1e-3)
  expect_gt(ks.test(x[2001:4000], "punif", 2, 5)$p.value, 1e-3)
  mixed <- truncated_normal(rep(c(0, 3), 2000), rep(c(Inf, 0.1), 2000), 2, 5)
  expect_gt(ks.test(mixed[c(TRUE, FALSE)], "punif", 2, 5)$p.value, 1e-3)
  expect_gt(ks.test(mixed[c(FALSE, TRUE)], "pnorm", 3, 0.1)$p.value, 1e-3)
  data <- matrix(runif(40), 20)
  fit <- psd_density(data, lower = 0, upper = 1, sigma = psd_widths(c(10, 1)), lambda = 100)
  expect_true(all(is.infinite(tail(fit$functions[[1]]$anchors$width, 1))))
  draws <- simulate(fit, 500, seed = 1)
  expect_gt(min(apply(draws, 2, function(u) ks.test(u, "punif")$p.value)), 1e-3)
})
