test_that("folds cover all rows once, splits have the share asked for, and seeds fix both", {
  set.seed(1)
  folds <- psdmodels:::make_splits(matrix(1:23), psd_tune(folds = 5, repeats = 2))
  expect_length(folds, 10)
  expect_setequal(unlist(folds[1:5]), 1:23)
  expect_length(unlist(folds[6:10]), 23)
  splits <- psdmodels:::make_splits(matrix(1:80), psd_tune(train = 0.7, repeats = 7))
  expect_length(splits, 7)
  expect_true(all(lengths(splits) == 24))
  own <- psdmodels:::make_splits(matrix(1:6), psd_tune(folds = c(1, 1, 2, 2, 3, 3)))
  expect_identical(own, list(1:2, 3:4, 5:6))
  expect_length(psdmodels:::make_splits(matrix(1:3), psd_tune(folds = 5)), 3)
  draws <- function(n, ...) length(psdmodels:::make_splits(matrix(seq_len(n)), psd_tune(...))) / 5
  expect_identical(c(draws(200), draws(500), draws(1000), draws(200, repeats = 1)), c(2, 2, 1, 1))
})

test_that("of a large sample no more folds are used than tell candidates apart, unless asked for", {
  used <- function(n, tune) {
    splits <- psdmodels:::make_splits(matrix(seq_len(n)), tune)
    length(psdmodels:::enough_splits(splits, tune))
  }
  expect_identical(vapply(c(500, 1000, 2000, 2500, 5000), used, 0L, psd_tune()),
                   c(10L, 5L, 5L, 4L, 2L))
  expect_identical(used(5000, psd_tune(folds = 5)), 5L)
  expect_identical(used(5000, psd_tune(train = 0.7, repeats = 7)), 7L)
  set.seed(1)
  x <- runif(5000)
  data <- data.frame(x, y = x + rnorm(5000))
  fit <- psd_hetero(y ~ x, data, sigma = 1, lambda = c(0.01, 0.1))
  expect_identical(lengths(fit$tuning$by_split), c(2L, 2L))
  expect_length(psd_cv(fit)$by_split[[1]], 5)
})

test_that("the best candidates of a small sample are scored on further draws of the folds", {
  set.seed(12)
  table <- psd_density(rnorm(80), sigma = "search", tune = psd_tune(rule = "min"))$tuning
  splits <- lengths(table$by_split)
  best <- which.min(table$score)
  expect_identical(splits[best], 10L)
  # The others ran on the first draw until they were clearly behind.
  expect_true(any(splits == 5))
  expect_true(all(table$score[splits < 5] > table$score[best]))
  full <- table[splits == 10 & is.finite(table$score), ]
  expect_equal(full$score, vapply(full$by_split, mean, 0))
  once <- psd_density(rnorm(80), sigma = 1, lambda = c(1, 0.1, 0.01), tune = psd_tune(repeats = 1))
  expect_true(all(lengths(once$tuning$by_split) == 5))
})

test_that("a candidate known on some splits is compared with the others on those", {
  set.seed(13)
  full <- outer(rnorm(6), rnorm(9), "+")
  partial <- full
  partial[3:6, 4:9] <- NA
  partial[5, 2:9] <- NA
  partial[6, ] <- NA
  means <- psdmodels:::mean_scores(partial)
  expect_equal(means[1:5], rowMeans(full)[1:5])
  expect_identical(means[6], NA_real_)
  capped <- unname(rbind(full, loss_cap))
  expect_equal(mean_scores(capped)[1:6], rowMeans(full))
  none <- psdmodels:::mean_scores(partial[3:6, ])
  expect_equal(none[1:2], rowMeans(full[3:4, 1:3]))
})

