# Heteroscedastic regression as the engine sees it, in standardised units: outputs eta =
# mean / variance, by a linear block, and theta = 1 / variance, by a block of the model. The loss
# keeps theta positive at the data, whatever the block.

# Size of the constant feature in each block: far from the data theta tends to a constant, and eta,
# which has none, to zero, so that the mean there is the mean of the standardised y. A constant in
# eta as well lets the ratio of two small numbers decide: on mcycle the mean would tend to 130.
hetero_constant <- c(linear = 0, psd = 1)

hetero_engine <- function(x, y, weights, kernel, constant, control, model = "psd") {
  size <- hetero_constant * constant
  prepare <- function(rows, sigma, settings = control) {
    features <- lapply(c(linear = "linear", psd = "psd"), function(part) {
      psd_features(x[rows, , drop = FALSE], sigma[[part]], kernel, settings, size[[part]],
                   nodes = model == "psd" && part == "psd")
    })
    list(features = features, y = y[rows], weights = weights[rows], model = model,
         control = settings)
  }
  score <- function(solution, rows) {
    natural <- natural_parameters(solution$functions, x[rows, , drop = FALSE])
    gaussian_loss(natural, y[rows])
  }
  list(rows = seq_along(y), dim = ncol(x), weights = weights, control = control,
       parts = c("linear", "psd"), ridge = model == "psd", prepare = prepare,
       solve = hetero_solution, score = score)
}

hetero_solution <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
  blocks <- list(linear_block(problem$features$linear, lambda[["linear"]]),
                 nonnegative_block(problem$model, problem$features$psd, lambda[["psd"]], ridge,
                                   positive = TRUE))
  fit_psd(blocks, list(list(name = "hetero")), problem$y, weights = problem$weights,
          control = control, start = previous$dual)
}

natural_parameters <- function(functions, x) {
  list(eta = cpp_evaluate(functions[[1]], x), theta = cpp_evaluate(functions[[2]], x))
}

# Minus the log density of y. Where theta is zero the variance is infinite, and so is the loss;
# likewise where theta is negative.
gaussian_loss <- function(natural, y) {
  theta <- pmax(natural$theta, 0)
  loss <- (log(2 * pi) - log(theta) + theta * (y - natural$eta / theta)^2) / 2
  ifelse(theta > 0, loss, Inf)
}
