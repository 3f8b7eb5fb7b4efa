#' Bands of predictions
#'
#' @param object A [psd_boot()].
#' @param newdata,... As for `predict()` of the fit, such as `type`.
#' @param level Probability of the bands.
#' @param band `"pointwise"`: between quantiles of the replicates, each prediction for itself;
#'   `"simultaneous"`: all predictions of a column at once, the estimate plus and minus a multiple
#'   of the standard error, the same for all of `newdata`, within which the share `level` of the
#'   replicates stays throughout; cut off at zero where no prediction is below.
#' @return A data frame with one row per prediction: its `row` in `newdata`, its `column` if the
#'   prediction is a matrix, the `estimate` of the fit, the standard error `se` and the band, from
#'   `lower` to `upper`.
#' @export
#' @examples
#' fit <- psd_quantreg(dist ~ speed, cars, tau = c(0.1, 0.5, 0.9), sigma = 1, lambda = 1e-3)
#' boot <- psd_boot(fit, R = 50, seed = 1)
#' predict(boot, data.frame(speed = 10), level = 0.9)
predict.psd_boot <- function(object, newdata = NULL, level = 0.95,
                             band = c("pointwise", "simultaneous"), ...) {
  level <- check_number(level, above = 0, below = 1)
  band <- check_choice(band, c("pointwise", "simultaneous"))
  if (is.null(newdata) && is.null(object$fit$x)) {
    abort("{.arg newdata} must be given: a density does not keep its data.")
  }
  estimate <- as.matrix(predict(object$fit, newdata, ...))
  values <- replicated(object, newdata, dim(estimate), ...)
  out <- data.frame(row = rep(seq_len(nrow(estimate)), ncol(estimate)))
  if (!is.null(colnames(estimate))) out$column <- rep(colnames(estimate), each = nrow(estimate))
  out$estimate <- as.vector(estimate)
  out$se <- as.vector(apply(values, 1:2, sd_of_any_size))
  if (band == "pointwise") {
    for (end in 1:2) {
      share <- c((1 - level) / 2, (1 + level) / 2)[end]
      out[[c("lower", "upper")[end]]] <-
        as.vector(apply(values, 1:2, stats::quantile, share, names = FALSE, na.rm = TRUE))
    }
    return(out)
  }
  reach <- rep(band_reach(values, estimate, level), each = nrow(estimate))
  out$lower <- pmax(out$estimate - reach * out$se, least_prediction(object$fit, list(...)$type))
  out$upper <- out$estimate + reach * out$se
  out
}

# What no prediction of this type is below: bands that go on there say nothing more.
least_prediction <- function(fit, type = NULL) {
  positive <- switch(fit$problem,
    density = , intensity = !model_of(fit)$signed && (is.null(type) || type %in% positive_types),
    hetero = isTRUE(type %in% c("sd", "variance")),
    quantreg = isTRUE(type %in% c("gap", "cdf")),
    FALSE
  )
  if (positive) 0 else -Inf
}

positive_types <- c("density", "intensity", "response", "cdf")

# The predictions of the replicates: rows, columns, replicates. The user's own prediction has warned
# where newdata leave the range of the data.
replicated <- function(object, newdata, size, ...) {
  values <- suppressWarnings(
    vapply(object$replicates, function(replicate) {
      fit <- object$fit
      fit$functions <- replicate$functions
      fit$log_scale <- replicate$log_scale
      fit$pilot <- replicate$pilot
      as.matrix(predict(fit, newdata, ...))
    }, matrix(0, size[1], size[2])),
    classes = "psd_extrapolation"
  )
  array(values, c(size, length(object$replicates))) # of a single number vapply() drops it
}

# Whose squares may be no numbers.
sd_of_any_size <- function(x) {
  if (!all(is.finite(x))) return(stats::sd(x))
  size <- binary_size(x)
  size * stats::sd(x / size)
}

# For each column the multiple of the standard error that the largest deviation of a replicate
# exceeds with probability 1 - level.
band_reach <- function(values, estimate, level) {
  apply_column <- function(column) {
    value <- matrix(values[, column, ], dim(values)[1])
    se <- apply(value, 1, sd_of_any_size)
    deviation <- abs(value - estimate[, column]) / ifelse(se > 0, se, Inf)
    stats::quantile(apply(deviation, 2, max, na.rm = TRUE), level, names = FALSE)
  }
  vapply(seq_len(ncol(estimate)), apply_column, 0)
}

# What autoplot(bands =) draws: the curve of a fit of one variable with its bands, over the data.
autoplot_bands <- function(fit, bands, call = rlang::caller_env()) {
  if (!inherits(bands, "psd_boot")) {
    abort("{.arg bands} must be made by {.fn psd_boot}, not {.obj_type_friendly {bands}}.",
          call = call)
  }
  columns <- fit$recipe$columns
  variables <- if (fit$recipe$type == "formula") all.vars(fit$recipe$terms) else columns
  if (length(columns) > 1 || length(variables) > 1) {
    abort("{.arg bands} are drawn for fits of one variable, not of {length(columns)}; use
           {.code predict(bands, newdata)}.", call = call)
  }
  at <- seq(fit$range[1], fit$range[2], length.out = 200)
  newdata <- stats::setNames(data.frame(at), variables)
  drawn <- lapply(c("simultaneous", "pointwise"), function(band) {
    cbind(predict(bands, newdata, band = band), band = band)
  })
  frame <- do.call(rbind, drawn)
  frame$at <- at[frame$row]
  gg_bands(fit, frame)
}

gg_bands <- function(fit, frame) {
  frame$group <- frame$column %||% "fit"
  frame$band <- factor(frame$band, c("simultaneous", "pointwise"))
  ribbon <- ggplot2::aes(ymin = .data$lower, ymax = .data$upper, fill = .data$band,
                         group = interaction(.data$group, .data$band))
  out <- ggplot2::ggplot(frame, ggplot2::aes(.data$at, .data$estimate, group = .data$group)) +
    ggplot2::geom_ribbon(ribbon, alpha = 0.5)
  if (!is.null(fit$y)) {
    points <- data.frame(at = fit$x[, 1], y = as.vector(fit$y))
    out <- out + ggplot2::geom_point(ggplot2::aes(.data$at, .data$y), points, colour = "grey30",
                                     size = 0.8, inherit.aes = FALSE)
  }
  out + ggplot2::geom_line(colour = dark_blue) +
    ggplot2::scale_fill_manual(values = c(simultaneous = "#C6DBEF", pointwise = "#6BAED6")) +
    ggplot2::labs(x = fit$recipe$columns, y = fit$recipe$response %||% fit$problem,
                  fill = "95% band")
}