test_that("a candidate's score is the held-out loss of a fit without those rows", {
  x <- faithful$eruptions
  folds <- rep(1:4, 68)
  fit <- psd_density(x, sigma = 0.4, lambda = c(0.1, 0.01), tune = psd_tune(folds = folds))
  scale <- fit$units$x
  by_hand <- vapply(1:4, function(fold) {
    # The fit in the units of the whole sample, as tuning sees it.
    t <- (x - scale$center) / scale$scale
    part <- psd_density(t[folds != fold], sigma = 0.4, lambda = 0.1, standardize = FALSE)
    -mean(predict(part, t[folds == fold], type = "log"))
  }, 0)
  row <- fit$tuning[fit$tuning$lambda == 0.1, ]
  expect_equal(row$by_split[[1]], by_hand, tolerance = 2e-2)
  expect_equal(row$score, mean(row$by_split[[1]]))
  expect_equal(row$se, sd(row$by_split[[1]]) / 2)
  expect_equal(fit$parameters$lambda, fit$tuning$lambda[which.min(fit$tuning$score)])
})

test_that("psd_cv() gives a fit the score that tuning gave it", {
  set.seed(2)
  tuned <- psd_density(faithful$eruptions, sigma = c(0.3, 0.6), lambda = 0.1)
  fixed <- psd_density(faithful$eruptions, sigma = tuned$parameters$sigma, lambda = 0.1)
  set.seed(2)
  expect_equal(psd_cv(fixed)$score, min(tuned$tuning$score))
  set.seed(2)
  hetero <- psd_hetero(dist ~ speed, cars, sigma = list(linear = 1, psd = 2), lambda = 0.01)
  expect_true(is.finite(psd_cv(hetero)$score))
  expect_error(psd_cv(1), "must be a fitted model", class = "psd_error")
})

test_that("the automatic search ends where no neighbour is better by more than noise", {
  set.seed(3)
  fit <- psd_density(rnorm(120), sigma = "search", tune = psd_tune(rule = "min"))
  table <- fit$tuning
  best <- table[attr(table, "chosen"), ]
  expect_identical(best$score, min(table$score, na.rm = TRUE))
  surrounded <- vapply(seq_len(nrow(table)), function(i) {
    sum(abs(log(table$sigma / table$sigma[i])) < 1.1 * log(1.6) &
          abs(log(table$lambda / table$lambda[i])) < 1.1 * log(sqrt(10))) == 9
  }, NA)
  expect_true(any(table$score[surrounded] < best$score + best$se / 2))
})

test_that("folds by default draw nothing, and part neighbours", {
  set.seed(1)
  x <- cbind(rnorm(23), 1:23)
  before <- .Random.seed
  splits <- psdmodels:::make_splits(x, psd_tune())
  expect_identical(.Random.seed, before)
  expect_length(splits, 10)
  expect_setequal(unlist(splits[1:5]), 1:23)
  expect_false(identical(splits[[1]], splits[[6]]))
  fold <- rep(1:5, lengths(splits[1:5]))[order(unlist(splits[1:5]))]
  sorted <- fold[order(x[, 1])]
  for (first in seq(1, 20, 5)) expect_setequal(sorted[first + 0:4], 1:5)
  expect_false(all(sorted[1:5] == sorted[6:10]))
  # The order of the rows does not matter.
  moved <- sample(23)
  again <- psdmodels:::make_splits(x[moved, ], psd_tune())
  expect_identical(lapply(again, function(rows) sort(moved[rows])), lapply(splits, sort))
})

test_that("the width of a density is an average, its penalty the best there", {
  set.seed(3)
  x <- rnorm(120)
  fit <- psd_density(x, sigma = "search", tune = psd_tune(rule = "mean"))
  expect_null(fit$average)
  table <- fit$tuning[!is.na(fit$tuning$score), ]
  lowest <- tapply(table$score, table$sigma, min)
  weight <- exp(-120 * (lowest - min(lowest)) / 5)
  widths <- as.numeric(names(lowest))
  mean <- sum(weight * log(widths)) / sum(weight)
  nearest <- widths[which.min(abs(log(widths) - mean))]
  expect_equal(fit$parameters$sigma, nearest)
  there <- table[abs(table$sigma / nearest - 1) < 1e-9, ]
  expect_equal(fit$parameters$lambda, there$lambda[which.min(there$score)])
  beside <- there$lambda / fit$parameters$lambda
  expect_true(all(vapply(c(0.1, 10)^0.5, function(b) any(abs(beside / b - 1) < 1e-9), NA)))
  expect_true(all(lengths(there$by_split[which.min(there$score)]) == 10))
  given <- psd_density(x, sigma = c(0.5, 1, 2), lambda = 0.1)
  expect_identical(attr(given$tuning, "chosen"), which.min(given$tuning$score))
})

