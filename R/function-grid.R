# Grids on the line that are fine enough for a function of one variable.

# Increasing numbers from `low` to `high`, near the sections at `anchors` not further apart than
# `step` of their widths: even where that takes at most `most`, else even so far and, up to `reach`
# widths around those that are narrower, finer.
resolved_grid <- function(low, high, anchors, step, reach, least, most) {
  at <- anchors$at[, 1]
  width <- anchors$width[, 1]
  count <- ceiling((high - low) / (step * min(width)))
  even <- seq(low, high, length.out = min(max(count, least), most) + 1)
  if (count <= most) return(even)
  narrow <- step * width < (high - low) / most
  near <- at[narrow] + outer(width[narrow], seq(-reach, reach, by = step))
  sort(unique(c(even, near[near > low & near < high])))
}
