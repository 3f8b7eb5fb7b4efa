# What differs with the machine: iterations, gaps, ranks of derived densities.
masked <- function(lines) {
  lines <- gsub("after [0-9]+ iterations", "after <n> iterations", lines)
  lines <- gsub("within [0-9.e-]+ of", "within <gap> of", lines)
  gsub("rank [0-9]+", "rank <p>", lines)
}

test_that("print and summary say what was fitted", {
  expect_snapshot(transform = masked, {
    density_1d()
    summary(density_2d())
    density_bounded()
    psd_density(faithful$eruptions, sigma = 0.5, lambda = 1e-2,
                constraints = psd_constraint("mean", 3.5))
    psd_marginal(density_2d(), "waiting")
    psd_conditional(density_2d(), c(waiting = 70))
  })
})

test_that("fitted values are the density at the data, found where the fit is used", {
  fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
  expect_identical(fitted(fit), predict(fit, faithful))
  expect_identical(predict(fit), fitted(fit))
  # of many rows a fit keeps a part only
  many <- function() faithful[rep(1:272, length.out = 1100), ]
  local({
    mine <- many()
    fit <- psd_density(~ eruptions, mine, sigma = 0.6, lambda = 1e-2, subset = waiting > 50)
    expect_identical(fitted(fit), predict(fit, mine[mine$waiting > 50, ]))
  })
  gone <- local({
    mine <- many()
    psd_density(mine, sigma = 0.6, lambda = 1e-2)
  })
  expect_error(fitted(gone), "give them as `newdata` or `data`", class = "psd_error")
  expect_identical(fitted(gone, data = many()), predict(gone, many()))
  expect_error(fitted(gone, data = faithful), "272 rows instead of 1100", class = "psd_error")
})

test_that("the log-likelihood is the sum of log densities", {
  fit <- density_2d()
  expect_equal(as.numeric(logLik(fit)), sum(predict(fit, faithful, type = "log")),
               tolerance = 1e-10)
  expect_identical(attr(logLik(fit), "df"), NA_real_)
  expect_identical(attr(logLik(fit), "nobs"), 272L)
})

test_that("coefficients reproduce the density", {
  fit <- density_1d()
  t <- (3.3 - fit$units$x$center) / fit$units$x$scale
  anchors <- fit$functions[[1]]$anchors
  v <- exp(-(t - anchors$at)^2 / (2 * anchors$width^2))
  by_hand <- exp(fit$log_scale) * sum(crossprod(coef(fit), v)^2) / fit$units$x$scale
  expect_equal(predict(fit, 3.3), by_hand, tolerance = 1e-8)
})

test_that("update() refits with what is changed", {
  fit <- density_1d()
  changed <- update(fit, lambda = 0.1)
  expect_identical(changed$parameters$lambda, 0.1)
  expect_identical(changed$parameters$sigma, 0.3)
})

test_that("the tidiers give data frames", {
  fit <- density_2d()
  expect_identical(tidy(fit)$column, names(faithful))
  expect_equal(tidy(fit)$mean, unname(psd_moments(fit)$mean))
  expect_identical(nrow(glance(fit)), 1L)
  augmented <- augment(fit, faithful)
  expect_identical(augmented[1:2], faithful)
  expect_identical(augmented$.fitted, predict(fit, faithful))
  expect_identical(names(augment(density_1d(), c(2, 3))), c("x", ".fitted", ".log_density"))
})

test_that("spread and correlation are those of the data whatever their units", {
  plain <- psd_density(faithful[1:40, ], sigma = 1, lambda = 1e-2)
  shown <- function(fit) tail(capture.output(print(summary(fit))), 2)
  for (unit in c(1e-200, 1e-159, 1e180)) {
    data <- transform(faithful[1:40, ], eruptions = eruptions * unit)
    fit <- expect_no_warning(psd_density(data, sigma = 1, lambda = 1e-2))
    expect_equal(tidy(fit)$sd / c(unit, 1), tidy(plain)$sd, tolerance = 1e-6)
    expect_identical(expect_no_warning(shown(fit)), shown(plain))
  }
  expect_equal(tidy(plain)$sd, unname(sqrt(diag(psd_moments(plain)$covariance))))
  expect_match(shown(plain)[1], "eruptions +1[.0]* +0[.]")
})

test_that("correlations are shown only if all variances are positive", {
  shown <- summary(density_2d())
  expect_output(print(shown), "correlation")
  shown$moments$covariance[1, 1] <- -1
  expect_false(any(grepl("correlation", capture.output(print(shown)))))
})

test_that("correlations need no reciprocal of a variance", {
  covariance <- crossprod(matrix(c(2, 1, 0.5, 3), 2))
  correlation_of <- psdmodels:::correlation_of
  expect_equal(correlation_of(covariance), cov2cor(covariance))
  scale <- c(1, 1e-158)
  expect_equal(correlation_of(covariance * outer(scale, scale)), cov2cor(covariance),
               tolerance = 1e-6)
})

test_that("the two columns between which a kernel is turned most are named", {
  turn <- chol(rbind(c(4, 0.5, -1.8), c(0.5, 1, 0), c(-1.8, 0, 1)))
  expect_output(print_turn(turn, c("a", "b", "c"), 3), "between c and a: correlation -0.9")
})