test_that("two parts are tuned together first, then each alone, unless there is a pilot", {
  together <- function(table) {
    table$sigma.linear == table$sigma.psd & table$lambda.linear == table$lambda.psd
  }
  set.seed(4)
  expect_true(all(together(psd_hetero(dist ~ speed, cars, sigma = "search")$tuning)))
  fit <- psd_hetero(dist ~ speed, cars, sigma = "search", pilot = FALSE)
  table <- fit$tuning
  expect_named(fit$parameters$sigma, c("linear", "psd"))
  shared <- together(table)
  expect_true(all(shared[1:16]))
  expect_false(all(shared))
  expect_lt(nrow(table), 120)
  half <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = list(linear = c(0.1, 0.01), psd = 0.1))
  expect_identical(nrow(half$tuning), 2L)
})

test_that("the choice is the same for the same seed and in parallel", {
  run <- function() {
    set.seed(5)
    psd_density(faithful$eruptions, lambda = c(0.3, 0.1), sigma = c(0.3, 0.5))$tuning
  }
  one <- run()
  expect_identical(run(), one)
  skip_if_not_installed("future.apply")
  skip_on_cran()
  before <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(before))
  expect_identical(run(), one)
})

test_that("the rule of one standard error takes a larger penalty, never a smaller one", {
  set.seed(6)
  tune <- psd_tune(rule = "1se")
  lazy <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 10^-(0:4), tune = tune)
  set.seed(6)
  keen <- suppressMessages(psd_density(faithful$eruptions, sigma = 0.5, lambda = 10^-(0:4)))
  expect_gte(lazy$parameters$lambda, keen$parameters$lambda)
  chosen <- lazy$tuning[attr(lazy$tuning, "chosen"), ]
  best <- lazy$tuning[which.min(lazy$tuning$score), ]
  expect_lte(chosen$score, best$score + best$se)
})

test_that("the best value at the edge of a user's grid is told in one message", {
  set.seed(7)
  expect_message(psd_density(faithful$eruptions, sigma = 0.5, lambda = c(100, 10, 5)),
                 "at the edge of the values given", class = "psd_grid_edge")
})

test_that("ridge is tuned too, and from five dimensions on by default when it is NULL", {
  set.seed(8)
  fit <- psd_density(faithful$eruptions, sigma = 0.5, lambda = 0.1, ridge = c(0.01, 1))
  expect_identical(nrow(fit$tuning), 2L)
  ridges <- function(dim, ...) {
    problem <- psdmodels:::density_problem(matrix(rnorm(4 * dim), 4), rep(1, 4), lebesgue(dim),
                                           psdmodels:::model_psd(), "gaussian")
    axis <- psdmodels:::parameter_axes(problem, ..., ridge = NULL, call = NULL)$ridge
    cells <- psdmodels:::moved_cells(list(ridge = axis), 0, cbind(-3:3))
    if (is_searched(axis)) axis_value(axis, cells[, 1]) else axis$values
  }
  expect_equal(ridges(5, sigma = 1, lambda = NULL), c(0.01, 0.1, 1))
  expect_identical(ridges(5, sigma = 1, lambda = 1), 0.01)
  expect_identical(ridges(4, sigma = 1, lambda = NULL), 0.01)
})

