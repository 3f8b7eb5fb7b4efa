# Tuning over more parameters than one picture of sigma and lambda shows: a profile per parameter,
# the lowest held-out loss at each of its values. And how sure the choice is, in words.

# The names of the parameters that were varied, those that always moved together once.
varied_parameters <- function(tuning) {
  known <- grep("^(sigma|lambda|ridge)", names(tuning), value = TRUE)
  values <- lapply(tuning[known], function(v) signif(v, 8))
  varied <- vapply(values, function(v) length(unique(v)) > 1, NA)
  known[varied & !duplicated(values)]
}

# Is a picture of the losses along lambda, one line per sigma, not enough?
needs_profiles <- function(x) {
  varied <- sub("\\..*", "", varied_parameters(x$tuning))
  anyDuplicated(varied) > 0 || "ridge" %in% varied
}

# A long data frame, one row per candidate and parameter: `parameter`, `value`, `score`, `se`,
# `chosen`, and whether it is the `best` with that value.
tuning_profiles <- function(x) {
  finite <- which(is.finite(x$tuning$score))
  table <- x$tuning[finite, ]
  chosen <- finite == attr(x$tuning, "chosen")
  names <- varied_parameters(x$tuning)
  rows <- lapply(names, function(name) {
    value <- signif(table[[name]], 8)
    lowest <- stats::ave(table$score, value, FUN = min)
    data.frame(parameter = factor(name, names), value = value, score = table$score,
               se = table$se, chosen = chosen, best = table$score == lowest)
  })
  do.call(rbind, rows)
}

# What matters: the profiles, not the worst candidates.
profile_range <- function(profiles) {
  at <- profiles[profiles$chosen, ]
  range(profiles$score[profiles$best], at$score - at$se, at$score + at$se, na.rm = TRUE)
}

draw_profiles <- function(x, ...) {
  profiles <- tuning_profiles(x)
  before <- graphics::par(mfrow = panel_layout(nlevels(profiles$parameter)))
  on.exit(graphics::par(before))
  for (own in split(profiles, profiles$parameter)) {
    plot_with(list(x = own$value, y = own$score, log = "x", pch = 16, cex = 0.6, col = "grey60",
                   ylim = profile_range(profiles), xlab = as.character(own$parameter[1]),
                   ylab = "held-out loss"), ...)
    best <- own[own$best, ]
    best <- best[order(best$value), ]
    graphics::lines(best$value, best$score, col = dark_blue, lwd = 2)
    graphics::points(score ~ value, own[own$chosen, ], cex = 2, lwd = 2, col = "firebrick")
  }
}

gg_profiles <- function(x) {
  profiles <- tuning_profiles(x)
  chosen <- profiles[profiles$chosen, ]
  ggplot2::ggplot(profiles, ggplot2::aes(.data$value, .data$score)) +
    ggplot2::geom_point(colour = "grey60", size = 0.8) +
    ggplot2::geom_line(data = profiles[profiles$best, ], colour = dark_blue) +
    ggplot2::geom_errorbar(ggplot2::aes(ymin = .data$score - .data$se,
                                        ymax = .data$score + .data$se),
                           chosen, width = 0.1, colour = "firebrick") +
    ggplot2::geom_point(data = chosen, shape = 1, size = 4, colour = "firebrick", stroke = 1) +
    ggplot2::facet_wrap("parameter", scales = "free_x") +
    ggplot2::scale_x_log10() +
    ggplot2::coord_cartesian(ylim = profile_range(profiles)) +
    ggplot2::labs(x = NULL, y = "held-out loss")
}

# How sure the choice is: an average says which candidates it is of, a choice how many others are as
# good up to one standard error of their difference.
print_certainty <- function(x, digits) {
  shown <- function(values) paste(signif(range(values), digits), collapse = " to ")
  if (!is.null(x$average)) {
    over <- c(if (averages_widths(x)) "sigma", "lambda")
    columns <- lapply(over, function(name) {
      as.matrix(x$average[grepl(paste0("^", name), names(x$average))])
    })
    largest <- which.max(x$average$weight)
    at <- vapply(columns, function(values) shown_numbers(values[largest, ], digits), "")
    cat(sprintf("averaged over: %s, the largest weight %s%% at %s\n",
                paste(over, vapply(columns, shown, ""), collapse = ", "),
                round(100 * x$average$weight[largest]), paste(at, collapse = ", ")))
    return(invisible())
  }
  close <- as_good(x$tuning)
  if (sum(close) < 2) {
    cat("no other candidate is within one standard error of it\n")
    return(invisible())
  }
  names <- varied_parameters(x$tuning)
  ranges <- vapply(x$tuning[close, names, drop = FALSE], shown, "")
  others <- sum(close) - 1
  cat(sprintf("within one standard error of it: %d %s, with %s\n", others,
              if (others == 1) "other" else "others", paste(names, ranges, collapse = ", ")))
}

# The candidates whose score is within one standard error of the chosen one's: that of the
# differences over the splits both are known on, or of the score itself where there are none.
as_good <- function(tuning) {
  chosen <- attr(tuning, "chosen")
  score <- tuning$score
  if (is.null(tuning$by_split)) {
    return(is.finite(score) & score <= score[chosen] + tuning$se[chosen])
  }
  own <- tuning$by_split[[chosen]]
  error <- vapply(tuning$by_split, function(other) {
    both <- seq_len(min(length(own), length(other)))
    stats::sd(other[both] - own[both]) / sqrt(length(both))
  }, 0)
  good <- is.finite(score) & score - score[chosen] <= ifelse(is.na(error), 0, error)
  good[chosen] <- TRUE
  good
}
