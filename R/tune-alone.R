# Candidates scored by leaving out each row by itself, without fitting again, where the core says
# how a fit changes by that: the only split then has all rows, a fit to them tells all losses.

# Are rows left out one by one, without fitting again, by what the core says of a fit?
leaves_rows_out <- function(problem, tune, control) {
  !asks_for_splits(tune) && nrow(problem$x) > 1 && !is.null(problem$left_out) &&
    problem$model$form == "psd" && control$solver == "newton"
}

# Of the mean error of a level: what leaving out says is then near what fits without a row say, from
# smooth fits to rough ones.
usual_blur <- 1

score_groups <- 10  # of rows, whose mean losses tell how sure a score is
