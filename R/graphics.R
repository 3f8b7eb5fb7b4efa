# What the pictures share.

dark_blue <- "#2166AC"

# graphics::plot() with defaults that the user's arguments override.
plot_with <- function(defaults, ...) {
  do.call(graphics::plot, utils::modifyList(defaults, list(...)))
}
