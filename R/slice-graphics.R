# Slices (R/slice.R) on paper: their axes, the data near them and legends, in base graphics and in
# ggplot2.

# Base graphics ----------------------------------------------------------------------------------

# One panel per slice, drawn by draw(slice, position); `labels` and `colours` make a legend beside
# the last one.
draw_slices <- function(slices, draw, labels = NULL, colours = NULL) {
  if (length(slices) > 1) {
    before <- graphics::par(mfrow = panel_layout(length(slices)))
    on.exit(graphics::par(before))
  }
  for (slice in slices) {
    with_legend(draw(slice, slice_position(slice, slice$values)), labels, colours, lwd = 2)
  }
}

# Rows and columns of panels; few stand side by side.
panel_layout <- function(panels) {
  if (panels <= 3) c(1, panels) else rev(grDevices::n2mfrow(panels))
}

# An empty panel with the axis of a slice, under what is held or, with one variable, the title.
slice_panel <- function(slice, ylim, ylab, ..., title = "") {
  known <- levels_of(slice$observed)
  at <- if (slice$kind == "level") c(0.5, length(known) + 0.5)
        else range(slice_position(slice, slice$values))
  plot_with(list(x = at, y = ylim, type = "n", xlab = slice$name, ylab = ylab,
                 main = if (nzchar(slice$held)) "" else title,
                 xaxt = if (slice$kind == "number") "s" else "n"), ...)
  if (slice$kind == "level") graphics::axis(1, seq_along(known), as.character(known))
  else draw_time_axis(slice$kind, at)
  if (nzchar(slice$held)) graphics::mtext(slice$held, 3, 0.2, cex = 0.7, col = "grey40")
}

draw_time_axis <- function(kind, at) {
  if (kind == "Date") graphics::axis.Date(1, .Date(at))
  if (kind == "POSIXct") graphics::axis.POSIXct(1, .POSIXct(at))
}

# The data near a slice.
slice_points <- function(slice, y, ...) {
  at <- slice_position(slice, slice$observed[slice$near], spread = TRUE)
  graphics::points(at, y[slice$near], ...)
}

# A curve, or a point per level.
slice_curve <- function(slice, at, y, col) {
  if (slice$kind == "level") graphics::points(at, y, col = col, pch = 18, cex = 1.8)
  else graphics::lines(at, y, col = col, lwd = 2)
}

# A drawing with a legend in the margin beside it, where it hides nothing; the margin takes at most
# half of the drawing.
with_legend <- function(drawing, labels, colours, ...) {
  if (is.null(labels)) return(drawing)
  line <- prod(unlist(graphics::par("csi", "mex", "cex")))  # of a margin, in inches
  room <- min(2.5 + 0.5 * max(nchar(labels)), max(graphics::par("pin")[1], 0) / line / 2)
  before <- graphics::par(mar = graphics::par("mar") + c(0, 0, 0, room), xpd = FALSE)
  on.exit(graphics::par(before))
  force(drawing)
  right <- graphics::par("usr")[2]
  top <- graphics::par("usr")[4]
  if (graphics::par("xlog")) right <- 10^right
  graphics::legend(right, top, legend = labels, col = colours, bty = "n", cex = 0.8, xpd = NA, ...)
}

# ggplot2 ----------------------------------------------------------------------------------------

# In one picture each panel needs an axis of its own, of numbers, levels or dates, while ggplot2
# gives all the same scale: levels are numbers far from those of the other panels, by which the
# scale knows where it is, and in steps of a size that numbers there still tell apart. The slices
# with the `offset` and the `step` of each.
placed_slices <- function(slices) {
  levels <- vapply(slices, `[[`, "", "kind") == "level"
  numbers <- c(0, unlist(lapply(slices[!levels], function(slice) as.numeric(slice$observed))))
  step <- 1 + max(abs(numbers))
  Map(function(slice, far, number) {
    c(slice, if (far) list(offset = 1000 * step * number, step = step)
             else list(offset = 0, step = 1))
  }, slices, levels & length(slices) > 1, seq_along(slices))
}

# Where values of a placed slice are on its axis.
axis_position <- function(slice, values, ...) {
  slice$offset + slice$step * slice_position(slice, values, ...)
}

