# A fitted function is a plain list of class psd_function, all that prediction needs: with
# v_j(x) = k((x - at_j) / width_j) the kernel's sections at its anchors, f(x) is |R' v(x)|^2 (type
# "psd"), w' v(x) ("linear") or exp(w' v(x)) ("exp"). This file evaluates; R/function-integral.R
# integrates, R/function-draw.R draws, and the exponential has its own ways (R/function-exp.R).

# `slopes`, if not NULL, add a linear function of x to w' v(x).
new_function <- function(type, kernel, anchors, coefficients, slopes = NULL) {
  stopifnot(type %in% c("psd", "linear", "exp"), is.matrix(coefficients),
            nrow(coefficients) == nrow(anchors$at))
  structure(c(list(type = type, kernel = kernel, anchors = anchors, coefficients = coefficients),
              if (!is.null(slopes)) list(slopes = slopes)),
            class = c(paste0("function_", type), "psd_function"))
}

# At the rows of x. Several functions with the same kernel at once: one column per function.
values_at <- function(f, x) cpp_evaluate(f, x)

all_values <- function(functions, x) cpp_evaluate_all(functions, x)

# log f, exact also where f is too small for a number; -Inf where f is not positive.
log_values <- function(f, x) UseMethod("log_values")

log_values.default <- function(f, x) cpp_log_evaluate(f, x)

# One row per point, one column per coordinate.
gradient_of <- function(f, x) cpp_gradient(f, x)

# grad f / f, however small f is, with the sign of f where that is negative.
log_gradient <- function(f, x) UseMethod("log_gradient")

log_gradient.default <- function(f, x) cpp_log_gradient(f, x)

# The gradient of the exponent.
log_gradient.function_exp <- function(f, x) gradient_of(exponent_of(f), x)

# log |f|, and the sign of f.
signed_log_values <- function(f, x) UseMethod("signed_log_values")

signed_log_values.default <- function(f, x) list(log = log_values(f, x), sign = rep(1, nrow(x)))

# The logarithm of a linear function cannot tell where it is negative: that of its opposite does.
signed_log_values.function_linear <- function(f, x) {
  out <- signed_log_values.default(f, x)
  negative <- which(out$log == -Inf)
  if (length(negative) == 0) return(out)
  out$log[negative] <- log_values(times(f, -1), x[negative, , drop = FALSE])
  out$sign[negative] <- -1
  out
}

# The rank of A in a PSD function; NA for others.
rank_of <- function(f) if (f$type == "psd") ncol(f$coefficients) else NA_integer_

# A landmark has one anchor per width.
landmarks_of <- function(f) nrow(unique(f$anchors$at))

# A linear function times a number.
times <- function(f, number) {
  f$coefficients <- number * f$coefficients
  f
}

exponent_of <- function(f) new_function("linear", f$kernel, f$anchors, f$coefficients)

# A PSD function plus a constant: one more column in R, on the constant among the anchors.
raised <- function(f, by) {
  if (by == 0) return(f)
  constant <- is.infinite(f$anchors$width[, 1])
  f$coefficients <- cbind(f$coefficients, sqrt(by) * constant, deparse.level = 0)
  f
}

# values %*% t(mixing), one function after the other. Rounding keeps order: where functions are
# non-negative and mixing rises with the output, each partial sum does too, exactly. A BLAS product
# promises no such thing.
mix <- function(values, mixing) {
  out <- matrix(0, nrow(values), nrow(mixing))
  for (block in seq_len(ncol(values))) out <- out + outer(values[, block], mixing[, block])
  out
}

take_anchors <- function(anchors, columns) {
  list(at = anchors$at[, columns, drop = FALSE], width = anchors$width[, columns, drop = FALSE])
}
