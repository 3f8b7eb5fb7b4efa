# The rule "stack": the average over the candidates of a search, each with a weight that falls with
# its held-out loss. Where one candidate is clearly better it has nearly all the weight.

rule_stack <- function() {
  new_rule(
    applies = function(problem, axes) {
      penalties <- grepl("^lambda", names(axes))
      problem$model$closed_form && is.null(problem$halfspaces) &&
        all(vapply(axes[penalties], is_searched, NA)) && !any(vapply(axes, is_several, NA))
    },
    leaders = function(scores, cells) {
      if ("sigma" %in% colnames(cells)) best_of_widths(scores, cells) else best_cells(scores, cells)
    },
    search = function(scorer, axes, n) {
      if (!is.null(axes$sigma) && is_searched(axes$sigma)) search_widths(scorer, axes, n)
    },
    choose = function(scorer, n) {
      if ("sigma" %in% colnames(scorer$cells())) at_average_width(scorer, n)
      else which.min(scorer$scores())
    },
    weights = function(scores, n) {
      weight <- score_weights(scores, n)
      weight[weight < 0.03 | rank(-weight, ties.method = "first") > stack_most] <- 0
      weight / sum(weight)
    }
  )
}

# A quarter of what Bayes' rule would say of losses that are minus log likelihoods: candidates are
# fitted to most of the rows that the others are judged by.
stack_rate <- 0.25

# Relative to the best; none where there is no score.
score_weights <- function(scores, n) {
  weight <- exp(-stack_rate * n * (scores - min(scores, na.rm = TRUE)))
  weight[is.na(weight)] <- 0
  weight
}

stack_most <- 10  # members of an average, each of which is one more fit

# Values that the user gave to choose from.
is_several <- function(axis) axis$kind == "grid" && axis$size > 1
