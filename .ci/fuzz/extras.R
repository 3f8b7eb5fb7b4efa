# Arguments and verbs that are drawn after everything else of a case, so that its data and the rest
# of its call stay what they were.

# The call with some of the arguments that it does not have yet; those of `sigma` in its place.
with_extras <- function(call, data, d) {
  fun <- as.character(call[[1]])
  extras <- c(switch(fun, psd_density = density_extras(d), psd_quantreg = quantreg_extras(),
                     psd_intensity = intensity_extras(), psd_regression = regression_extras(d)),
              if (chance(0.15)) list(control = random_bins()))
  extras <- extras[setdiff(names(extras), names(call))]
  if (chance(0.15)) extras$sigma <- random_widths(nrow(data) * max(d, 1) <= 60)
  for (name in names(extras)) call[[name]] <- extras[[name]]
  call
}

# Several widths; where there are few data also a search.
random_widths <- function(few) {
  widths <- list(quote(psd_widths()), quote(psd_widths(c(1, 0.1), power = 0)),
                 quote(psd_widths(0.5)), quote(psd_widths(10^c(-4, 0, 4))),
                 quote(psd_widths(c(3, 0.3), power = 8)), quote(psd_widths(-1)))
  if (few) widths <- c(widths, "search")
  widths[[sample.int(length(widths), 1)]]
}

random_bins <- function() {
  one_of(quote(psd_control(bin_from = 1)), quote(psd_control(bin_from = 5)),
         quote(psd_control(bin_from = 20)), quote(psd_control(bin_from = 20, max_rank = 3)))
}

density_extras <- function(d) {
  names <- c("none", "asinh", "log", "softplus", "logit", "probit")
  c(if (chance(0.35)) list(shape = one_of("round", "axes", "axes", "full", "full", "oval")),
    if (chance(0.15)) list(transform = one_of("auto", "none", "asinh", "log",
                                              sample(names, max(d, 1), replace = TRUE))),
    if (chance(0.2)) list(parametric = one_of(TRUE, FALSE, NA)))
}

quantreg_extras <- function() {
  c(if (chance(0.2)) list(parametric = one_of(TRUE, FALSE)),
    if (chance(0.1)) list(lower = one_of(0, -1e3, -1e200)),
    if (chance(0.1)) list(upper = one_of(0, 1e3)))
}

intensity_extras <- function() {
  c(if (chance(0.2)) list(total = one_of("observed", "shrunk")),
    if (chance(0.2)) list(exposure = power_of_ten(-3, 3)))
}

regression_extras <- function(d) {
  c(if (chance(0.1)) list(exposure = one_of(2, quote(w))),
    if (chance(0.1)) list(constraints = quote(psd_integral(1, lower = -1, upper = 1))))
}

# Which of the dearer verbs to try (.ci/fuzz/verbs.R).
random_verbs <- function() {
  shares <- c(regions = 0.3, modes = 0.3, product = 0.3, boot = 0.2, conformal = 0.3,
              distribution = 0.3, verify = 0.3, cv = 0.1, rest = 0.3)
  names(shares)[stats::runif(length(shares)) < shares]
}
