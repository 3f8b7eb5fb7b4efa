# Draws from the distribution that a function times a measure is proportional to, and inverses of
# its distribution functions, one coordinate at a time.

# n rows, in many dimensions by rejection where that keeps enough (R/function-reject.R).
draw_from <- function(f, measure, n) {
  bound <- if (has_square(f)) rejection_bound(squared_form(f), measure)
  if (!is.null(bound)) return(draw_by_rejection(bound, measure, n))
  d <- length(measure$lower)
  inverse_of(f, measure, matrix(stats::runif(n * d), ncol = d, byrow = TRUE))
}

# Rows of uniforms to points: each coordinate by inverting its distribution function given those
# before it.
inverse_of <- function(f, measure, u) UseMethod("inverse_of")

inverse_of.function_linear <- function(f, measure, u) {
  if (!can_invert(f)) {
    abort(c("A mixture of kernels with {.code kernel = \"{f$kernel}\"} cannot be drawn from or
             inverted.",
            i = "Use {.code kernel = \"gaussian\"} or {.code model = \"psd\"}."), call = NULL)
  }
  inverse_of(squared_form(f), measure, u)
}

inverse_of.function_psd <- function(f, measure, u) {
  d <- ncol(u)
  factors <- lapply(seq_len(d), function(k) {
    if (k == d) return(f$coefficients)
    later <- section_integrals(f, measure, seq(k + 1, d))
    psd_root(tcrossprod(f$coefficients) * later$value, summands(f$coefficients))
  })
  cpp_draw(f$kernel, f$anchors, factors, measure, u)
}

# The share of the mass on the line below each t.
share_below <- function(f, measure, t) cpp_distribution(squared_form(f), measure, t)

# Whether f can be written as |R' v|^2.
has_square <- function(f) {
  f$type == "psd" || f$type == "linear" && !is.na(kernel_traits(f$kernel)$root)
}

can_invert <- function(f) f$type != "linear" || has_square(f)

# A mixture of sections as |R' v|^2: a section is the square of one that is wider, so that the
# mixture is a PSD function with a diagonal factor.
squared_form <- function(f) {
  if (f$type == "psd") return(f)
  anchors <- f$anchors
  anchors$width <- anchors$width * kernel_traits(f$kernel)$root
  new_function("psd", f$kernel, anchors, diag(sqrt(f$coefficients[, 1]), nrow(f$coefficients)))
}
