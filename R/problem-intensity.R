# An intensity of n points: with f = n p, one non-negative function p, the loss -log p and its
# integral over the window. In standardised units.
intensity_problem <- function(x, weights, window, kernel, constant) {
  model <- model_psd()
  new_problem(
    "intensity", x, weights, model, kernel,
    parts = list(psd = part(constant = model$constant * constant)),
    losses = list(list(name = "neg_log")), positive = TRUE, measure = window, total = "paid",
    likelihood = TRUE,
    # Minus the log-likelihood of a held-out point, with its share of the integral.
    score = function(solution, rows) {
      solution$mass - log_density(solution, window, x[rows, , drop = FALSE])
    }
  )
}
