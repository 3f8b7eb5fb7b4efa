air <- function() {
  out <- na.omit(airquality)
  out$date <- as.Date(paste(1973, out$Month, out$Day, sep = "-"))
  out
}

test_that("variables are those of the formula, with the levels that each has", {
  fit <- psd_quantreg(Ozone ~ log(Temp) + factor(Month) + date, air(), sigma = 2, lambda = 0.1)
  slices <- make_slices(fit, NULL, NULL, 5)
  expect_identical(vapply(slices, `[[`, "", "name"), c("Temp", "Month", "date"))
  expect_identical(vapply(slices, `[[`, "", "kind"), c("number", "level", "Date"))
  expect_true(all(slices[[2]]$values %in% 5:9))
  held <- list(Temp = median(air()$Temp), Month = 9, date = median(air()$date))
  along <- data.frame(Temp = slices[[1]]$values, Month = 9, date = held$date)
  expect_equal(quantiles_at(fit, slices[[1]]$x), predict(fit, along), ignore_attr = TRUE)
})

test_that("a matrix has its columns, and rows near are those with other columns near", {
  set.seed(1)
  x <- cbind(a = rnorm(80), b = rnorm(80), c = rep(0:1, 40))
  fit <- psd_regression(x = x, y = x[, 1]^2, sigma = 2, lambda = 0.01)
  slices <- make_slices(fit, c("a", "c"), c(b = 0.2, c = 1), 7)
  expect_identical(slices[[1]]$x, cbind(slices[[1]]$values, 0.2, 1))
  near <- which(x[, 3] == 1 & abs(x[, 2] - 0.2) <= 0.75 * sd(x[, 2]))
  expect_identical(slices[[1]]$near, near)
  expect_identical(slices[[2]]$kind, "level")
  # far from all data the ten nearest
  far <- make_slices(fit, "a", c(b = 50), 7)[[1]]$near
  same <- which(x[, 3] == 0)
  expect_setequal(far, same[order(-x[same, 2])[1:10]])
})

test_that("a factor is held at its most frequent level or where it is told to", {
  data <- warpbreaks[-(1:3), ]
  fit <- psd_regression(breaks ~ wool * tension, data, loss = "poisson", sigma = 2, lambda = 1e-3)
  tension <- make_slices(fit, "tension", NULL, 5)[[1]]
  expect_identical(tension$held, "wool = B")
  expect_equal(as.vector(outputs_at(fit, tension$x)),
               predict(fit, data.frame(wool = "B", tension = c("L", "M", "H"))))
  told <- make_slices(fit, "tension", list(wool = "A"), 5)[[1]]
  expect_equal(as.vector(outputs_at(fit, told$x)),
               predict(fit, data.frame(wool = "A", tension = c("L", "M", "H"))))
  expect_identical(told$near, which(data$wool == "A"))
})

test_that("dates and levels keep their axes beside numbers", {
  fit <- psd_hetero(Ozone ~ date + Temp + factor(Month), air(), sigma = 2, lambda = 0.1)
  labels <- lapply(ggplot2::ggplot_build(autoplot(fit))$layout$panel_params, function(panel) {
    as.character(stats::na.omit(panel$x$get_labels()))
  })
  expect_true(all(grepl("^1973-", labels[[1]])))
  expect_true(all(as.numeric(labels[[2]]) > 50))
  expect_true(all(labels[[3]] %in% 5:9))
})

test_that("mistakes in columns and at are named, the same for all regressions", {
  quantreg <- psd_quantreg(breaks ~ wool + tension, warpbreaks, sigma = 2, lambda = 0.1)
  hetero <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
  expect_snapshot(error = TRUE, {
    plot(quantreg, columns = "woolB")
    plot(quantreg, at = list(wool = "C"))
    autoplot(quantreg, at = list(1))
    plot(hetero, at = c(dist = 1))
    autoplot(hetero, columns = 2)
    plot(hetero, n = 1)
  })
})

test_that("rows near a slice are found whatever the units of the variables", {
  set.seed(1)
  values <- rnorm(20)
  expect_equal(deviations_from(0.5, values), (values - 0.5) / sd(values))
  for (unit in c(1e-200, 1e200)) {
    expect_equal(deviations_from(0.5 * unit, values * unit), (values - 0.5) / sd(values))
  }
  expect_identical(deviations_from(1, c(1, 1)), c(0, 0))
  expect_identical(deviations_from(0, c(1, 1)), c(Inf, Inf))
  data <- data.frame(a = values * 1e-186, b = rnorm(20), y = rnorm(20))
  fit <- psd_regression(abs(y) ~ a + b, data, sigma = 1, lambda = 1)
  plain <- psd_regression(abs(y) ~ a + b, transform(data, a = values), sigma = 1, lambda = 1)
  near <- function(fit) lapply(make_slices(fit, NULL, NULL, 5), `[[`, "near")
  expect_identical(near(fit), near(plain))
})