test_that("the start is where a dual linear in lambda goes, or else inside the domain", {
  slope <- c(1, -2, 0.5, -0.1)
  dual <- function(lambda) c(-1, -1, -1, 1) + lambda * slope
  at <- function(lambda, ...) list(dual = dual(lambda), lambda = lambda, ...)
  predict <- psdmodels:::predicted_dual
  expect_equal(predict(at(0.1, before = at(0.3)), 0.02, 3), dual(0.02))
  # From one solution only nu moves; likewise where the line leaves the domain.
  alone <- c(dual(0.1)[1:3], 1 - 0.01 * 0.2)
  expect_equal(predict(at(0.1), 0.02, 3), alone)
  outside <- list(dual = c(-10, -1, -1, 1), lambda = 0.3)
  expect_equal(predict(at(0.1, before = outside), 0.02, 3), alone)
  expect_null(predict(NULL, 0.1, 3))
})

test_that("warm starts along a path cost no iterations, and save some", {
  set.seed(9)
  x <- matrix(rnorm(160))
  problem <- psdmodels:::density_problem(x, rep(1, 160), lebesgue(), psdmodels:::model_psd(),
                                         "gaussian")
  count <- c(warm = 0, cold = 0)
  control <- psd_control(tol = 2e-3)
  control$certified <- FALSE  # as while tuning: else a cold fit takes the interior point's steps
  for (sigma in c(0.3, 0.6, 1.2)) {
    prepared <- psdmodels:::prepare(problem, 1:160, sigma, control)
    previous <- NULL
    for (lambda in sqrt(10)^-(0:6)) {
      previous <- psdmodels:::solve_at(prepared, lambda, 0.01, previous = previous)
      cold <- psdmodels:::solve_at(prepared, lambda, 0.01)
      count <- count + c(previous$iterations, cold$iterations)
    }
  }
  expect_lt(count[["warm"]], 0.65 * count[["cold"]])
})

test_that("the tuning table can be drawn, and its absence is explained", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  set.seed(10)
  fit <- psd_density(faithful$eruptions, sigma = c(0.3, 0.5), lambda = c(0.1, 0.01))
  expect_identical(plot(fit, which = "tuning"), fit)
  built <- ggplot2::ggplot_build(autoplot(fit, which = "tuning"))
  expect_identical(nrow(built$data[[2]]), sum(is.finite(fit$tuning$score)))
  fixed <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 0.1)
  expect_error(autoplot(fixed, which = "tuning"), "was not tuned", class = "psd_error")
  expect_output(print(summary(fit)), "chosen among 4 candidates")
})

test_that("every model reports and draws what tuning chose", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  set.seed(11)
  regression <- psd_regression(dist ~ speed, cars, sigma = c(0.5, 1), lambda = c(0.1, 0.01))
  intensity <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = c(0.5, 1),
                             lambda = c(0.1, 0.01))
  for (fit in list(regression, intensity)) {
    expect_output(print(summary(fit)), "chosen among 4 candidates")
    width <- signif(fit$parameters$sigma * fit$units$x$scale, 3)
    expect_output(print(summary(fit)), paste("units of the data:", width, "in", fit$recipe$columns))
    expect_identical(plot(fit, which = "tuning"), fit)
    built <- ggplot2::ggplot_build(autoplot(fit, which = "tuning"))
    expect_identical(nrow(built$data[[2]]), sum(is.finite(fit$tuning$score)))
    expect_error(plot(fit, which = "choice"), "`which` must be one of", class = "psd_error")
  }
  fixed <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 0.1)
  expect_error(plot(fixed, which = "tuning"), "was not tuned", class = "psd_error")
  # no candidate of them has a finite score
  regression$tuning$score[] <- Inf
  for (draw in list(plot, autoplot)) {
    expect_error(draw(regression, which = "tuning"), "no score to draw", class = "psd_error")
  }
})

test_that("bad settings are refused by name", {
  expect_error(psd_tune(folds = 1), "`folds` must be a single number at least 2")
  expect_error(psd_tune(train = 1), "`train` must be a single number above 0 and below 1")
  expect_error(psd_tune(rule = "max"), "`rule` must be one of")
  expect_error(psd_density(1:9, tune = 5), "`tune` must be made by")
  expect_error(psd_density(1:9, tune = psd_tune(folds = 1:3)), "one fold number an observation")
  expect_error(psd_density(1:9, sigma = list(a = 1)), "`sigma` must be")
})