# A long data frame: `variable` (the panel), `at`, `level` (is it one?), `step` (the distance of
# levels there), and the columns of values(slice), which has one row per value of the slice, or
# several sets of such one after the other.
slice_frame <- function(slices, values) {
  frames <- lapply(placed_slices(slices), function(slice) {
    own <- values(slice)
    at <- axis_position(slice, slice$values)
    data.frame(variable = slice$name, at = rep_len(at, nrow(own)), level = slice$kind == "level",
               step = slice$step, own)
  })
  in_panels(do.call(rbind, frames), slices)
}

# The data near each slice, with the columns of `data` (one row per observation).
near_frame <- function(slices, data) {
  frames <- lapply(placed_slices(slices), function(slice) {
    at <- axis_position(slice, slice$observed[slice$near], spread = TRUE)
    data.frame(variable = slice$name, at = at, data[slice$near, , drop = FALSE])
  })
  in_panels(do.call(rbind, frames), slices)
}

in_panels <- function(frame, slices) {
  frame$variable <- factor(frame$variable, vapply(slices, `[[`, "", "name"))
  rownames(frame) <- NULL
  frame
}

# The panels of the slices and their axes, for a ggplot of slice_frame()s.
slice_facets <- function(slices) {
  kinds <- vapply(slices, `[[`, "", "kind")
  one <- length(slices) == 1
  list(
    if (!one) ggplot2::facet_wrap("variable", scales = "free_x"),
    if (any(kinds != "number")) slice_scale(slices),
    ggplot2::labs(x = if (one) slices[[1]]$name, caption = slice_caption(slices))
  )
}

slice_caption <- function(slices) {
  if (length(slices) > 1) paste("held, where they do not move:", slices[[1]]$point)
  else if (nzchar(slices[[1]]$held)) paste("held:", slices[[1]]$held)
}

slice_scale <- function(slices) {
  slices <- placed_slices(slices)
  ranges <- lapply(slices, function(slice) range(axis_position(slice, slice$observed)))
  found <- function(limits) slices[[range_of_panel(ranges, range(limits, na.rm = TRUE))]]
  ggplot2::scale_x_continuous(
    breaks = function(limits) axis_breaks(found(limits), limits),
    labels = function(at) if (all(is.na(at))) rep("", length(at)) else axis_labels(found(at), at),
    minor_breaks = NULL
  )
}

# Which of the ranges is that of a panel whose axis goes from limits[1] to limits[2]: of those that
# hold it, with what an axis adds, the narrowest; else the nearest.
range_of_panel <- function(ranges, limits) {
  width <- vapply(ranges, diff, 0)
  beyond <- vapply(ranges, function(range) max(range[1] - limits[1], limits[2] - range[2]), 0)
  holds <- beyond <= 0.1 * width
  if (any(holds)) return(which.min(ifelse(holds, width, Inf)))
  which.min(vapply(ranges, function(range) abs(mean(range) - mean(limits)), 0))
}

axis_breaks <- function(slice, limits) {
  at <- switch(slice$kind,
               level = slice$offset + slice$step * seq_along(levels_of(slice$observed)),
               Date = pretty(.Date(limits)), POSIXct = pretty(.POSIXct(limits)), pretty(limits))
  at <- as.numeric(at)
  at[at >= limits[1] & at <= limits[2]]
}

axis_labels <- function(slice, at) {
  known <- as.character(levels_of(slice$observed))
  switch(slice$kind, level = known[round((at - slice$offset) / slice$step)],
         Date = format(.Date(at)), POSIXct = format(.POSIXct(at)), format(at, trim = TRUE))
}

# Layers that draw lines along numbers and a mark per level, for the same aesthetics.
slice_layers <- function(frame, aesthetics, colour = NULL) {
  add <- function(geom, rows, ...) {
    if (!any(rows)) return(NULL)
    fixed <- if (!is.null(colour)) list(colour = colour)
    do.call(geom, c(list(aesthetics, frame[rows, , drop = FALSE], ...), fixed))
  }
  list(add(ggplot2::geom_line, !frame$level, linewidth = 0.8),
       add(ggplot2::geom_point, frame$level, shape = 18, size = 3))
}
