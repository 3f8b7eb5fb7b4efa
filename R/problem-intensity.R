# An intensity of n points: with f = n p, one non-negative function p, the loss -log p and its
# integral over the window, which is one if the `total` is that observed, otherwise paid for. In
# standardised units.
intensity_problem <- function(x, weights, window, kernel, constant, total = "observed") {
  model <- model_psd()
  observed <- total == "observed"
  new_problem(
    "intensity", x, weights, model, kernel,
    parts = list(psd = part(constant = model$constant * constant)),
    losses = list(list(name = "neg_log")), positive = TRUE, measure = window,
    total = if (observed) "one" else "paid", start = if (observed) predicted_dual else last_dual,
    likelihood = TRUE,
    # Minus the log-likelihood of a held-out point, with its share of the integral.
    score = function(solution, x, y) (solution$mass %||% 1) - log_density(solution, window, x),
    binning = "points"
  )
}
