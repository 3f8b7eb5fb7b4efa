# The scores: small is good. Each gives named numbers for one fit of one sample; `truth` is the
# case.

lowest_log <- log(.Machine$double.xmin) # stands for a density of zero

floored <- function(logs) ifelse(is.nan(logs) | logs == Inf, lowest_log, pmax(logs, lowest_log))

# Some estimates integrate to more than one, and would be rewarded for it: those are divided.
normalised <- function(logs, weight) logs - log(max(1, sum(weight * exp(logs))))

score_density <- function(predict, case, test) {
  if (is.null(case$nodes)) return(score_density_on(predict, case, test))
  at <- case$nodes$at
  truth <- case$log_density(at)
  weight <- ifelse(is.finite(truth), case$nodes$weight, 0)
  truth[weight == 0] <- 0
  fitted <- normalised(floored(predict(matrix(at))), weight)
  c(KL = sum(weight * exp(truth) * (truth - fitted)),
    ISE = if (!isFALSE(case$square)) sum(weight * (exp(truth) - exp(fitted))^2))
}
# By a test sample: the divergence, or the loss alone where the truth is not known.
score_density_on <- function(predict, case, test) {
  fitted <- floored(predict(test))
  if (is.null(case$log_density)) return(c(NLL = -mean(fitted)))
  c(KL = mean(case$log_density(test) - fitted))
}

pinball <- function(y, fitted, tau) {
  error <- y - fitted
  mean(pmax(error * rep(tau, each = nrow(fitted)), error * rep(tau - 1, each = nrow(fitted))))
}
score_quantile <- function(predict, case, test) {
  fitted <- matrix(predict(test), nrow(test))
  loss <- pinball(test$y, fitted, levels_fitted)
  if (is.null(case$quantile)) return(c(pinball = loss))
  truth <- case$quantile(test, levels_fitted)
  c(excess = loss - pinball(test$y, truth, levels_fitted), RMSE = sqrt(mean((fitted - truth)^2)))
}

# Of normal distributions given x; the expectation over y is exact where the truth is known.
score_hetero <- function(predict, case, test) {
  fitted <- predict(test)
  fitted$sd <- pmax(fitted$sd, 1e-10)
  if (is.null(case$mean)) return(c(NLPD = -mean(floored(dnorm(test$y, fitted$mean, fitted$sd, log = TRUE)))))
  mean <- case$mean(test)
  sd <- case$sd(test)
  c(excess = mean(log(fitted$sd / sd) + (sd^2 + (mean - fitted$mean)^2) / (2 * fitted$sd^2) - 1 / 2),
    RMSE = sqrt(mean((mean - fitted$mean)^2)))
}

levels_fitted <- c(0.1, 0.25, 0.5, 0.75, 0.9)
scores <- list(density = score_density, quantile = score_quantile, hetero = score_hetero)
