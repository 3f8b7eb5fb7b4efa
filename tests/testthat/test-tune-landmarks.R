# Few landmarks while tuning, and what is done where they do not do: with many variables.

# In the first three variables two groups each.
shifted <- function(x) {
  for (k in 1:3) x[, k] <- x[, k] + 7 * (seq_len(nrow(x)) %/% 2^k %% 2)
  x
}
clouds <- local({
  set.seed(3)
  x <- matrix(rnorm(4000), 400)
  shifted(x)
})
declared <- function(x) {
  d <- ncol(x)
  line <- list(lower = rep(-Inf, d), upper = rep(Inf, d), mean = rep(0, d), sd = rep(Inf, d))
  density_problem(x, rep(1, nrow(x)), line, model_psd(), "gaussian")
}

test_that("what landmarks do not see is what projection leaves", {
  few <- tuning_control(psd_control(max_rank = 30))
  for (sigma in c(1.5, 4)) {
    prepared <- prepare(declared(clouds), 1:400, sigma, few)
    landmarks <- prepared$features[[1]]$landmarks
    expect_length(landmarks, 30)
    k <- exp(-as.matrix(dist(clouds))^2 / (2 * sigma^2))
    seen <- rowSums(k[, landmarks] * t(solve(k[landmarks, landmarks], k[landmarks, ])))
    expect_equal(unseen_share(prepared$features[[1]], prepared$weights), 1 - mean(seen),
                 tolerance = 1e-6)
  }
})

test_that("the likely sum is the most likely one", {
  x <- clouds[1:300, 1:4]
  found <- likely_sum(declared(x))
  square <- as.matrix(dist(x))^2
  left_out <- function(h) {
    k <- exp(-square / (2 * h^2)) / h^4
    diag(k) <- 0
    mean(log(rowSums(k) / 300))
  }
  best <- optimize(left_out, c(0.1, 3), maximum = TRUE)
  expect_equal(found$width, best$maximum, tolerance = 0.02)
  expect_equal(found$mean_log, best$objective, tolerance = 1e-3)
})

test_that("with ten variables candidates have all landmarks, with two a few", {
  expect_true(is_crowded(declared(clouds), 2, psd_control()))
  expect_false(is_crowded(declared(clouds[, 1:2]), 0.5, psd_control()))
  fit <- suppressWarnings(psd_density(clouds))
  expect_length(unique(fit$tuning$sigma), 1)
  expect_gt(length(unique(fit$tuning$lambda)), 2)
  expect_identical(max(lengths(fit$tuning$by_split)), 2L)
  # All rows, and the centres of the normals.
  expect_identical(fit$landmarks, 400L + as.integer(fit$parameters$parametric))
})

test_that("clouds are far from a single normal density, and not from a mixture", {
  is_far <- function(x, count = NULL) {
    problem <- declared(x)
    is_far_from(psdmodels:::find_normals(x, rep(1, nrow(x)), count = count), problem)
  }
  set.seed(4)
  expect_false(is_far(matrix(rnorm(4000), 400), 1))
  expect_true(is_far(clouds, 1))
  expect_false(is_far(clouds))
})

test_that("the width is better than the one that few landmarks choose", {
  set.seed(5)
  new <- shifted(matrix(rnorm(10000), 1000))
  loss <- function(...) {
    fit <- psd_density(clouds, shape = "axes", parametric = FALSE, lambda = 1, ridge = 0.1, ...)
    -mean(predict(fit, new, type = "log"))
  }
  few <- loss(sigma = 1.2 * 1.4^(0:3))  # values that are given are scored with few landmarks
  expect_lt(loss(), few - 0.05)
})

test_that("candidates are scored by few landmarks, roughly and without a certificate", {
  usual <- tuning_control(psd_control())
  expect_identical(usual$max_rank, 120)
  expect_identical(usual[c("tol", "rank_tol")], list(tol = 1e-3, rank_tol = 1e-5))
  expect_false(usual$certified || usual$trace)
  expect_identical(tuning_control(psd_control("fista"))$max_rank, 25)
  own <- tuning_control(psd_control(tol = 0.01, rank_tol = 1e-4, max_rank = 30, trace = TRUE), 50)
  expect_identical(own[c("tol", "rank_tol", "max_rank")],
                   list(tol = 0.01, rank_tol = 1e-4, max_rank = 30))
  expect_false(own$trace)
  expect_identical(tuning_control(psd_control(), 50)$max_rank, 50)
})

test_that("where rows are crowded only penalties are searched, unless values are given", {
  problem <- declared(clouds)
  auto <- list(kind = "auto", origin = 1, step = 2, highest = Inf)
  axes <- crowded_axes(list(sigma = auto, lambda = auto), problem)
  expect_equal(axes$sigma, grid_axis(sqrt(2) * likely_sum(problem)$width))
  expect_identical(axes$lambda$highest, 10)
  given <- list(sigma = grid_axis(1:2), lambda = grid_axis(3))
  expect_identical(crowded_axes(given, problem), given)
})

test_that("beside normals kernels are no wider than usual, and few candidates begin", {
  auto <- list(kind = "auto", origin = 3, step = 2, highest = Inf)
  axes <- beside_normals(list(sigma = auto, lambda = auto))
  expect_identical(axes$sigma$highest, 3)
  expect_equal(axes$sigma$first, c(-1, 0))
  expect_equal(axes$lambda$first, c(0, -2, -4))
  expect_null(beside_normals(list(sigma = grid_axis(1), lambda = auto))$sigma$highest)
})
