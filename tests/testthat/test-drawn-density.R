# What the pictures of a density show, against predict().

test_that("the curve is the density, over the data as a rug", {
  fit <- density_1d()
  drawing <- record_drawing(plot(fit, n = 40, xlab = "minutes"))
  curve <- drawn_lines(drawing)
  expect_length(curve, 1)
  expect_length(curve[[1]]$x, 40)
  expect_equal(curve[[1]]$y, predict(fit, curve[[1]]$x))
  expect_lt(min(curve[[1]]$x), min(faithful$eruptions))
  expect_gt(max(curve[[1]]$x), max(faithful$eruptions))
  expect_identical(drawn_rug(drawing), faithful$eruptions)
  expect_true(all(c("minutes", "density") %in% drawn_titles(drawing)))
  expect_null(drawn_rug(record_drawing(plot(fit, rug = FALSE))))

  plot <- autoplot(fit, n = 40)
  line <- built_lines(plot)
  expect_length(line, 1)
  expect_points(line[[1]], curve[[1]]$x, curve[[1]]$y)
  expect_identical(built_layers(plot, "GeomRug")[[1]]$x, faithful$eruptions)
  expect_length(built_layers(autoplot(fit, rug = FALSE), "GeomRug"), 0)
})

test_that("the truth and the histogram come with the curve", {
  fit <- density_1d()
  truth <- function(x) dnorm(x, 3.5, 1.1)
  bars <- hist(faithful$eruptions, breaks = "FD", plot = FALSE)
  drawing <- record_drawing(plot(fit, n = 40, truth = truth, histogram = TRUE))
  curves <- drawn_lines(drawing)
  expect_length(curves, 2)
  expect_equal(curves[[1]]$y, truth(curves[[1]]$x))
  expect_equal(curves[[2]]$y, predict(fit, curves[[2]]$x))
  expect_identical(calls_of(drawing, "rect")[[1]][[4]], bars$density)

  plot <- autoplot(fit, n = 40, truth = truth, histogram = TRUE)
  lines <- built_layers(plot, "GeomLine")
  expect_length(lines, 2)
  expect_equal(lines[[1]]$y, truth(lines[[1]]$x))
  expect_equal(lines[[2]]$y, predict(fit, lines[[2]]$x))
  expect_equal(built_layers(plot, "GeomBar")[[1]]$y, bars$density)
})

# The density above which lies a share of the probability, on a fine grid.
threshold <- function(fit, probability) {
  grid <- expand.grid(seq(0, 7, length.out = 101), seq(30, 110, length.out = 101))
  falling <- sort(predict(fit, as.matrix(grid)), decreasing = TRUE)
  falling[which(cumsum(falling) >= probability * sum(falling))[1]]
}

test_that("the regions hold their probabilities, each in its colour, with the data over them", {
  fit <- density_2d()
  probs <- c(0.5, 0.9)
  drawing <- record_drawing(plot(fit, probs = probs, n = 61))
  regions <- calls_of(drawing, "filledcontour")
  expect_length(regions, 1)
  regions <- setNames(regions[[1]], c("x", "y", "z", "levels", "col"))
  grid <- as.matrix(expand.grid(regions$x, regions$y))
  expect_equal(as.vector(regions$z), predict(fit, grid))
  expected <- c(threshold(fit, 0.9), threshold(fit, 0.5))
  expect_equal(regions$levels[1:2] / expected, c(1, 1), tolerance = 0.03)
  expect_gt(regions$levels[3], max(regions$z))
  expect_length(unique(regions$col), 2)

  borders <- calls_of(drawing, "contour")[[1]]
  expect_identical(borders[[4]], rev(regions$levels[1:2]))
  expect_identical(borders[[5]], c("50%", "90%"))
  points <- drawn_points(drawing)
  expect_length(points, 1)
  expect_points(points[[1]], faithful$eruptions, faithful$waiting)
  expect_length(drawn_points(record_drawing(plot(fit, n = 21, points = FALSE))), 0)
})

