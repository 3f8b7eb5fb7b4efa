# A fit is a plain list of class c("psd_<model>", "psd_fit"): the recipe for newdata, the fitted
# functions, and what the solver said. Its size depends on the landmarks, not on the data.

# `model` is the problem ("density"), `kind` what its functions are made of (see R/model.R).
new_psd_fit <- function(model, call, recipe, n, parameters, solution, ..., kind = "psd",
                        tuning = NULL) {
  stopifnot(is.character(model), is.list(recipe), is.list(parameters), is.list(solution))
  landmarks <- vapply(solution$functions, function(f) nrow(f$anchors$at), 0L)
  structure(
    list(call = call, model = model, kind = kind, recipe = recipe, n = n, ...,
         parameters = parameters,
         functions = solution$functions, landmarks = max(landmarks), rank = solution$rank,
         objective = solution$objective %||% solution$primal_value, gap = solution$gap,
         iterations = solution$iterations, status = solution$status,
         converged = solution$converged, seconds = solution$seconds, trace = solution$trace,
         tuning = tuning),
    class = c(paste0("psd_", model), "psd_fit")
  )
}

# One classed warning with what was reached and what to do.
warn_unless_converged <- function(solution, control, call = rlang::caller_env()) {
  if (solution$converged) return(invisible(solution))
  reached <- if (is.na(solution$gap)) "before its gradient was small" else
    "with gap {signif(solution$gap, 2)}, above the tolerance {control$tol}"
  solver <- solution$solver %||% control$solver
  remedy <- if (solution$status == "stalled") {
    "It makes no further progress, as a rule because of rounding; a larger {.arg lambda}, {.arg ridge}
     or {.arg tol} in {.fn psd_control} is the remedy."
  } else {
    "Raise {.arg max_iter} or {.arg tol} in {.fn psd_control}."
  }
  cli::cli_warn(
    c(paste0("The {solver} solver stopped ({.val {solution$status}}) after {solution$iterations}
              iterations ", reached, "."),
      i = remedy),
    class = "psd_not_converged", call = call
  )
}

#' @importFrom stats nobs
#' @export
nobs.psd_fit <- function(object, ...) object$n

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
  data.frame(model = x$model, kind = x$kind, n = x$n, rank = largest_rank(x),
             landmarks = x$landmarks,
             sigma = max(unlist(x$parameters$sigma)), lambda = max(unlist(x$parameters$lambda)),
             ridge = if (x$kind == "psd") x$parameters$ridge else NA_real_,
             objective = x$objective, gap = x$gap,
             iterations = x$iterations, status = x$status, converged = x$converged,
             seconds = x$seconds)
}

# NA for a fit without a PSD block.
largest_rank <- function(x) if (all(is.na(x$rank))) NA_integer_ else max(x$rank, na.rm = TRUE)

# The lines every print() shares.
print_certificate <- function(x, digits) {
  ranks <- if (!all(is.na(x$rank))) paste(", rank", paste(stats::na.omit(x$rank), collapse = ", "))
  if (x$kind != "psd") cat("model: ", describe_model(x$kind), "\n", sep = "")
  ridge <- if (x$kind == "psd") paste0(", ridge ", signif(x$parameters$ridge, digits))
  cat(sprintf("%d landmarks%s; sigma %s, lambda %s%s\n", x$landmarks, ranks %||% "",
              paste(signif(unlist(x$parameters$sigma), digits), collapse = ", "),
              paste(signif(unlist(x$parameters$lambda), digits), collapse = ", "), ridge %||% ""))
  cat(sprintf("%s after %d iterations: objective %s, %s\n", x$status, x$iterations,
              format(signif(x$objective, 6)), certificate(x)))
}

certificate <- function(x) {
  if (is.na(x$gap)) return("the best of several starts; no certificate, as it is not convex")
  paste0("within ", signif(x$gap, 2), " of the global optimum",
         if (x$kind == "glm") " for the points drawn")
}
