# A fit is a plain list of class c("psd_<problem>", "psd_fit"), with the same fields for all
# problems: it can be saved, and prediction needs nothing else.
#
# * `call`; `problem` and `model`, their names; `recipe`, for newdata; `n` observations used.
# * `units`: list(x =, y =), each with `center` and `scale`, x perhaps with `transforms` and `turn`:
#   from the data to what the solver saw.
# * `range`: of the data, one column per variable.
# * `x`, `y`, `weights`: the data as numbers; NULL in a density, which keeps a `sample` of x only.
#   `variables`: those of the formula, where they are not the columns of `x`.
# * `functions`, `mixing`: the outputs are mixing times the functions; times exp(`log_scale`) if
#   there is a `measure`, that of the density or intensity in standardised units.
# * `parameters`: sigma, lambda, ridge and the settings; `tuning`, the candidates tried.
# * `objective`, `gap`, `iterations`, `status`, `converged`, `seconds`, `rank`, `landmarks`,
#   `trace`: what the solver said.
# * `solved`: what psd_verify() needs besides: see solved_fields(). `binning`: if the rows were
#   binned, how: see solve_rows().
# * `far`: the simple model of a regression, for rows far from the data: see far_model().
# * `details` of the problem, as fields of their own: see the fitting function.
new_psd_fit <- function(problem, molded, units, settings, chosen, solution, matched, details,
                        keep) {
  told <- c("objective", "gap", "iterations", "status", "converged", "seconds", "rank", "trace",
            "average")
  named <- intersect(c("standardize", "constant", "kernel", "parametric", "shape", "transform",
                       "pilot"),
                     names(settings))
  structure(
    c(
      list(call = matched, problem = problem$name, model = problem$model$name,
           recipe = molded$recipe, n = nrow(molded$x), units = units,
           range = apply(molded$x, 2, range), functions = solution$functions,
           mixing = problem$mixing, log_scale = solution$log_scale, measure = problem$measure),
      if (keep) c(molded[c("x", "y", "weights")], list(variables = kept_variables(molded)))
      else list(sample = even_rows(molded$x)),
      list(parameters = c(chosen[c("sigma", "lambda", "ridge")], settings[named],
                          list(penalty = problem$penalty, widths = several_widths(problem))),
           tuning = chosen$tuning,
           landmarks = max(vapply(solution$functions, landmarks_of, 0L))),
      solution[intersect(told, names(solution))],
      details
    ),
    class = c(paste0("psd_", problem$name), "psd_fit")
  )
}

# All rows, or a thousand at even distances, so that the size of a density does not grow with the
# data.
even_rows <- function(x, most = 1000) {
  if (nrow(x) <= most) return(x)
  x[round(seq(1, nrow(x), length.out = most)), , drop = FALSE]
}

#' @importFrom stats nobs
#' @export
nobs.psd_fit <- function(object, ...) {
  check_dots()
  object$n
}

#' @rdname psd_regression-methods
#' @importFrom stats coef
#' @export
coef.psd_fit <- function(object, ...) {
  check_dots()
  lapply(object$functions, `[[`, "coefficients")
}

# The likelihood of a density is that of x, of a heteroscedastic regression that of y.
#' @importFrom stats logLik
#' @export
logLik.psd_fit <- function(object, ...) {
  check_dots()
  if (is.null(object$log_likelihood)) {
    abort_undefined("logLik", object, "Its loss is no likelihood; {.fn glance} has the objective.")
  }
  structure(object$log_likelihood, df = NA_real_, nobs = object$n, class = "logLik")
}

#' A fit as a function
#'
#' What [predict()] gives, as a function of its `newdata`: for [integrate()],
#' [ggplot2::geom_function()], [optimize()] or the argument `truth` of a plot. Of a fit with one
#' variable it takes a vector of its values.
#'
#' @param x A fit by any function of this package; densities have a
#'   [page of their own][as.function.psd_density].
#' @param ... Further arguments of `predict()`, such as `type` or `tau`.
#' @return A function of one argument, which gives a vector where there is one number per point.
#' @export
#' @examples
#' fit <- psd_hetero(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' sd <- as.function(fit, type = "sd")
#' sd(c(10, 20))
#' integrate(as.function(fit), 10, 20)
as.function.psd_fit <- function(x, ...) {
  force(x)
  function(newdata) {
    out <- predict(x, newdata, ...)
    if (is.matrix(out)) simplify_columns(out) else out
  }
}

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics augment
#' @export
generics::augment

