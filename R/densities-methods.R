# Densities of groups: tables and pictures.

# What `table()` gives for each fit, one below the other.
by_group <- function(x, table) {
  tables <- lapply(names(x), function(name) {
    own <- table(x[[name]])
    cbind(group = rep(name, nrow(own)), own)
  })
  out <- do.call(rbind, tables)
  out$group <- factor(out$group, levels = names(x))
  out
}

#' @rdname psd_densities
#' @export
tidy.psd_densities <- function(x, ...) {
  check_dots()
  by_group(x, tidy)
}

#' @rdname psd_densities
#' @export
glance.psd_densities <- function(x, ...) {
  check_dots()
  by_group(x, glance)
}

#' @rdname psd_densities
#' @export
mean.psd_densities <- function(x, ...) {
  check_dots()
  simplified(lapply(x, mean))
}

#' @rdname psd_densities
#' @param na.rm Not used.
#' @export
median.psd_densities <- function(x, na.rm = FALSE, ...) {
  check_dots()
  simplified(lapply(x, stats::median))
}

#' @rdname psd_densities
#' @export
quantile.psd_densities <- function(x, probs = c(0.25, 0.5, 0.75), ...) {
  check_dots()
  simplified(lapply(x, stats::quantile, probs))
}

# One row per group, or a vector if there is one number each.
simplified <- function(each) {
  if (all(lengths(each) == 1)) stats::setNames(unlist(each), names(each)) else do.call(rbind, each)
}

#' @importFrom stats nobs
#' @export
nobs.psd_densities <- function(object, ...) {
  check_dots()
  sum(group_sizes(object))
}

#' @rdname psd_densities
#' @export
summary.psd_densities <- function(object, ...) {
  check_dots()
  structure(lapply(object, summary), class = "summary.psd_densities")
}

#' @export
print.summary.psd_densities <- function(x, digits = 3, ...) {
  for (name in names(x)) {
    cat("-- ", name, "\n", sep = "")
    print(x[[name]], digits = digits)
    cat("\n")
  }
  invisible(x)
}

#' @importFrom stats getCall
#' @export
getCall.psd_densities <- function(x, ...) attr(x, "call")

#' @rdname psd_densities
#' @export
autoplot.psd_densities <- function(object, probs = c(0.5, 0.95), rug = TRUE, points = TRUE,
                                   n = NULL, ...) {
  check_dots()
  probs <- sort(check_numbers(probs, above = 0, below = 1))
  columns <- object[[1]]$recipe$columns
  if (length(columns) > 2) {
    abort(c("The densities of groups can be drawn of one or two variables, not of
             {length(columns)}.",
            i = "Draw a single one, {.code autoplot(fits[[\"{names(object)[1]}\"]])}, or fit to one
                 or two of the variables."))
  }
  if (length(columns) == 1) group_curves(object, rug, check_count(n %||% 512, min = 2))
  else group_regions(object, probs, points, check_count(n %||% 101, min = 2))
}

#' @rdname psd_densities
#' @export
plot.psd_densities <- function(x, ...) {
  print(autoplot(x, ...))
  invisible(x)
}

# All curves over the range of all.
group_curves <- function(object, rug, n) {
  range <- range(vapply(object, plot_range, numeric(2)))
  at <- seq(range[1], range[2], length.out = n)
  curves <- by_group(object, function(fit) {
    data.frame(x = at, density = density_at(fit, matrix(at)))
  })
  out <- ggplot2::ggplot(curves, ggplot2::aes(.data$x, .data$density, colour = .data$group))
  if (rug) {
    out <- out + ggplot2::geom_rug(ggplot2::aes(.data$x, colour = .data$group),
                                   data = group_sample(object), inherit.aes = FALSE, alpha = 0.4)
  }
  recipe <- object[[1]]$recipe
  out + ggplot2::geom_line(linewidth = 0.9) +
    date_scale(recipe, recipe$columns, ggplot2::scale_x_continuous) +
    ggplot2::labs(x = recipe$columns, y = "density", colour = attr(object, "group"))
}

# The rows that the fits keep, as columns x, y.
group_sample <- function(object) {
  by_group(object, function(fit) {
    out <- as.data.frame(fit$sample)
    stats::setNames(out, c("x", "y")[seq_along(out)])
  })
}

# The borders of the regions of each group, on the scale of surface_frame().
group_regions <- function(object, probs, points, n) {
  frames <- by_group(object, function(fit) surface_frame(drawn_surface(fit, probs, n)))
  out <- ggplot2::ggplot(frames, ggplot2::aes(.data$x, .data$y, colour = .data$group))
  if (points) out <- out + ggplot2::geom_point(data = group_sample(object), size = 0.8, alpha = 0.5)
  recipe <- object[[1]]$recipe
  out + lapply(names(object), function(name) {
    ggplot2::geom_contour(ggplot2::aes(z = .data$region), breaks = seq_along(probs),
                          data = frames[frames$group == name, ])
  }) +
    date_scale(recipe, recipe$columns[1], ggplot2::scale_x_continuous) +
    date_scale(recipe, recipe$columns[2], ggplot2::scale_y_continuous) +
    ggplot2::labs(x = recipe$columns[1], y = recipe$columns[2], colour = attr(object, "group"),
                  caption = paste0("lines hold ", paste0(100 * probs, "%", collapse = ", "),
                                   " of their group"))
}

# What is asked of each: the defaults would answer NULL, or nonsense.
refused_of_groups <- function(verb) {
  force(verb)
  function(object, ...) {
    abort_undefined(verb, object,
                    paste0("Ask each density, as in {.code lapply(fits, ", verb, ")}."))
  }
}

#' @export
coef.psd_densities <- refused_of_groups("coef")

#' @export
fitted.psd_densities <- refused_of_groups("fitted")

#' @export
residuals.psd_densities <- refused_of_groups("residuals")

#' @export
logLik.psd_densities <- refused_of_groups("logLik")

#' @export
simulate.psd_densities <- refused_of_groups("simulate")

#' @export
as.function.psd_densities <- function(x, ...) refused_of_groups("as.function")(x)