test_that("the regions of a ggplot are bounded by the same thresholds", {
  fit <- density_2d()
  plot <- autoplot(fit, probs = c(0.5, 0.9), n = 61)
  regions <- built_layers(plot, "GeomContourFilled")
  expect_length(regions, 1)
  expect_length(unique(regions[[1]]$fill), 2)
  parts <- split(regions[[1]], regions[[1]]$level, drop = TRUE)
  height <- lapply(parts, function(part) predict(fit, as.matrix(part[c("x", "y")])))
  expected <- c(threshold(fit, 0.9), threshold(fit, 0.5))
  expect_equal(range(height[[1]]) / expected, c(1, 1), tolerance = 0.05)
  expect_equal(min(height[[2]]) / expected[2], 1, tolerance = 0.05)
  expect_identical(legend_labels(plot, "fill"), c("90%", "50%"))
  points <- built_layers(plot, "GeomPoint")
  expect_points(points[[1]], faithful$eruptions, faithful$waiting)
  expect_length(built_layers(autoplot(fit, n = 21, points = FALSE), "GeomPoint"), 0)
})

test_that("the matrix has the marginals of one variable on and of two below its diagonal", {
  set.seed(2)
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
  fit <- psd_density(x, sigma = 1, lambda = 1e-2)
  panels <- drawn_panels(record_drawing(plot(fit, n = 15)))
  expect_length(panels, 9)
  for (i in 1:3) for (j in 1:3) {
    panel <- panels[[3 * (i - 1) + j]]
    curve <- drawn_lines(panel)
    regions <- calls_of(panel, "filledcontour")
    expect_length(curve, as.integer(i == j))
    expect_length(regions, as.integer(i > j))
    if (i == j) {
      expect_equal(curve[[1]]$y, predict(psd_marginal(fit, i), curve[[1]]$x))
      expect_identical(drawn_rug(panel), unname(x[, i]))
    } else if (i > j) {
      grid <- as.matrix(expand.grid(regions[[1]][[1]], regions[[1]][[2]]))
      expect_equal(as.vector(regions[[1]][[3]]), predict(psd_marginal(fit, c(j, i)), grid))
      expect_points(drawn_points(panel)[[1]], x[, j], x[, i])
    }
  }
})

test_that("the matrix of a ggplot has the same panels", {
  set.seed(2)
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
  fit <- psd_density(x, sigma = 1, lambda = 1e-2)
  expect_length(built_layers(autoplot(fit, n = 15, points = FALSE), "GeomPoint"), 0)
  plot <- autoplot(fit, n = 15)
  curves <- built_layers(plot, "GeomLine")
  expect_length(curves, 3)
  for (i in 1:3) {
    curve <- curves[[i]]
    density <- predict(psd_marginal(fit, i), curve$x)
    # that of the first row stands far off, without an axis
    share <- if (i == 1) curve$y - 1000 * (1 + max(abs(x)))
             else (curve$y - min(curve$x)) / diff(range(curve$x))
    expect_equal(share, density / max(density))
  }
  points <- built_layers(plot, "GeomPoint")
  pairs <- list(c("a", "b"), c("a", "c"), c("b", "c"))
  for (k in 1:3) expect_points(points[[k]], x[, pairs[[k]][1]], x[, pairs[[k]][2]])
  regions <- built_layers(plot, "GeomContourFilled")
  expect_length(regions, 3)
  expect_true(all(vapply(regions, function(layer) length(unique(layer$fill)), 0L) == 3))
  panels <- lapply(c(curves, regions), function(layer) as.integer(unique(layer$PANEL)))
  expect_identical(sort(unlist(panels)), c(1L, 4L, 5L, 7L, 8L, 9L))
  expect_identical(legend_labels(plot, "fill"), c("95%", "80%", "50%"))
})

test_that("a single row in the plane is one point", {
  fit <- psd_density(cbind(a = 1, b = 2), sigma = 1, lambda = 1, standardize = FALSE)
  points <- drawn_points(record_drawing(plot(fit, n = 21)))
  expect_points(points[[1]], 1, 2)
  expect_points(built_layers(autoplot(fit, n = 21), "GeomPoint")[[1]], 1, 2)
})
