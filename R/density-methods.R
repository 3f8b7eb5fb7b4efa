# Looking at a density: print, summary, the accessors, the tidiers; and the data it was fitted to.

#' Look at a density
#'
#' `print()` says what was fitted and how well the problem was solved; `summary()` adds the moments.
#' A fit keeps at most a thousand rows of its data, enough for pictures. With more rows `fitted()`
#' finds them as [update()] does, by evaluating the call of the fit again where it is called, unless
#' `data` is given.
#'
#' @param x,object A [psd_density()].
#' @param digits Significant digits.
#' @param data The data of the fit: what was passed as `x`, or as `data` for a formula.
#' @param newdata For `augment()`: as `data`.
#' @param ... Not used.
#' @return `fitted()`: the density at the observations used. `coef()`: the matrix `R` of
#'   `f(x) = |R' v(x)|^2`, or the vector `w` of `f(x) = w' v(x)` of the models `"pnm"` and `"ncm"`,
#'   one row per landmark, in standardised units. `logLik()`: the log-likelihood,
#'   weights scaled to a mean of one; `df` is `NA`, as the penalty and the choice of `sigma` and
#'   `lambda` leave no agreed number of parameters. `tidy()`: a data frame with one row per
#'   coordinate, its mean, standard deviation (`NA` where the variance of a density with negative
#'   parts is negative; both where one column has no mean, see [psd_moments()]) and support.
#'   `glance()`: a data frame with one row. `augment()`: `data` with the density in `.fitted` and
#'   its logarithm in `.log_density`.
#' @name psd_density-methods
#' @examples
#' fit <- psd_density(faithful, sigma = 0.6, lambda = 1e-2)
#' summary(fit)
#' logLik(fit)
#' tidy(fit)
#' head(augment(fit, faithful))
NULL

#' @rdname psd_density-methods
#' @export
print.psd_density <- function(x, digits = 3, ...) {
  check_dots()
  cat("<psd_density> ", describe_origin(x), paste(x$recipe$columns, collapse = ", "), " (", x$n,
      " observations)\n", sep = "")
  transforms <- vapply(x$units$x$transforms, `[[`, "", "name")
  if (any(transforms != "none")) {
    cat("fitted on another scale: ", paste0(transforms, "(", x$recipe$columns, ")",
                                           collapse = ", "), "\n", sep = "")
  }
  if (is.null(x$origin) && isTRUE(x$recorded > 0)) {
    cat("recorded to ", signif(x$recorded, digits), ": copies of a value are spread around it\n",
        sep = "")
  }
  support <- describe_support(x, digits)
  if (length(support) > 0) cat("support: ", paste(support, collapse = ", "), "\n", sep = "")
  normals <- x$parameters$parametric
  if (is.numeric(normals) && is.null(x$origin)) {
    cat("parametric part: a mixture of ", normals, " normal densities\n", sep = "")
  }
  if (length(x$constraints) > 0 && is.null(x$origin)) {
    cat("constraints: ", paste(x$constraints, collapse = ", "), "\n", sep = "")
  }
  print_certificate(x, digits)
  invisible(x)
}

describe_origin <- function(x) {
  if (is.null(x$origin)) return("density of ")
  if (x$origin$type == "marginal") return("derived: marginal density of ")
  if (x$origin$type == "product") return("derived: product of densities of ")
  paste0("derived: conditional density given ", x$origin$given, " of ")
}

# Of the columns that have one.
describe_support <- function(x, digits) {
  bound <- support_of(x)
  limited <- is.finite(bound$lower) | is.finite(bound$upper)
  sprintf("%s in [%s, %s]", x$recipe$columns, signif(bound$lower, digits),
          signif(bound$upper, digits))[limited]
}

# In the units of the data.
support_of <- function(x) {
  ends <- unscaled(rbind(x$measure$lower, x$measure$upper), x$units$x)
  list(lower = ends[1, ], upper = ends[2, ])
}

#' @rdname psd_density-methods
#' @export
summary.psd_density <- function(object, ...) {
  check_dots()
  moments <- known_moments(object)
  structure(list(fit = object, moments = moments, tidy = column_table(object, moments)),
            class = "summary.psd_density")
}

#' @export
print.summary.psd_density <- function(x, digits = 3, ...) {
  print(x$fit, digits)
  print_choice(x$fit, digits)
  if (!is.na(x$fit$log_likelihood)) {
    cat("log-likelihood: ", format(signif(x$fit$log_likelihood, 6)), "\n", sep = "")
  }
  cat("\n")
  print(x$tidy, digits = digits, row.names = FALSE)
  variances <- diag(x$moments$covariance)
  if (length(variances) > 1 && isTRUE(all(variances > 0 & is.finite(variances)))) {
    cat("\ncorrelation:\n")
    correlation <- correlation_of(x$moments$covariance)
    dimnames(correlation) <- rep(list(x$fit$recipe$columns), 2)
    print(signif(correlation, digits))
  }
  invisible(x)
}

# As cov2cor(), also where a variance is so small that one over it is no number.
correlation_of <- function(covariance) {
  sd <- sqrt(diag(covariance))
  out <- covariance / sd / rep(sd, each = length(sd))
  diag(out) <- 1
  out
}

# What the call of a fit made of its data, as mold().
mold_again <- function(call, data, env) {
  value <- function(argument) eval(call[[argument]], env)
  is_formula <- !is.null(call$data)
  x <- if (is.null(data) || is_formula) value("x") else data
  found <- if (is_formula) data %||% value("data")
  name <- if (is.symbol(call$x)) deparse1(call$x) else "x"
  suppressMessages(
    mold(x, found, weights = rlang::new_quosure(call$weights, env),
         subset = rlang::new_quosure(call$subset, env),
         na.action = value("na.action") %||% stats::na.omit, name = name),
    classes = "psd_missing"
  )
}

#' @rdname psd_density-methods
#' @importFrom stats coef
#' @export
coef.psd_density <- function(object, ...) {
  check_dots()
  object$functions[[1]]$coefficients
}

#' @rdname psd_density-methods
#' @export
tidy.psd_density <- function(x, ...) {
  check_dots()
  column_table(x, known_moments(x))
}

column_table <- function(x, moments) {
  variance <- diag(moments$covariance)
  variance[variance < 0] <- NA
  support <- support_of(x)
  data.frame(column = x$recipe$columns, mean = unname(moments$mean),
             sd = moments$unit * sqrt(variance), lower = support$lower, upper = support$upper,
             row.names = NULL)
}

# NA where they have no closed form, or there is no mean.
known_moments <- function(object) {
  unknown <- function(e) {
    d <- length(object$recipe$columns)
    list(mean = rep(NA_real_, d), covariance = matrix(NA_real_, d, d), unit = rep(1, d))
  }
  tryCatch(scaled_moments(object), psd_no_closed_form = unknown, psd_undefined = unknown)
}
