# What the default calls choose, on record: a change of a rule, a price or a number somewhere in
# the search shows here, and belongs into NEWS.md where it is meant.

# A fit in two lines: what was chosen among how many, and a few predictions, in four digits, which
# do not depend on the machine.
choice <- function(fit, newdata) {
  short <- function(values) paste(signif(as.vector(as.matrix(values)), 4), collapse = " ")
  parameters <- fit$parameters[c("sigma", "lambda", "transform", "shape")]
  known <- parameters[vapply(parameters, is.atomic, NA) & lengths(parameters) > 0]
  words <- vapply(known, function(v) if (is.numeric(v)) short(v) else toString(v), "")
  cat(paste(names(known), words, collapse = ", "),
      sprintf("(%d tried on %d splits, average of %d, %d landmarks)\n",
              NROW(fit$tuning), sum(lengths(fit$tuning$by_split)), NROW(fit$average),
              glance(fit)$landmarks))
  cat(short(glance(fit)$objective), ":", short(predict(fit, newdata)), "\n")
}

on_record <- function(...) {
  fits <- list(...)
  expect_snapshot(for (one in fits) choice(one[[1]], one[[2]]))
}

test_that("densities of one variable are those on record", {
  set.seed(1)
  skewed <- rgamma(60, 2)
  heavy <- rt(60, 2)
  share <- rbeta(60, 0.8, 2)
  counts <- rpois(60, 4)
  quietly <- function(expr) suppressMessages(expr)
  on_record(list(psd_density(faithful$eruptions[1:80]), c(2, 3.3, 4.5)),
            list(psd_density(faithful$eruptions[1:80], sigma = "search"), c(2, 3.3, 4.5)),
            list(psd_density(skewed, lower = 0), c(0.1, 1, 4)),
            list(psd_density(skewed, lower = 0, transform = "none"), c(0.1, 1, 4)),
            list(psd_density(heavy), c(-5, 0, 2)),
            list(psd_density(share, lower = 0, upper = 1), c(0.05, 0.3, 0.8)),
            list(quietly(psd_density(counts, lower = 0)), c(0, 3, 8)),
            list(psd_density(skewed, weights = rep(1:2, 30), model = "pnm"), c(0.1, 1, 4)),
            list(psd_density(skewed, model = "ncm", sigma = 1), c(0.1, 1, 4)))
})

test_that("densities of several variables are those on record", {
  set.seed(2)
  x <- matrix(rnorm(320), 40)
  bent <- cbind(x[, 1], x[, 1]^2 + x[, 2] / 2, x[, 3])
  on_record(list(psd_density(faithful[1:60, ]), faithful[c(1, 5), ]),
            list(psd_density(faithful[1:60, ], tune = psd_tune(rule = "1se")), faithful[c(1, 5), ]),
            list(psd_density(bent), bent[1:2, ]),
            list(psd_density(x), x[1:2, ]))
})

test_that("intensities are those on record", {
  on_record(list(psd_intensity(faithful$eruptions[1:80], 1, 6), c(2, 3.3, 4.5)),
            list(psd_intensity(quakes[1:60, 1:2], c(-39, 165), c(-10, 189)), quakes[1:2, 1:2]))
})

test_that("quantiles are those on record", {
  on_record(list(psd_quantreg(dist ~ speed, cars), cars[c(5, 25, 45), ]),
            list(psd_quantreg(dist ~ speed, cars, tau = 0.8, lower = 0), cars[c(5, 25, 45), ]),
            list(psd_quantreg(mpg ~ wt + hp, mtcars, tau = c(0.2, 0.7)), mtcars[1:3, ]))
})

test_that("means and variances are those on record", {
  on_record(list(psd_hetero(dist ~ speed, cars), cars[c(5, 25, 45), ]),
            list(psd_hetero(mpg ~ wt + hp, mtcars), mtcars[1:3, ]))
})

test_that("regressions are those on record", {
  data <- wave(60)
  at <- data[c(1, 20, 40), ]
  on_record(list(psd_regression(y ~ x, data), at),
            list(psd_regression(y ~ x, data, loss = "absolute"), at),
            list(psd_regression(count ~ x, data, loss = "poisson", tune = psd_tune(rule = "1se")),
                 at),
            list(psd_regression(cbind(y, count) ~ x, data, cone = "ordered"), at),
            list(psd_regression(mpg ~ wt + hp + factor(cyl), mtcars), mtcars[1:3, ]))
})

test_that("fits of large samples are those on record", {
  set.seed(3)
  x <- rnorm(2500)
  data <- data.frame(x, y = x + rnorm(2500) * (1 + x^2) / 2)
  control <- psd_control(bin_from = 1000)
  on_record(list(psd_density(x, control = control), c(-2, 0, 1)),
            list(psd_hetero(y ~ x, data, sigma = 1, lambda = 0.01, control = control),
                 data.frame(x = c(-2, 0, 1))),
            list(psd_quantreg(y ~ x, data, sigma = 1, lambda = 0.01, control = control),
                 data.frame(x = c(-2, 0, 1))))
})
