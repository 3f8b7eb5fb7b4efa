#' Regression with any convex loss and outputs in a cone
#'
#' Fits one or several functions of the predictors that are non-negative, or together lie in a
#' convex cone, at every point and not only at the data: `f(x) = phi(x)' A phi(x)` with `A` positive
#' semidefinite, one such function a generator of the cone. Any convex loss of [psd_loss()] can be
#' used, including your own, and integrals of the outputs can be constrained.
#'
#' The fit minimises the weighted mean of the loss (summed over the outputs) plus
#' `lambda (tr A + ridge / 2 |A|^2)` for each generator and `lambda / 2 |w|^2` for each direction of
#' the cone's lineality space: a convex problem, solved on its dual. The duality gap that comes with
#' the fit is a certificate: no choice of the functions has an objective lower by more than the gap.
#'
#' @param formula A formula such as `y ~ a + b`, or `cbind(y1, y2) ~ a + b` for several outputs,
#'   evaluated in `data`.
#' @param data A data frame.
#' @param x,y Instead of a formula: predictors (vector, matrix or data frame) and response (vector,
#'   or matrix with one column per output).
#' @param loss A name or a [psd_loss()]; or a list of them, one per output.
#' @param cone The cone of the outputs: [psd_cone()], or the name of one.
#' @param model What the functions are made of: `"psd"`; or to compare with, for one output and
#'   `cone = "nonnegative"`, `"pnm"` (linear, non-negative at the data only) or `"ncm"` (kernels at
#'   the data with non-negative coefficients). See [psd_density()].
#' @param constraints A list of [psd_integral()]s.
#' @param sigma,lambda Kernel width and penalty. One value is used as it is; several are tried by
#'   cross-validation; `NULL` looks for one. [psd_widths()] gives several widths in one fit. For a
#'   cone with a lineality space also a list `list(linear =, psd =)` of such. See [psd_tune()].
#' @param standardize Centre and scale each predictor by `min(sd, IQR / 1.349)`, and measure the
#'   response in units of its size (all outputs in the same, about their root mean square; a cone
#'   has its apex at zero, so the response is not centred)? The response of the Poisson loss and of
#'   your own losses is left as it is. Predictions are always in the units of the data.
#' @param constant Add a constant to the features? Without it the outputs go to zero away from the
#'   data.
#' @param exposure For the loss `"poisson"`: the time, area or number at risk in which each count
#'   was made, one number per observation, looked up in `data` like `weights`. The outputs are then
#'   expected counts per unit of exposure, and the response in `residuals()` and plots is the rate,
#'   count divided by exposure. In place of `offset(log(exposure))` in [glm()].
#' @param ridge Weight of the squared Frobenius norm relative to the trace in the penalty; several
#'   values are tuned over.
#' @inheritParams psd_hetero
#' @inheritParams psd_density
#' @return An object of class `psd_regression`.
#' @seealso [predict.psd_regression()], [plot.psd_regression()], [psd_intensity()] for point
#'   patterns.
#' @export
#' @examples
#' fit <- psd_regression(dist ~ speed, cars, sigma = 1, lambda = 1e-3)
#' fit
#' predict(fit, data.frame(speed = c(0, 10, 20)))
#'
#' # counts
#' set.seed(1)
#' x <- runif(100)
#' y <- rpois(100, 10 * x^2)
#' fit <- psd_regression(y ~ x, loss = "poisson", sigma = 0.7, lambda = 1e-3)
#' plot(fit)
#'
#' # two outputs, the second never below the first
#' fit <- psd_regression(cbind(Sepal.Width, Sepal.Length) ~ Petal.Length, iris, cone = "ordered",
#'                       loss = "absolute", sigma = 1, lambda = 1e-2)
#' plot(fit)
psd_regression <- function(formula = NULL, data = NULL, x = NULL, y = NULL, loss = "squared",
                           cone = psd_cone(), constraints = list(), sigma = NULL, lambda = NULL,
                           ridge = 0.01, model = "psd", kernel = "gaussian", standardize = TRUE,
                           shape = "auto", constant = TRUE, exposure = NULL, weights = NULL,
                           subset = NULL, na.action = stats::na.omit, tune = psd_tune(),
                           control = psd_control()) {
  call <- rlang::current_env()
  settings <- check_settings("regression", model, kernel, standardize, constant, control)
  constraints <- check_constraints(constraints, "psd_integral")
  molded <- mold_response(formula, data, x, y, rlang::enquo(weights), rlang::enquo(subset),
                          na.action, argument_name(substitute(x)), check = check_responses,
                          exposure = rlang::enquo(exposure))
  outputs <- colnames(molded$y)
  losses <- resolve_losses(loss, length(outputs))
  check_loss_response(losses, molded$y)
  molded <- as_rates(molded, losses)
  cone <- resolve_cone(cone, length(outputs))
  if (settings$model$single) check_single(model, cone, losses)
  if (is_own_loss(losses[[1]])) settings$control <- fista_control(settings$control)
  units <- list(x = make_scaling(molded$x, molded$weights, standardize, arg = molded$arg),
                y = size_units(molded$y, molded$weights, standardize, losses,
                               molded$recipe$response))
  shape <- check_relevance(shape, sigma, settings, molded$recipe$columns)
  relevant <- relevant_units(units$x, molded, shape, spread = FALSE)
  units$x <- relevant$units
  settings$shape <- relevant$shape
  problem <- regression_problem(standardized(molded$x, units$x), molded$y / units$y$scale,
                                molded$weights, losses, cone, settings$model, kernel, constant)
  problem$constraints <- output_functionals(constraints, outputs, molded$recipe$columns, units,
                                            problem, constant)
  estimate(
    problem, molded, units, settings, list(sigma = sigma, lambda = lambda, ridge = ridge,
                                           tune = tune), match.call(),
    after = function(prepared, solution) check_satisfied(solution, constraints, call),
    details = function(solution, chosen, problem) {
      list(losses = losses, cone = cone, constraints = constraints, outputs = outputs,
           exposure = molded$exposure)
    }
  )
}

