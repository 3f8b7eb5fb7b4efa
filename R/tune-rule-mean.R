# The rule "mean": the width is an average over the widths tried, as scores hardly depend on it; or,
# in units of a pilot, whose only choice it is, the penalty.

rule_mean <- function() {
  has_width <- function(cells) "sigma" %in% colnames(cells)
  new_rule(
    applies = function(problem, axes) {
      averages_width(problem, axes) || averages_penalty(problem, axes)
    },
    leaders = function(scores, cells) {
      if (has_width(cells)) best_of_widths(scores, cells) else best_cells(scores, cells)
    },
    search = function(scorer, axes, n) {
      if (has_width(scorer$cells())) search_widths(scorer, axes, n)
    },
    choose = function(scorer, n) {
      if (has_width(scorer$cells())) at_average_width(scorer, n) else at_average_penalty(scorer, n)
    }
  )
}

averages_width <- function(problem, axes) {
  problem$likelihood && problem$model$closed_form && !is.null(axes$sigma) &&
    is_searched(axes$sigma)
}

averages_penalty <- function(problem, axes) {
  penalties <- grepl("^lambda", names(axes))
  !is.null(problem$pilot) && all(vapply(axes[penalties], is_searched, NA)) &&
    all(vapply(axes[!penalties], is_settled, NA))
}

# The best cell with the mean log of the penalties tried, each with the weight that it has in an
# average of fits: between the points of the lattice, and scored like these.
at_average_penalty <- function(scorer, n) {
  scores <- scorer$scores()
  weight <- score_weights(scores, n)
  cells <- scorer$cells()
  cell <- cells[which.min(scores), , drop = FALSE]
  penalties <- grepl("^lambda", colnames(cells))
  cell[penalties] <- colSums(weight * cells[, penalties, drop = FALSE]) / sum(weight)
  scorer$evaluate(cell)
  match(cell_key(cell), cell_key(scorer$cells()))
}
