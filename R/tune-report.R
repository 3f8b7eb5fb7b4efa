# What tuning found, for print, summary and plot.

# The chosen candidate in words and the kernel widths in the units of the data.
print_choice <- function(x, digits) {
  scaling <- x$units$x
  sigma <- if (is.null(x$parameters$widths)) x$parameters$sigma
           else list(largest = max(x$parameters$widths), smallest = min(x$parameters$widths))
  if (!is.null(scaling$transforms)) sigma <- NULL  # of other units
  for (part in seq_along(sigma)) {
    widths <- paste(signif(sigma[[part]] * scaling$scale, digits), x$recipe$columns, sep = " in ")
    label <- if (length(sigma) > 1) paste0(" (", names(sigma)[part], ")") else ""
    cat("kernel width", label, " in the units of the data: ", paste(widths, collapse = ", "), "\n",
        sep = "")
  }
  if (!is.null(scaling$turn)) print_turn(scaling$turn, x$recipe$columns, digits)
  if (is.null(x$tuning)) return(invisible())
  chosen <- x$tuning[attr(x$tuning, "chosen"), ]
  how <- if (is.null(x$tuning$by_split)) "loss of rows left out" else "cross-validated loss"
  cat(sprintf("chosen among %d candidates: %s %s (standard error %s)\n", nrow(x$tuning), how,
              signif(chosen$score, 4), signif(chosen$se, 2)))
  print_certainty(x, digits)
}

# The two columns between which the kernel is turned most.
print_turn <- function(turn, columns, digits) {
  correlation <- stats::cov2cor(crossprod(turn))
  diag(correlation) <- 0
  pair <- arrayInd(which.max(abs(correlation)), dim(correlation))
  cat("kernel turned, most between ", paste(columns[pair], collapse = " and "), ": correlation ",
      signif(correlation[pair], digits), "\n", sep = "")
}

# One row a candidate that was not given up on: sigma and lambda of the PSD part, score, and whether
# it was chosen.
tuning_paths <- function(x, call = rlang::caller_env()) {
  if (is.null(x$tuning)) {
    abort(c("The fit was not tuned: {.arg sigma} and {.arg lambda} were given.",
            i = "Leave one out, or give several values."), call = call)
  }
  if (!any(is.finite(x$tuning$score))) {
    abort("Every candidate has an infinite loss on some rows of {.arg data} that were held out:
           there is no score to draw.", call = call)
  }
  last <- function(name) utils::tail(grep(paste0("^", name), names(x$tuning), value = TRUE), 1)
  paths <- data.frame(sigma = x$tuning[[last("sigma")]], lambda = x$tuning[[last("lambda")]],
                      ridge = x$tuning$ridge, score = x$tuning$score, se = x$tuning$se,
                      chosen = seq_len(nrow(x$tuning)) == attr(x$tuning, "chosen"))
  paths[is.finite(paths$score), ]
}

draw_tuning <- function(x, ...) {
  paths <- tuning_paths(x)
  if (needs_profiles(x)) return(draw_profiles(x, ...))
  widths <- sort(unique(paths$sigma))
  colors <- grDevices::hcl.colors(length(widths), "viridis")
  args <- list(x = paths$lambda, y = paths$score, log = "x", pch = 16,
               col = colors[match(paths$sigma, widths)], xlab = "lambda", ylab = "held-out loss")
  draw <- function() {
    plot_with(args, ...)
    for (i in seq_along(widths)) {
      path <- paths[paths$sigma == widths[i], ]
      path <- path[order(path$lambda), ]
      graphics::lines(path$lambda, path$score, col = colors[i])
    }
    graphics::points(score ~ lambda, paths[paths$chosen, ], cex = 2, lwd = 2, col = "firebrick")
  }
  with_legend(draw(), signif(widths, 2), colors, pch = 16, title = "sigma")
}

gg_tuning <- function(x) {
  paths <- tuning_paths(x)
  if (needs_profiles(x)) return(gg_profiles(x))
  chosen <- paths[paths$chosen, ]
  ggplot2::ggplot(paths, ggplot2::aes(.data$lambda, .data$score,
                                      color = factor(signif(.data$sigma, 2)))) +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    ggplot2::geom_errorbar(ggplot2::aes(ymin = .data$score - .data$se,
                                        ymax = .data$score + .data$se),
                           chosen, width = 0.1) +
    ggplot2::geom_point(data = chosen, shape = 1, size = 4, color = "firebrick", stroke = 1) +
    ggplot2::scale_x_log10() +
    ggplot2::scale_color_viridis_d() +
    ggplot2::labs(x = "lambda", y = "held-out loss", color = "sigma")
}