# Counts y with exposures e have the loss e u - y log u of a rate u: e times that of y / e.
as_rates <- function(molded, losses, call = rlang::caller_env()) {
  if (is.null(molded$exposure)) return(molded)
  poisson <- vapply(losses, function(loss) identical(loss$spec$name, "poisson"), NA)
  if (!all(poisson)) {
    abort("{.arg exposure} must only be given with {.code loss = \"poisson\"}.", call = call)
  }
  molded$y <- molded$y / molded$exposure
  molded$weights <- molded$weights * molded$exposure
  molded
}

# The models to compare with know one non-negative function.
check_single <- function(model, cone, losses, call = rlang::caller_env()) {
  if (length(losses) > 1) {
    abort("{.arg model} must be {.val psd} for several outputs, not {.val {model}}.", call = call)
  }
  if (cone$type != "nonnegative") {
    abort("{.arg model} must be {.val psd} unless {.arg cone} is {.val nonnegative}, not
           {.val {model}}.", call = call)
  }
}

check_loss_response <- function(losses, y, call = rlang::caller_env()) {
  for (output in seq_along(losses)) {
    loss <- losses[[output]]
    least <- if (is_own_loss(loss)) -Inf else loss_traits(loss$spec$name)$response
    if (is_own_loss(loss)) check_own_loss(loss$functions, y[, output], call)
    bad <- which(y[, output] < least)
    if (length(bad) > 0) {
      abort("The response of the {.val {loss$spec$name}} loss must be at least {least};
             {.field {colnames(y)[output]}} is {.val {y[bad[1], output]}} in row {bad[1]}.",
            call = call)
    }
  }
}

# All outputs in the same unit, the size of the response, and none moved: a cone has its apex at
# zero.
size_units <- function(y, weights, standardize, losses, arg, call = rlang::caller_env()) {
  unit_free <- vapply(losses, is_unit_free, NA)
  if (!standardize || !all(unit_free)) {
    check_unscaled(y, arg, call)
    return(list(center = 0, scale = 1))
  }
  scale <- response_size(y, weights)
  check_size(matrix(abs(as.vector(y))), scale, arg, call)
  list(center = 0, scale = scale)
}

# R functions have no derivatives.
fista_control <- function(control) {
  if (control$solver == "fista") return(control)
  defaults <- psd_control()
  control$solver <- "fista"
  if (control$max_iter == defaults$max_iter) control$max_iter <- psd_control("fista")$max_iter
  control
}
