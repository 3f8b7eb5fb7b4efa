# What a plot draws: of base graphics the calls that its device records, of a ggplot the layers it
# builds.

# One list(name =, args =) a call of the graphics engine, in order. All panels are on one page: the
# device forgets what was drawn on another.
record_drawing <- function(expr) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  panels <- 0
  setHook("plot.new", function(...) panels <<- panels + 1, "replace")
  on.exit(setHook("plot.new", NULL, "replace"), add = TRUE)
  force(expr)
  drawing <- lapply(grDevices::recordPlot()[[1]], function(entry) {
    list(name = sub("^C_", "", entry[[2]][[1]]$name), args = as.list(entry[[2]])[-1])
  })
  testthat::expect_length(calls_of(drawing, "plot_new"), panels)
  drawing
}

# The arguments of the calls of a name.
calls_of <- function(drawing, name) {
  lapply(Filter(function(call) call$name == name, drawing), `[[`, "args")
}

# One list(x =, y =, col =) a call that drew points (type "p") or a line ("l").
drawn_xy <- function(drawing, type) {
  calls <- Filter(function(args) args[[2]] == type, calls_of(drawing, "plotXY"))
  lapply(calls, function(args) list(x = args[[1]]$x, y = args[[1]]$y, col = args[[5]]))
}
drawn_lines <- function(drawing) drawn_xy(drawing, "l")
drawn_points <- function(drawing) drawn_xy(drawing, "p")

# The ticks of rug(): an axis without labels.
drawn_rug <- function(drawing) {
  unlist(lapply(calls_of(drawing, "axis"), function(args) if (isFALSE(args[[3]])) args[[2]]))
}
drawn_text <- function(drawing) {
  unlist(lapply(calls_of(drawing, "text"), function(args) as.character(args[[2]])))
}
drawn_titles <- function(drawing) unlist(lapply(calls_of(drawing, "title"), `[`, 1:4))

drawn_panels <- function(drawing) {
  unname(split(drawing, cumsum(vapply(drawing, `[[`, "", "name") == "plot_new")))
}

# The built data of the layers with a geom, one data frame a layer.
built_layers <- function(plot, geom) {
  has <- vapply(plot$layers, function(layer) class(layer$geom)[1] == geom, NA)
  ggplot2::ggplot_build(plot)$data[has]
}

# One data frame a curve of the plot's only layer of lines.
built_lines <- function(plot) {
  layer <- built_layers(plot, "GeomLine")
  testthat::expect_length(layer, 1)
  unname(split(layer[[1]], layer[[1]][c("PANEL", "group")], drop = TRUE))
}

legend_labels <- function(plot, aesthetic) {
  as.character(ggplot2::ggplot_build(plot)$plot$scales$get_scales(aesthetic)$get_labels())
}

expect_points <- function(drawn, x, y) {
  testthat::expect_equal(as.vector(drawn$x), as.vector(x))
  testthat::expect_equal(as.vector(drawn$y), as.vector(y))
}