test_that("a named vector gives each part its own value, as a list does", {
  by_vector <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = c(linear = 1e-3, psd = 1e-2))
  by_list <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = list(linear = 1e-3, psd = 1e-2))
  expect_identical(by_vector$parameters$lambda, by_list$parameters$lambda)
  expect_null(by_vector$tuning)
  expect_error(psd_density(1:9, sigma = c(a = 1)), "names", class = "psd_error")
})

test_that("one far point does not decide the width of a density", {
  set.seed(1)
  x <- c(rnorm(150), 1000)
  fit <- psd_density(x, sigma = "search")
  expect_gt(psd_prob(fit, -4, 4), 0.98)
  expect_lt(abs(psd_prob(fit, -1, 1) - 0.68), 0.1)
  losses <- highest_losses(matrix(c(-1, 0, 1, 9)), rep(1, 4), 4)
  expect_identical(order(losses), c(3L, 2L, 1L, 4L))  # by distance from the mean
})

test_that("no message tells of the edge of values that the user did not give", {
  axes <- list(ridge = c(grid_axis(c(0.01, 0.1, 1)), list(ours = TRUE)))
  expect_no_message(tell_edges(axes, data.frame(ridge = 1)))
  axes$ridge$ours <- FALSE
  expect_message(tell_edges(axes, data.frame(ridge = 1)), "at the edge", class = "psd_grid_edge")
})

test_that("a part held out is of the size asked for, and leaves at least one row either side", {
  sizes <- function(n, train) lengths(make_splits(matrix(seq_len(n)), psd_tune(train = train)))
  expect_identical(sizes(10, 0.7), 3L)
  expect_identical(sizes(10, 0.99), 1L)
  expect_identical(sizes(10, 0.01), 9L)
  expect_identical(sizes(2, 0.01), 1L)
})

test_that("psd_cv() scores the fit that was made: its widths, shape and transformation", {
  set.seed(1)
  heavy <- rt(60, 2)
  fit <- psd_density(heavy)
  expect_false(is.null(fit$parameters$widths))
  same <- psd_density(heavy, lambda = fit$parameters$lambda, transform = fit$parameters$transform,
                      tune = structure(utils::modifyList(unclass(psd_tune()), list(always = TRUE)),
                                       class = "psd_tune"))
  set.seed(2)
  score <- psd_cv(fit)$score
  set.seed(2)
  expect_equal(update(same)$tuning$score, score)
  plane <- cbind(heavy, heavy + rnorm(60) / 5)
  turned <- psd_density(plane, sigma = 1, lambda = 0.1, shape = "full")
  set.seed(2)
  score <- psd_cv(turned)$score
  set.seed(2)
  expect_false(isTRUE(all.equal(psd_cv(update(turned, shape = "round"))$score, score)))
  chosen <- psd_density(plane)
  expect_gt(chosen$parameters$parametric, 1)
  set.seed(2)
  score <- psd_cv(chosen)$score
  set.seed(2)
  without <- psd_cv(update(chosen, sigma = chosen$parameters$sigma, parametric = FALSE,
                           lambda = chosen$parameters$lambda, shape = chosen$parameters$shape))
  expect_false(isTRUE(all.equal(without$score, score)))
  again <- problem_of_fit(chosen, plane, environment())
  expect_true(again$parts$psd$parametric)
  expect_equal(mean_loss(again, chosen), -chosen$log_likelihood / 60 +
                 log_jacobian(again$x[1, , drop = FALSE], chosen$units$x))
})

test_that("a first-order solver has less to do while tuning", {
  control <- psdmodels:::tuning_control(psd_control("fista"))
  expect_identical(control$max_iter, 1000)
  expect_identical(control$max_rank, 25)
  own <- psdmodels:::tuning_control(psd_control("fista", max_iter = 10, max_rank = 7))
  expect_identical(own$max_iter, 10)
  expect_identical(own$max_rank, 7)
  expect_identical(psdmodels:::tuning_control(psd_control())$max_iter, 200)
})

