test_that("the mixing matrix is the cumulative one of the model", {
  expect_equal(quantile_mixing(0.3), matrix(1))
  expect_equal(quantile_mixing(c(0.1, 0.5, 0.9)), rbind(c(1, -1, 0), c(1, 0, 0), c(1, 0, 1)))
  expect_equal(quantile_mixing(c(0.1, 0.2, 0.45, 0.8, 0.9)),
               cbind(1, c(-1, 0, 0, 0, 0), c(-1, -1, 0, 0, 0), c(0, 0, 0, 1, 1), c(0, 0, 0, 0, 1)))
})

test_that("the middle is the level nearest one half, the lower one of two", {
  expect_identical(middle_level(c(0.1, 0.4, 0.9)), 2L)
  expect_identical(middle_level(c(0.4, 0.6)), 1L)
  expect_identical(middle_level(c(0.7, 0.9)), 1L)
})

test_that("mixing between levels rises with the level and is exact for normal quantiles", {
  levels <- c(0.05, 0.3, 0.6, 0.9)
  tau <- seq(0.05, 0.9, by = 0.01)
  mixing <- quantile_mixing(levels, tau)
  expect_true(all(diff(mixing) >= 0))
  blocks <- c(qnorm(0.6), diff(qnorm(levels)))
  expect_equal(drop(mixing %*% blocks), qnorm(tau))
})

test_that("the score of a solution is the sum of the pinball losses of its rows", {
  data <- simulated_quantiles(50)
  problem <- quantreg_problem(as.matrix(data$x), data$y, rep(1, 50), c(0.2, 0.5), model_psd(),
                              "gaussian", TRUE)
  sigma <- c(linear = 0.3, psd = 0.4)
  solution <- solve_at(prepare(problem, 1:40, sigma, psd_control()), c(linear = 0.01, psd = 0.02),
                       0.01)
  middle <- cpp_evaluate(solution$functions[[1]], as.matrix(data$x[41:50]))
  gap <- cpp_evaluate(solution$functions[[2]], as.matrix(data$x[41:50]))
  loss <- function(tau, r) ifelse(r > 0, tau * r, (tau - 1) * r)
  y <- data$y[41:50]
  expect_equal(row_losses(problem, solution, 41:50),
               loss(0.5, y - middle) + loss(0.2, y - middle + gap))
  expect_identical(solution$functions[[1]]$anchors$width[1], 0.3)
  expect_identical(solution$functions[[2]]$anchors$width[1], 0.4)
})

test_that("the constant feature enters the linear block as 10 and the gaps as 1", {
  problem <- quantreg_problem(matrix(1:5 / 5), 1:5, rep(1, 5), c(0.5, 0.6), model_psd(), "gaussian",
                              TRUE)
  features <- prepare(problem, 1:5, c(linear = 1, psd = 1), psd_control())$features
  expect_identical(unique(tail(features$linear$values, 1)[1, ]), 10)
  expect_identical(unique(tail(features$psd$values, 1)[1, ]), 1)
})

test_that("a search begins with gaps that are smoother than the middle; values given are shared", {
  data <- simulated_quantiles(50)
  axes <- function(sigma) {
    problem <- quantreg_problem(as.matrix(data$x), data$y, rep(1, 50), c(0.2, 0.5), model_psd(),
                                "gaussian", TRUE)
    parameter_axes(problem, sigma, NULL, NULL, rlang::current_env())
  }
  cells <- first_cells(axes(NULL))
  values <- t(apply(cells, 1, cell_values, axes = axes(NULL)))
  expect_equal(values[, "sigma.psd"], 1.6 * values[, "sigma.linear"])
  expect_identical(values[, "lambda.psd"], values[, "lambda.linear"])
  expect_identical(axes(c(0.3, 0.5))$sigma.psd$values, c(0.5, 0.3))
})
