# What the pictures of an intensity show, against predict().

test_that("on the line the curve spans the window, over the points as a rug", {
  fit <- psd_intensity(faithful$eruptions, lower = 1, upper = 6, sigma = 0.5, lambda = 1e-2)
  drawing <- record_drawing(plot(fit, n = 40))
  curve <- drawn_lines(drawing)
  expect_length(curve, 1)
  expect_equal(range(curve[[1]]$x), c(1, 6))
  expect_equal(curve[[1]]$y, predict(fit, curve[[1]]$x))
  expect_identical(drawn_rug(drawing), faithful$eruptions)
  expect_null(drawn_rug(record_drawing(plot(fit, points = FALSE))))

  plot <- autoplot(fit, n = 40)
  line <- built_lines(plot)
  expect_length(line, 1)
  expect_points(line[[1]], curve[[1]]$x, curve[[1]]$y)
  expect_identical(built_layers(plot, "GeomRug")[[1]]$x, faithful$eruptions)
  expect_length(built_layers(autoplot(fit, points = FALSE), "GeomRug"), 0)
})

test_that("in the plane a map is coloured by the intensity, under the points", {
  fit <- psd_intensity(faithful, lower = c(1, 40), upper = c(6, 100), sigma = 0.7, lambda = 1e-2)
  axes <- list(seq(1, 6, length.out = 15), seq(40, 100, length.out = 15))
  expected <- predict(fit, as.matrix(expand.grid(axes)))
  drawing <- record_drawing(plot(fit, n = 15))
  image <- calls_of(drawing, "image")
  expect_length(image, 1)
  shade <- 63 * (expected - min(expected)) / diff(range(expected))
  expect_lt(max(abs(as.vector(image[[1]][[3]]) - shade)), 1)
  middles <- function(edges) (edges[-1] + edges[-16]) / 2
  expect_equal(middles(image[[1]][[1]]), axes[[1]])
  expect_equal(middles(image[[1]][[2]]), axes[[2]])
  expect_points(drawn_points(drawing)[[1]], faithful$eruptions, faithful$waiting)
  expect_length(drawn_points(record_drawing(plot(fit, n = 15, points = FALSE))), 0)

  plot <- autoplot(fit, n = 15)
  tiles <- built_layers(plot, "GeomTile")[[1]]
  scale <- ggplot2::ggplot_build(plot)$plot$scales$get_scales("fill")
  expect_equal(range(tiles$x), c(1, 6))
  expect_equal(range(tiles$y), c(40, 100))
  expect_identical(tiles$fill, scale$map(predict(fit, as.matrix(tiles[c("x", "y")]))))
  expect_points(built_layers(plot, "GeomPoint")[[1]], faithful$eruptions, faithful$waiting)
})