test_that("in one picture levels are far from numbers and from each other", {
  slices <- list(list(kind = "number", observed = c(-50, 3)), list(kind = "level", observed = "a"),
                 list(kind = "number", observed = 7), list(kind = "level", observed = "b"))
  placed <- function(slices, what) vapply(placed_slices(slices), `[[`, 0, what)
  expect_identical(placed(slices, "offset"), c(0, 2, 0, 4) * 1000 * 51)
  expect_identical(placed(slices, "step"), c(1, 51, 1, 51))
  expect_identical(placed(slices[2], "offset"), 0)
  expect_identical(placed(slices[c(2, 4)], "offset"), c(1, 2) * 1000)
})

test_that("levels keep their labels beside numbers of any size", {
  set.seed(4)
  data <- data.frame(a = 1e133 * rnorm(20), b = rep(1:2, 10), y = rexp(20))
  fit <- psd_regression(y ~ a + b, data, sigma = 1, lambda = 0.1)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(fit))
  labels <- lapply(built$layout$panel_params, function(panel) panel$x$get_labels())
  expect_identical(labels[[2]], c("1", "2"))
})

test_that("dates keep their axes beside numbers among which they are, of any size", {
  set.seed(4)
  for (size in c(1e5, 1e47)) {
    data <- data.frame(a = size * rexp(30)^3, day = as.Date("2020-01-01") + 1:30, y = rexp(30))
    fit <- psd_regression(y ~ a + day, data, sigma = 1, lambda = 0.1)
    built <- ggplot2::ggplot_build(ggplot2::autoplot(fit))
    labels <- lapply(built$layout$panel_params, function(panel) {
      as.character(stats::na.omit(panel$x$get_labels()))
    })
    expect_false(any(grepl("2020", labels[[1]])))
    expect_true(all(grepl("^2020-", labels[[2]])))
  }
  expect_identical(range_of_panel(list(c(0, 1), c(5, 6)), c(3.5, 7)), 2L)
})

test_that("a matrix among the variables of a formula is shown by its columns", {
  set.seed(2)
  data <- data.frame(y = rnorm(30), z = runif(30))
  data$m <- cbind(a = runif(30), b = runif(30))
  fit <- psd_regression(y ~ m + z, data, sigma = 2, lambda = 0.1)
  slices <- make_slices(fit, NULL, NULL, 5)
  expect_identical(vapply(slices, `[[`, "", "name"), c("ma", "mb", "z"))
  held <- apply(cbind(data$m, data$z), 2, median)
  expect_equal(slices[[2]]$x, cbind(held[1], slices[[2]]$values, held[3]), ignore_attr = TRUE)
  middle <- data[1, ]
  middle$m[1, ] <- c(held[1], slices[[2]]$values[4])
  middle$z <- held[3]
  expect_equal(outputs_at(fit, slices[[2]]$x)[4], predict(fit, middle))
  expect_length(drawn_lines(record_drawing(plot(fit))), 3)
})

test_that("rows of a level are drawn beside each other, next to its place on the axis", {
  fit <- psd_regression(breaks ~ wool + tension, warpbreaks, sigma = 2, lambda = 0.1)
  slice <- make_slices(fit, "tension", NULL, 5)[[1]]
  places <- slice_position(slice, warpbreaks$tension)
  expect_identical(places, as.numeric(warpbreaks$tension))
  beside <- slice_position(slice, warpbreaks$tension, spread = TRUE) - places
  expect_lte(max(abs(beside)), 0.15)
  expect_gt(diff(range(beside)), 0.25)
  expect_gt(min(diff(sort(beside))), 0)
})

test_that("where no row has the levels held all rows are near", {
  data <- warpbreaks[warpbreaks$wool == "A" | warpbreaks$tension != "L", ]
  data$size <- seq_len(nrow(data))
  fit <- psd_regression(breaks ~ wool + tension + size, data, sigma = 2, lambda = 0.1)
  held <- list(wool = "B", tension = "L")
  near <- make_slices(fit, "size", held, 5)[[1]]$near
  expect_identical(near, seq_len(nrow(data)))
  expect_length(drawn_lines(record_drawing(plot(fit, "size", held))), 1)
})

test_that("a legend leaves at least half of the drawing, and takes no more than its words need", {
  share <- function(...) {
    data <- wave(30)
    y <- cbind(data$y, data$count)
    colnames(y) <- c(...)
    fit <- psd_regression(x = data$x, y = y, sigma = 1, lambda = 0.1)
    wide <- NULL
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    setHook("plot.new", function(...) wide <<- graphics::par("pin")[1], "replace")
    on.exit(setHook("plot.new", NULL, "replace"), add = TRUE)
    graphics::plot.new()
    before <- wide
    plot(fit)
    wide / before
  }
  expect_equal(share("a", strrep("b", 200)), 0.5, tolerance = 1e-6)
  expect_gt(share("a", "b"), 0.8)
})
