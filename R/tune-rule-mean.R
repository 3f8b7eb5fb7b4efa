# The rule "mean": the width is an average over the widths tried, as scores hardly depend on it.

rule_mean <- function() {
  new_rule(
    applies = function(problem, axes) {
      problem$likelihood && problem$model$closed_form && !is.null(axes$sigma) &&
        is_searched(axes$sigma)
    },
    leaders = best_of_widths,
    search = search_widths,
    choose = function(scorer, n) at_average_width(scorer, n)
  )
}
