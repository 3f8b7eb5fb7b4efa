# The pictures of tuning, against the table of what was tried.

# One quick fit a class, each with four candidates.
tuned_fits <- function() {
  set.seed(1)
  x <- sort(runif(40))
  y <- 1 + x + (0.2 + x) * rnorm(40) / 3
  tune <- psd_tune(folds = 2, repeats = 1)
  given <- list(sigma = c(1, 2), lambda = c(0.1, 0.01))
  fit <- function(fitter, ...) {
    suppressMessages(do.call(fitter, c(list(...), given, list(tune = tune))))
  }
  list(density = fit(psd_density, x), quantreg = fit(psd_quantreg, x = x, y = y),
       hetero = fit(psd_hetero, x = x, y = y), regression = fit(psd_regression, x = x, y = y),
       intensity = fit(psd_intensity, x, lower = 0, upper = 1))
}
fits <- tuned_fits()

# lambda, sigma (of the last part, if there are several) and score of every candidate.
tried <- function(fit) {
  table <- fit$tuning
  last <- function(name) table[[tail(grep(name, names(table)), 1)]]
  data.frame(sigma = last("^sigma"), lambda = last("^lambda"), score = table$score, se = table$se)
}

for (name in names(fits)) {
  test_that(paste0(name, ": every candidate is drawn, joined by width, the chosen one circled"), {
    fit <- fits[[name]]
    table <- tried(fit)
    chosen <- attr(fit$tuning, "chosen")
    expect_gte(nrow(table), 4)
    drawing <- record_drawing(plot(fit, which = "tuning"))
    points <- drawn_points(drawing)
    expect_points(points[[1]], table$lambda, table$score)
    expect_points(points[[2]], table$lambda[chosen], table$score[chosen])
    expect_identical(points[[2]]$col, "firebrick")
    expect_identical(calls_of(drawing, "plot_window")[[1]][[3]], "x")

    widths <- sort(unique(table$sigma))
    lines <- drawn_lines(drawing)
    expect_length(lines, length(widths))
    for (k in seq_along(widths)) {
      path <- table[table$sigma == widths[k], ]
      path <- path[order(path$lambda), ]
      expect_points(lines[[k]], path$lambda, path$score)
    }
    expect_identical(unique(points[[1]]$col[table$sigma == widths[1]]), lines[[1]]$col)
    expect_identical(setdiff(drawn_text(drawing), "sigma"), as.character(signif(widths, 2)))
  })

  test_that(paste0(name, ": the ggplot of tuning shows the same"), {
    fit <- fits[[name]]
    table <- tried(fit)
    chosen <- attr(fit$tuning, "chosen")
    plot <- autoplot(fit, which = "tuning")
    points <- built_layers(plot, "GeomPoint")
    expect_length(points, 2)
    expect_points(points[[1]], log10(table$lambda), table$score)
    expect_points(points[[2]], log10(table$lambda[chosen]), table$score[chosen])
    bar <- built_layers(plot, "GeomErrorbar")[[1]]
    expect_equal(c(bar$ymin, bar$ymax), table$score[chosen] + c(-1, 1) * table$se[chosen])
    lines <- built_lines(plot)
    widths <- sort(unique(table$sigma))
    expect_length(lines, length(widths))
    expect_identical(sum(vapply(lines, nrow, 0L)), nrow(table))
    expect_identical(legend_labels(plot, "colour"), as.character(signif(widths, 2)))
  })
}

test_that("the circled candidate is the one that was fitted with", {
  fit <- fits$density
  circle <- drawn_points(record_drawing(plot(fit, which = "tuning")))[[2]]
  expect_identical(circle$x, glance(fit)$lambda)
})

for (name in names(fits)) {
  test_that(paste0(name, ": the summary says how many were tried and what was the best loss"), {
    fit <- fits[[name]]
    chosen <- fit$tuning[attr(fit$tuning, "chosen"), ]
    words <- sprintf("chosen among %d candidates: cross-validated loss %.4g (standard error %.2g)",
                     nrow(fit$tuning), chosen$score, chosen$se)
    expect_output(print(summary(fit)), words, fixed = TRUE)
  })
}
