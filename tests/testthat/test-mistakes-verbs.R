# What verbs, and rarer settings, refuse: with a classed error that says why, never a wrong number.

set.seed(1)
trio <- matrix(rnorm(90), 30, dimnames = list(NULL, c("a", "b", "c")))
frame <- as.data.frame(trio)
quick <- function(..., sigma = 1, lambda = 0.1) psd_density(..., sigma = sigma, lambda = lambda)
line <- quick(~a, frame)
plane <- quick(trio[, 1:2])
space <- quick(trio)
negative <- quick(trio[, 1], model = "pnm")
exponential <- quick(trio[, 1:2], model = "glm", base = psd_gaussian())
mean_and_sd <- psd_hetero(b ~ a, frame, sigma = 1, lambda = 0.1)
by_half <- quick(~ a + b + c | half, cbind(frame, half = rep(1:2, 15)))

# call, and what it is told
refused <- list(
  list(quote(predict(psd_boot(line, R = 2, seed = 1))), "a density does not keep its data"),
  list(quote(autoplot(plane, bands = psd_boot(plane, R = 2, seed = 1))), "one variable, not of 2"),
  list(quote(psd_density(~a, frame, subset = c(1, 40))), "row numbers up to 30, not 40"),
  list(quote(psd_density(~a, frame, subset = c(1, 2.5))), "whole numbers, not 2.5"),
  list(quote(autoplot(by_half)), "one or two variables, not of 3"),
  list(quote(predict(by_half)), "points, as for a single density"),
  list(quote(psd_density(~ a | b, frame)), "several rows each: they are 30 for 30 rows"),
  list(quote(psd_product(quick(runif(30), lower = 0, upper = 1),
                         quick(runif(30, 2, 3), lower = 2, upper = 3))), "must overlap"),
  list(quote(simulate(negative, 3)), "takes negative values"),
  list(quote(dist_psd(1)), "fits by `psd_density\\(\\)`, not a list"),
  list(quote(predict(plane, frame, type = "distribution")), "but not all"),
  list(quote(distributional::hdr(dist_psd(plane), 50)), "have no ends"),
  list(quote(formula(plane)), "made from numbers"),
  list(quote(simulate(quick(trio[, 1], model = "ncm", kernel = "matern32"), 3)),
       "cannot be drawn from or\\s+inverted"),
  list(quote(psd_marginal(exponential, "a")), "no closed\\s+form"),
  list(quote(plot(psd_intensity(trio, lower = -5, upper = 5, sigma = 1, lambda = 0.1))),
       "one or two coordinates; this one has 3"),
  list(quote(psd_conformal(mean_and_sd)), "data that the fit has not seen"),
  list(quote(psd_quantreg(x = b ~ a, y = frame$b)), "must be given as `formula`"),
  list(quote(psd_density(trio, shape = "full", lower = -9)), "is for Gaussian kernels, without"),
  list(quote(psd_density(trio, shape = "full", kernel = "abel")), "is for Gaussian kernels"),
  list(quote(psd_prob(quick(matrix(rnorm(200), 50), shape = "full"), upper = 1)),
       "more than 3 columns \\(4 here\\)")
)

test_that("each is refused by a classed error with the reason", {
  for (case in refused) {
    expect_error(suppressMessages(eval(case[[1]])), case[[2]], class = "psd_error",
                 label = deparse1(case[[1]]))
  }
})

test_that("few observations calibrate to the whole line, with a warning", {
  expect_warning(safe <- psd_conformal(mean_and_sd, frame[1:5, ], level = 0.9),
                 class = "psd_few_observations")
  ends <- predict(safe, frame[1:2, ])
  expect_equal(unname(as.matrix(ends)[, c("lwr", "upr")]), cbind(c(-Inf, -Inf), c(Inf, Inf)))
})
