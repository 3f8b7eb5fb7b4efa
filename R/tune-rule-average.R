# The rule "average": all candidates along the penalty, each with a weight that falls with its
# held-out loss. Where one candidate is clearly better it has nearly all the weight.

rule_average <- function() {
  new_rule(
    applies = function(problem, axes) {
      others <- !grepl("^lambda", names(axes))
      searched <- vapply(axes[!others], is_searched, NA)
      problem$model$closed_form && all(searched) && all(vapply(axes[others], is_fixed, NA))
    },
    choose = function(scorer, n) which.min(scorer$scores()),
    weights = function(scores, n) {
      weight <- exp(-average_rate * n * (scores - min(scores, na.rm = TRUE)))
      weight[is.na(weight) | weight < 0.01] <- 0
      weight / sum(weight)
    }
  )
}

# Half of what Bayes' rule would say of losses that are minus log likelihoods: candidates are fitted
# to most of the rows that the others are judged by.
average_rate <- 0.5
