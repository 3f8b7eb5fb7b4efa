# Mean and variance: outputs eta = mean / variance, a linear function, and theta = 1 / variance, a
# non-negative one. The loss keeps theta positive at the data, whatever the model.
#
# Beyond the data theta tends to a constant, and eta, which has none, to zero, so that the mean
# there is the mean of the standardised y. A constant in eta as well lets the ratio of two small
# numbers decide: on mcycle the mean would tend to 130. Farther away a line with constant variance
# takes over.
#
# With a `pilot` (R/pilot.R) all that is fitted is in its units; the line is not. The constant in
# theta is then the pilot's own precision, and penalised less.
hetero_problem <- function(x, y, weights, model, kernel, constant, pilot = NULL) {
  size <- model$constant * if (is.null(pilot)) 1 else pilot_constant
  problem <- new_problem(
    "hetero", x, weights, model, kernel, y = y,
    parts = list(linear = part(free = TRUE), psd = part(constant = size * constant)),
    losses = list(list(name = "hetero")), positive = TRUE, steepest = 1,
    binning = "moments", far = if (constant) function(x, z, weights) normal_line(x, y, weights),
    score = function(solution, x, y) {
      gaussian_loss(natural_parameters(solution$functions, x), y[, 1])
    }
  )
  if (is.null(pilot)) problem else in_pilot_units(problem, as.numeric(y), pilot)
}

pilot_constant <- 2

# A linear mean, or a constant one, and a constant variance, as natural parameters.
normal_line <- function(x, y, weights) {
  line <- line_or_constant(x, y, weights, power = 2)
  free <- length(y) - 1 - sum(line$slopes != 0)
  variance <- stats::weighted.mean(line$residuals^2, weights) * length(y) / free
  variance <- max(variance, 1e-6 * stats::weighted.mean(y^2, weights))
  list(intercept = c(line$intercept, 1) / variance, slopes = cbind(line$slopes / variance, 0))
}

natural_parameters <- function(functions, x) {
  list(eta = values_at(functions[[1]], x), theta = values_at(functions[[2]], x))
}

# Minus the log density of y. Where theta is zero the variance is infinite, and so is the loss;
# likewise where theta is negative.
gaussian_loss <- function(natural, y) {
  theta <- pmax(natural$theta, 0)
  loss <- (log(2 * pi) - log(theta) + theta * (y - natural$eta / theta)^2) / 2
  ifelse(theta > 0, loss, Inf)
}
