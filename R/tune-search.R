# The search over cells: from a coarse grid to the neighbours of the best.

# Looks beside the best cell, with the parts' parameters together, until nothing there is better;
# then, if they may differ, along one axis after the other, once: to look further follows the noise
# of the folds.
search_cells <- function(scorer, axes, apart = TRUE, max_rounds = 12) {
  scorer$evaluate(first_cells(axes))
  for (round in seq_len(max_rounds)) {
    before <- scorer$best()
    look_beside(scorer, axes, together_moves(axes))
    if (identical(scorer$best(), before)) break
  }
  alone <- if (apart) alone_axes(axes) else names(axes)[vapply(axes, is_late, NA)]
  for (axis in alone) look_beside(scorer, axes, axis_moves(axes, axis))
  scorer$settle()
}

# The same with as few candidates as can be: from the origin along one axis after the other.
search_axes <- function(scorer, axes) {
  scorer$evaluate(rbind(origin_cell(axes)))
  for (axis in names(axes)[first_axes(axes)]) look_beside(scorer, axes, axis_moves(axes, axis))
}

# Where a neighbour is better, on in its direction, each time twice as far, as long as it pays.
look_beside <- function(scorer, axes, moves) {
  from <- scorer$best()
  scorer$evaluate(moved_cells(axes, from, moves))
  move <- scorer$best() - from
  if (all(move == 0)) return()
  for (leap in 2^(0:5)) {
    from <- scorer$best()
    scorer$evaluate(moved_cells(axes, from, rbind(leap * move)))
    if (identical(scorer$best(), from)) break
  }
}