test_that("an average over widths looks beside the best penalty of every width that counts", {
  cells <- cbind(sigma = c(0, 0, 1, 2), lambda = c(0, 1, 0, 0))
  scores <- c(1, 0.5, 0.6, 5)
  asked <- list()
  scorer <- list(
    scores = function() scores, cells = function() cells, settle = function() "settled",
    evaluate = function(new) {
      asked <<- c(asked, list(new))
      FALSE
    }
  )
  weights <- psdmodels:::width_weights(scorer, 20)
  expect_identical(weights$row, c(2L, 3L, 4L))
  expect_equal(weights$weight, exp(-4 * c(0, 0.1, 4.5)) / sum(exp(-4 * c(0, 0.1, 4.5))))
  auto <- list(kind = "auto", origin = 1, step = 2)
  axes <- list(sigma = auto, lambda = auto)
  expect_identical(psdmodels:::search_widths(scorer, axes, 20), "settled")
  expect_equal(asked, list(cbind(sigma = c(0, 0, 1, 1), lambda = c(0, 2, -1, 1))))
  asked <- list()
  axes$lambda$highest <- 2
  psdmodels:::search_widths(scorer, axes, 20)
  expect_equal(asked[[1]], cbind(sigma = c(0, 1, 1), lambda = c(0, -1, 1)))
  asked <- list()
  axes$lambda <- list(kind = "grid", size = 3, values = 1:3)
  psdmodels:::search_widths(scorer, axes, 20)
  expect_equal(asked[[1]][, "lambda"], rep(1:3, 2))
  expect_identical(psdmodels:::best_of_widths(scores, cells, 2), c(2L, 3L))
})

test_that("settings are printed one per line", {
  expect_output(print(psd_tune(folds = 10)),
                "<psd_tune>\nfolds: 10\nrepeats: by default\ntrain: by default\nrule: average",
                fixed = TRUE)
  expect_output(print(psd_tune(folds = rep(1:2, 10))), "folds: 20 values", fixed = TRUE)
  expect_output(print(psd_control(tol = 1e-4)), "<psd_control>\nsolver: newton\ntol: 1e-04",
                fixed = TRUE)
  expect_output(print(psd_control()), "max_rank: by default", fixed = TRUE)
})

test_that("an axis is settled if its value was given, or is looked for last", {
  expect_true(is_settled(list(kind = "grid", size = 1)))
  expect_true(is_settled(list(kind = "grid", size = 3, late = TRUE)))
  expect_false(is_settled(list(kind = "grid", size = 3)))
  expect_false(is_settled(list(kind = "search", size = 1)))
})

test_that("the score of a single split has no standard error, so \"1se\" is \"min\"", {
  set.seed(1)
  x <- rnorm(40)
  chosen <- function(rule) {
    set.seed(2)
    psd_density(x, sigma = 0.5, lambda = 10^(-3:0), tune = psd_tune(train = 0.7, rule = rule))
  }
  expect_identical(chosen("1se")$parameters$lambda, chosen("min")$parameters$lambda)
})

test_that("the log of an average of exponentials is that of each row, of any size", {
  logs <- matrix(c(1, -2, 0, 3, -1, 2, 0.5, -0.5, 1, 2, -3, 0, 1, 1), 7)
  weight <- c(0.3, 0.7)
  expect_equal(log_average(logs, weight), drop(log(exp(logs) %*% weight)))
  expect_equal(log_average(logs - 1e4, weight), log_average(logs, weight) - 1e4)
})

test_that("a stack is of candidates that are searched, not of values that are given", {
  fit <- function(...) {
    psd_density(faithful$eruptions[1:40], ..., tune = psd_tune(folds = 2, repeats = 1,
                                                               rule = "stack"))
  }
  expect_gt(nrow(fit(sigma = 0.5)$average), 1)
  expect_null(fit(sigma = c(0.5, 1))$average)
  expect_null(fit(sigma = 0.5, lambda = c(0.1, 0.01))$average)
})
