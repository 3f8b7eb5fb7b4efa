# How to choose among candidates. A rule is a list made by new_rule(), in a file of its own.

# * `choose(scorer, n)`: the row number of the choice in the scorer's table.
# * `leaders(scores, cells)`: row numbers of the candidates that are scored on all splits.
# * `search(scorer, axes, n)`: looks at further candidates after the search for the best, if any.
# * `weights(scores, n)`: if the fit is an average over candidates, the weight of each.
# * `applies(problem, axes)`: is it for this problem? Where it is not, the next in the table that
#   is takes its place.
new_rule <- function(choose, leaders = best_cells, search = function(scorer, axes, n) NULL,
                     weights = NULL, applies = function(problem, axes) TRUE) {
  list(choose = choose, leaders = leaders, search = search, weights = weights, applies = applies)
}

# Row numbers of the few best cells.
best_cells <- function(scores, cells, few = 6) utils::head(order(scores), few)
