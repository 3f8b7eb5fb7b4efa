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

# Edges of cells from `low` to `high`, not longer than the `size` of any section that is within
# `reach`; sections that are narrow beside the line make cells short where they are, not everywhere.
local_cells <- function(low, high, at, reach, size, kinks) {
  inside <- function(x) x[x > low & x < high]
  breaks <- sort(unique(c(low, inside(c(at - reach, at + reach, kinks)), high)))
  middle <- breaks[-1] - diff(breaks) / 2
  longest <- rep(high - low, length(middle))
  for (j in order(size, decreasing = TRUE)) {
    longest[abs(middle - at[j]) < reach[j]] <- min(size[j], high - low)
  }
  changes <- diff(longest) != 0 | breaks[-c(1, length(breaks))] %in% kinks
  longest <- longest[c(TRUE, changes)]
  breaks <- breaks[c(TRUE, changes, TRUE)]
  cells <- Map(function(from, to, longest) {
    count <- ceiling((to - from) / longest)
    from + (to - from) * seq_len(count) / count
  }, breaks[-length(breaks)], breaks[-1], longest)
  c(low, unlist(cells))
}