#' @importFrom ggplot2 autoplot
#' @export
ggplot2::autoplot

#' @export
glance.psd_fit <- function(x, ...) {
  check_dots()
  data.frame(model = x$problem, kind = x$model, n = x$n, rank = largest_rank(x),
             landmarks = x$landmarks,
             sigma = of_part(x$parameters$sigma, "psd"),
             lambda = of_part(x$parameters$lambda, "psd"),
             ridge = if (model_of(x)$ridge) x$parameters$ridge else NA_real_,
             objective = x$objective, gap = x$gap,
             iterations = x$iterations, status = x$status, converged = x$converged,
             seconds = x$seconds)
}

# Of a fit with two parts: the width and the penalty of each.
glance_parts <- function(x) {
  parts <- x$parameters
  data.frame(sigma_linear = parts$sigma[["linear"]], sigma_psd = parts$sigma[["psd"]],
             lambda_linear = parts$lambda[["linear"]], lambda_psd = parts$lambda[["psd"]])
}

# NA for a fit without a PSD block.
largest_rank <- function(x) if (all(is.na(x$rank))) NA_integer_ else max(x$rank, na.rm = TRUE)

# The lines every print() shares.
print_certificate <- function(x, digits) {
  model <- model_of(x)
  ranks <- if (!all(is.na(x$rank))) paste(", rank", paste(stats::na.omit(x$rank), collapse = ", "))
  if (model$name != "psd") cat("model: ", model$label, "\n", sep = "")
  ridge <- if (model$ridge) paste0(", ridge ", signif(x$parameters$ridge, digits))
  cat(sprintf("%d landmarks%s; %s, %s%s\n", x$landmarks, ranks %||% "", shown_width(x, digits),
              shown_penalty(x, digits), ridge %||% ""))
  cat(sprintf("%s after %d iterations: objective %s, %s\n", x$status, x$iterations,
              format(signif(x$objective, 6)), certificate(x)))
  if (!is.null(x$binning)) {
    cat(sprintf("binned to %d rows, which changes their mean loss by %s\n", x$binning$rows,
                signif(x$binning$error, 2)))
  }
}

shown_width <- function(x, digits) {
  widths <- x$parameters$widths
  if (is.null(widths)) {
    return(paste0(if (averages_widths(x)) sprintf("average of %d fits around ", nrow(x$average)),
                  "sigma ", shown_numbers(x$parameters$sigma, digits)))
  }
  sprintf("%d widths from %s to %s", length(widths), signif(max(widths), digits),
          signif(min(widths), digits))
}

shown_penalty <- function(x, digits) {
  leading <- paste("lambda", shown_numbers(x$parameters$lambda, digits))
  if (is.null(x$average) || averages_widths(x)) return(leading)
  sprintf("average of %d penalties around %s", nrow(x$average), leading)
}

# Is the fit an average over several widths of the kernel?
averages_widths <- function(x) {
  widths <- x$average[grepl("^sigma", names(x$average))]
  any(vapply(widths, function(w) length(unique(w)) > 1, NA))
}

shown_numbers <- function(x, digits) paste(signif(unlist(x), digits), collapse = ", ")

# A gap below zero is all rounding, and tells the size of it; less than that of the objective itself
# is not known.
shown_gap <- function(x) max(abs(x$gap), .Machine$double.eps * max(1, abs(x$objective)))

certificate <- function(x) {
  if (is.na(x$gap)) return("the best of several starts; no certificate, as it is not convex")
  paste0(if (!is.null(x$average)) "each ", "within ", signif(shown_gap(x), 2), " of ",
         if (is.null(x$average)) "the" else "its own", " global optimum",
         if (!model_of(x)$certified) " for the points drawn",
         if (!is.null(x$binning)) " of the bins")
}
