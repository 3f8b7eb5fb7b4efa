# The product of two densities of one variable, kept as such where it has no closed form: a function
# of f's units, f itself times the density g. Its integrals are those of an exponential, by
# quadrature (R/function-exp.R).

new_product <- function(f, g, call = rlang::caller_env()) {
  one <- f$functions[[1]]
  other <- g$functions[[1]]
  kept <- has_place(other$anchors, g$units$x, f)
  other$anchors <- anchors_along(lapply(other$anchors, function(a) a[kept, , drop = FALSE]),
                                 g$units$x, f$units$x)
  check_near_scales(other$anchors, call)
  factor <- structure(g[c("recipe", "functions", "units", "measure", "log_scale", "model")],
                      class = class(g))
  structure(list(type = "product", kernel = one$kernel,
                 anchors = Map(rbind, one$anchors, other$anchors), one = one, units = f$units,
                 other = factor,
                 reach = rbind(reach_of(one), if (all(kept)) reach_of(other) else c(-Inf, Inf)),
                 kinks = c(kinks_of(one), kinks_of(other))),
            class = c("function_product", "psd_function"))
}

# Which sections of g have a place in f's units? On the scale of a logarithm those that go beyond
# the support of f have none, but are smooth there; what they say inside is g's all the same.
has_place <- function(anchors, from, f) {
  if (is.null(f$units$x$transforms)) return(rep(TRUE, nrow(anchors$at)))
  support <- support_of(f)
  finite <- ifelse(is.finite(anchors$width), anchors$width, 1)
  at <- function(t) unstandardized(t, from)
  drop(at(anchors$at - finite) > support$lower & at(anchors$at + finite) < support$upper)
}

# The anchors of a function in other units, which may be on another scale.
anchors_along <- function(anchors, from, to) {
  moved <- function(t) standardized(unstandardized(t, from), to)
  finite <- ifelse(is.finite(anchors$width), anchors$width, 1)
  width <- (moved(anchors$at + finite) - moved(anchors$at - finite)) / 2
  list(at = moved(anchors$at), width = ifelse(is.finite(anchors$width), width, Inf))
}

# Numbers in the units of f must tell the sections of g apart.
check_near_scales <- function(anchors, call) {
  spacing <- 1e3 * .Machine$double.eps * max(abs(anchors$at), 0)
  if (!all(is.finite(anchors$at)) || any(is.na(anchors$width) | anchors$width <= spacing)) {
    abort(c("{.arg f} and {.arg g} must be densities of variables on scales that are nearer to each
             other.", i = "In the units of {.arg f} what {.arg g} resolves is lost in rounding."),
          call = call)
  }
}

# Where a function of one variable is not zero up to rounding. An exponential is one far from its
# sections.
reach_of <- function(f) {
  if (f$type == "product") return(c(max(f$reach[, 1]), min(f$reach[, 2])))
  if (f$type == "exp") return(c(-Inf, Inf))
  widths <- kernel_reach(f$kernel)
  c(min(f$anchors$at - widths * f$anchors$width), max(f$anchors$at + widths * f$anchors$width))
}

# Where it is not smooth.
kinks_of <- function(f) {
  if (f$type == "product") return(f$kinks)
  if (!kernel_traits(f$kernel)$smooth) as.vector(f$anchors$at)
}

# Edges of cells on which it is a polynomial up to rounding.
cells_of <- function(f, measure) {
  reach <- reach_of(f)
  base <- measure$mean + if (is.finite(measure$sd)) c(-9, 9) * measure$sd else c(-Inf, Inf)
  low <- max(measure$lower, reach[1], base[1])
  high <- min(measure$upper, reach[2], base[2])
  if (is.infinite(low) || is.infinite(high)) {
    abort("A density without tails has no integral.", call = NULL)
  }
  anchors <- lapply(f$anchors, rbind, matrix(measure$sd))
  anchors$at[nrow(anchors$at), 1] <- measure$mean
  edges <- resolved_grid(low, high, anchors, step = 0.5, reach = 9, least = 20, most = 20000)
  kinks <- kinks_of(f)
  sort(unique(c(edges, kinks[kinks > low & kinks < high])))
}

# Points of f's units in those of g.
in_other_units <- function(f, t) standardized(unstandardized(t, f$units$x), f$other$units$x)

log_values.function_product <- function(f, x) {
  log_values(f$one, x) + log_density_of(f$other, in_other_units(f, x))
}

log_gradient.function_product <- function(f, x) {
  t <- in_other_units(f, x)
  slope <- f$units$x$scale / slope_at(x[, 1], f$units$x, 1)$slope
  log_gradient(f$one, x) + gradient_at(f$other, t) / density_of(f$other, t) * slope
}

line_edges.function_product <- function(f, measure) cells_of(f, measure)

log_integral.function_product <- function(f, measure) {
  line <- line_integrals(f, measure, 0)
  log(line$until[length(line$until)])
}

box_integrals.function_product <- box_integrals.function_exp

moments_of.function_product <- moments_of.function_exp

inverse_of.function_product <- inverse_of.function_exp

form_of.function_product <- form_of.function_exp

transformed_moments.function_product <- function(f, object, values) {
  line <- line_integrals(f, object$measure, object$log_scale)
  moment <- function(power) {
    sum(cell_integral(function(t) values(t, 1)^power * line$density(t),
                      line$edges[-length(line$edges)], line$edges[-1])) /
      line$until[length(line$until)]
  }
  list(mean = moment(1), second = matrix(moment(2)))
}

transformed_moments.function_exp <- transformed_moments.function_product
