# Numbers that double precision can compute with: neither too near to each other nor too far away.

# Numbers nearer to each other than this have lost their digits.
smallest_scale <- 1e-290

# Further from the centre than this squares are not finite.
largest_distance <- 1e100

check_scale <- function(x, scale, arg, call) {
  # Beside the median: outliers move the mean.
  constant <- is_constant(scale, apply(x, 2, stats::median))
  if (any(constant)) abort_constant(x, scale, constant, arg, call)
  check_size(x, scale, arg, call)
}

# Whether columns divided by their scales are numbers that one can compute with.
check_size <- function(x, scale, arg, call) {
  small <- scale < smallest_scale
  if (any(small)) {
    abort(c(paste(column_label(x, small), "must have a spread of at least {smallest_scale}, not
                  {.val {signif(scale[small][1], 2)}}, to be standardised."),
            i = "Multiply it by a large number."), call = call)
  }
  far <- apply(abs(x), 2, max) / scale > largest_distance
  if (any(far)) {
    abort(paste(column_label(x, far), "must not have values more than {largest_distance} times as
                large as its spread, {.val {signif(scale[far][1], 2)}}."), call = call)
  }
}

# A response that is not standardised: its square must be a number, and the inverse of that too.
check_unscaled <- function(y, arg, call) {
  size <- max(abs(y))
  if (size > largest_distance || size > 0 && size < 1 / largest_distance) {
    abort(c("The response {.arg {arg}} must be of a size between {1 / largest_distance} and
             {largest_distance} to be fitted as it is, not of {.val {signif(size, 2)}}.",
            i = "Multiply it by a suitable number."), call = call)
  }
}

# Does it vary in less than three of the digits that a number has?
is_constant <- function(scale, center) {
  scale <= 1e3 * .Machine$double.eps * pmax(abs(center), .Machine$double.xmin)
}

# The box of a constraint whose ends (rows) in standardised units are one point, or nearly: an
# integral over it would be lost beside the data's.
check_box_ends <- function(ends, columns, call) {
  near <- ifelse(is.finite(ends[1, ]), ends[1, ], 0)
  lost <- which(is_constant(ends[2, ] - ends[1, ], near))
  if (length(lost) > 0) {
    abort(c("{.arg constraints} must have boxes that are not lost beside the data: as far as column
             {.field {columns[lost[1]]}} goes, {.arg lower} and {.arg upper} are one point.",
            i = "Leave the column out, or give a wider box."), call = call)
  }
}

abort_constant <- function(x, scale, constant, arg, call) {
  label <- column_label(x, constant)
  if (scale[constant][1] > 0) {
    value <- x[1, constant][1]
    abort(c(paste(label, "varies in its last digits only."),
            i = "Subtract a number such as {.val {value}} from it."), call = call)
  }
  abort(c(paste(label, "is constant and cannot be standardised."),
          i = "Drop it, or use {.code standardize = FALSE}."), call = call)
}

# For a message, of the first column concerned.
column_label <- function(x, which) {
  name <- colnames(x)[which][1]
  if (is.null(name)) return("{.arg {arg}}")
  paste0("Column {.field ", gsub("([{}])", "\\1\\1", name), "} of {.arg {arg}}")
}

# The exponential of more than this is no number, or nearly none.
largest_log <- 600

# With columns all of size 1e200, or all of 1e-200, a density is no number any more; where some are
# of the one and some of the other size, those of their own have none.
check_jacobian <- function(t, scaling, call = rlang::caller_env()) {
  each <- column_log_jacobians(t, scaling)
  log_size <- c(rowSums(pmax(each, 0)), rowSums(pmin(each, 0)))
  most <- log_size[which.max(abs(log_size))]
  if (abs(most) > largest_log) abort_density_size(most, call)
}

# The same of the density that was found: without standardising, on a support that is very small.
check_density_size <- function(log_density, call) {
  most <- max(log_density)
  if (isTRUE(most > largest_log)) abort_density_size(most, call)
}

abort_density_size <- function(log_size, call) {
  abort(c("{.arg x} must have columns whose density is a number of double precision, not one of
           size {paste0('1e', round(log_size / log(10)))}.",
          i = "Multiply them by suitable numbers."), call = call)
}

# Kernels so wide that what they cover, transformed back, is no number; or that even the narrowest
# covers what cannot be told from a bound.
check_invertible <- function(anchors, scaling, call) {
  if (is.null(scaling$transforms)) return(invisible())
  width <- ifelse(is.finite(anchors$width), anchors$width, 0)
  ends <- rbind(anchors$at + 5 * width, anchors$at - 5 * width)
  ends <- unstandardized(ends, scaling)
  narrowest <- rep(apply(width, 2, min), each = nrow(width))
  inner <- rbind(anchors$at + narrowest, anchors$at - narrowest)
  inner <- standardized(unstandardized(inner, scaling), scaling)
  wide <- colSums(!is.finite(rbind(ends, inner))) > 0
  if (any(wide)) {
    abort("{.arg sigma} must be smaller where {.arg transform} is
           {.val {scaling$transforms[[which(wide)[1]]]$name}}: a kernel that wide covers more than
           all numbers there are.", call = call)
  }
}

# The same of the density that was found, which may hardly use its narrow kernels: not more than a
# thousandth of it may lie so near to a bound of the support that no number is there.
check_off_bounds <- function(solution, measure, support, scaling, call) {
  if (is.null(scaling$transforms)) return(invisible())
  gap <- function(bound) ifelse(is.finite(bound), pmax(.Machine$double.eps * abs(bound), 5e-324), 0)
  ends <- rbind(support$lower + gap(support$lower), support$upper - gap(support$upper))
  ends <- standardized(ends, scaling)
  share <- function(lower, upper) {
    box_integrals(solution$functions[[1]], measure, rbind(lower), rbind(upper), solution$log_scale)
  }
  lost <- 1 - share(ends[1, ], ends[2, ]) / share(measure$lower, measure$upper)
  if (isTRUE(lost > 1e-3)) {
    names <- unique(vapply(scaling$transforms, `[[`, "", "name"))
    abort("{.arg sigma} must be smaller where {.arg transform} is {.val {names}}: a share of
           {signif(lost, 1)} of the density cannot be told from a bound.", call = call)
  }
}

# Integrals need the kernel at points beside the data: nearer than the numbers of double precision
# there are none.
check_resolved <- function(problem, sigma, call) {
  if (is.null(problem$measure)) return(invisible())
  largest <- max(abs(problem$x))
  width <- min(sigma * (several_widths(problem) %||% 1))
  if (width < 10 * .Machine$double.eps * largest) {
    abort(c("{.arg sigma} must be at least {.val {signif(10 * .Machine$double.eps * largest, 2)}},
             the distance between numbers at the largest value, not {.val {signif(width, 2)}}.",
            i = "Look for outliers, or standardise the columns."), call = call)
  }
}

# Where the base measure has no mass that is a number, nothing can be integrated.
check_near_base <- function(x, measure, call = rlang::caller_env()) {
  distance <- apply(abs(sweep(x, 2, measure$mean)), 2, max) / measure$sd
  far <- which(distance > farthest_base)[1]
  if (!is.na(far)) {
    abort("{.arg base} must be near the data: its standard deviation must be at least 1 /
           {farthest_base} of the distance to its mean; {.field {colnames(x)[far]}} lies
           {.val {signif(distance[far], 2)}} standard deviations away.", call = call)
  }
}

farthest_base <- 30

# In a window of size 1e-300 the intensity would be no number.
check_window <- function(window, call = rlang::caller_env()) {
  log_size <- sum(log(window$upper - window$lower))
  if (abs(log_size) > largest_log) {
    size <- paste0("1e", round(log_size / log(10)))
    abort("{.arg lower} and {.arg upper} must be a window in which an intensity is a number of
           double precision, not one of size {size}.", call = call)
  }
}

# With columns all of size 1e-200 what an integral is compared with is no number in their units.
check_integral_size <- function(value, log_unit, call) {
  log_size <- log(abs(value)) - log_unit
  if (is.finite(log_size) && abs(log_size) > largest_log) {
    abort(c("{.arg value} of {.fn psd_integral} must be a number in the units of the data, not one
             of size {paste0('1e', round(log_size / log(10)))}.",
            i = "Multiply the columns by suitable numbers."), call = call)
  }
}
