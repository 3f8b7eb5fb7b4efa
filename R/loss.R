# Losses of a regression: by name, from the registry of the core, or the user's own functions.

#' Losses for a regression
#'
#' A convex loss `l(u, y)` of an output `u` and a response `y`, for the `loss` argument of
#' [psd_regression()]. Losses by name:
#'
#' * `"squared"`: `(u - y)^2 / 2`, for the mean.
#' * `"absolute"`: `|u - y|`, for the median.
#' * `"pinball"`: `max(tau (y - u), (tau - 1) (y - u))`, for the quantile at level `tau`
#'   (0.5 by default).
#' * `"huber"`: squared up to a residual of `delta`, linear beyond. `delta` (1.345 by default) is in
#'   units of the standardised response, as `sigma` is in units of the standardised predictors.
#' * `"poisson"`: `u - y log u`, for the mean of counts `y >= 0`.
#'
#' Your own loss is three R functions, vectorised over observations:
#'
#' * `value(u, y)`, the loss, `Inf` outside its domain;
#' * `prox(u, y, step)`, the minimiser of `step * value(p, y) + (p - u)^2 / 2` over `p`;
#' * `conjugate(a, y)`, the largest `a * u - value(u, y)` over `u`, `Inf` where there is none.
#'   Solutions lie on the boundary of its domain up to rounding, so leave it a margin such as 1e-10.
#'
#' They are checked when given, and again on the responses of a fit: `value` must be convex, `prox`
#' must minimise, and Fenchel's inequality `value(u) + conjugate(a) >= a u` must hold everywhere,
#' with equality at `u = prox(v)`, `a = (v - u) / step` (Moreau). A fit with such a loss uses the
#' FISTA solver, and does not rescale the response.
#'
#' @param name One of the names above.
#' @param ... Parameters of the loss: `tau` or `delta`.
#' @param value,prox,conjugate Functions, instead of `name`.
#' @param y Responses to check the functions at.
#' @return A list of class `psd_loss`.
#' @export
#' @examples
#' psd_loss("pinball", tau = 0.9)
#'
#' # the absolute loss by hand
#' psd_loss(value = function(u, y) abs(u - y),
#'          prox = function(u, y, step) u + pmin(pmax(y - u, -step), step),
#'          conjugate = function(a, y) ifelse(abs(a) <= 1 + 1e-10, a * y, Inf))
psd_loss <- function(name = NULL, ..., value = NULL, prox = NULL, conjugate = NULL,
                     y = c(0, 1, 3)) {
  functions <- list(value = value, prox = prox, conjugate = conjugate)
  given <- !vapply(functions, is.null, NA)
  if (!any(given)) return(named_loss(name, list(...)))
  if (!is.null(name) || ...length() > 0) {
    abort("Give either the {.arg name} of a loss with its parameters, or the functions {.arg value},
           {.arg prox} and {.arg conjugate}.")
  }
  for (part in names(functions)) {
    if (!is.function(functions[[part]])) {
      abort("{.arg {part}} must be a function, not {.obj_type_friendly {functions[[part]]}}; a loss
             of your own has all of {.arg value}, {.arg prox} and {.arg conjugate}.")
    }
  }
  check_own_loss(functions, check_numbers(y))
  structure(list(functions = functions), class = "psd_loss")
}

# Losses by name are the core's (src/loss_*.cpp); R asks for their traits: list(regression = is it
# of one output and a response?, unit_free = is l(s u, s y) a function of s times l(u, y)?, response
# = what y must at least be, defaults = its parameters, arity =).
loss_traits <- function(name) cpp_loss_traits(name)

regression_losses <- function() {
  Filter(function(name) loss_traits(name)$regression, cpp_loss_names())
}

is_unit_free <- function(loss) !is_own_loss(loss) && loss_traits(loss$spec$name)$unit_free

named_loss <- function(name, parameters, arg = "name", call = rlang::caller_env()) {
  name <- check_choice(name, regression_losses(), arg = arg, call = call)
  if (length(parameters) > 0 && !rlang::is_named(parameters)) {
    abort("Parameters of a loss must be named, as in {.code psd_loss(\"pinball\", tau = 0.9)}.",
          call = call)
  }
  for (parameter in names(parameters)) {
    parameters[[parameter]] <- check_number(parameters[[parameter]], arg = parameter, call = call)
  }
  spec <- c(list(name = name), utils::modifyList(loss_traits(name)$defaults, parameters))
  tryCatch(cpp_loss_arity(spec), error = function(e) {
    abort("The loss {.val {name}} is not well specified: {conditionMessage(e)}.", call = call)
  })
  structure(list(spec = spec), class = "psd_loss")
}

is_own_loss <- function(loss) !is.null(loss$functions)

# What fit_psd() takes.
loss_spec <- function(loss) if (is_own_loss(loss)) loss$functions else loss$spec

# l(u_i, y_i) for vectors.
loss_values <- function(loss, u, y) {
  if (is_own_loss(loss)) return(loss$functions$value(u, y))
  vapply(seq_along(u), function(i) cpp_loss_value(loss$spec, u[i], y[i]), 0)
}

# One loss per output, from a name, a psd_loss() or a list of such.
resolve_losses <- function(loss, outputs, call = rlang::caller_env()) {
  if (is.function(loss) || inherits(loss, "family")) {
    abort(c("{.arg loss} must be a name such as {.val poisson}, or made by {.fn psd_loss}, not
             {.obj_type_friendly {loss}}.",
            i = "Families of {.fn glm} have link functions; these losses have none."), call = call)
  }
  one <- is.character(loss) && length(loss) == 1 || inherits(loss, "psd_loss")
  losses <- if (one) rep(list(loss), outputs) else as.list(loss)
  if (length(losses) != outputs) {
    abort("{.arg loss} must be one loss, or one per output ({outputs}), not {length(losses)}.",
          call = call)
  }
  losses <- lapply(losses, function(l) {
    if (inherits(l, "psd_loss")) l else named_loss(l, list(), arg = "loss", call = call)
  })
  own <- vapply(losses, is_own_loss, NA)
  if (any(own) && !all(own)) {
    abort("{.arg loss} must be all by name or all of your own; output {which(!own)[1]} has a loss by
           name.", call = call)
  }
  losses
}

#' @export
format.psd_loss <- function(x, ...) {
  if (is_own_loss(x)) return("the user's own")
  parameters <- x$spec[-1]
  if (length(parameters) == 0) return(x$spec$name)
  shown <- paste(names(parameters), "=", vapply(parameters, format, ""), collapse = ", ")
  paste0(x$spec$name, " (", shown, ")")
}

#' @export
print.psd_loss <- function(x, ...) {
  cat("<psd_loss> ", format(x), "\n", sep = "")
  invisible(x)
}
