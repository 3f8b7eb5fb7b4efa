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
#'   or matrix with one column an output).
#' @param loss A name or a [psd_loss()]; or a list of them, one an output.
#' @param cone The cone of the outputs: [psd_cone()], or the name of one.
#' @param model What the functions are made of: `"psd"`; or to compare with, for one output and
#'   `cone = "nonnegative"`, `"pnm"` (linear, non-negative at the data only) or `"ncm"` (kernels at
#'   the data with non-negative coefficients). See [psd_density()].
#' @param constraints A list of [psd_integral()]s.
#' @param sigma,lambda Kernel width and penalty. One value is used as it is; several are tried by
#'   cross-validation; `NULL` is an automatic grid. For a cone with a lineality space also a list
#'   `list(linear =, psd =)` of such. See [psd_tune()].
#' @param standardize Centre and scale each predictor by `min(sd, IQR / 1.349)`, and measure the
#'   response in units of its size (all outputs in the same, about their root mean square; a cone
#'   has its apex at zero, so the response is not centred)? The response of the Poisson loss and of
#'   your own losses is left as it is. Predictions are always in the units of the data.
#' @param constant Add a constant to the features? Without it the outputs go to zero away from the
#'   data.
#' @param ridge Weight of the squared Frobenius norm relative to the trace in the penalty; several
#'   values are tuned over.
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
                           ridge = 0.01, model = c("psd", "pnm", "ncm"),
                           kernel = c("gaussian", "abel"), standardize = TRUE,
                           constant = TRUE, weights = NULL, subset = NULL,
                           na.action = stats::na.omit, tune = psd_tune(), control = psd_control()) {
  if (inherits(constraints, "psd_integral")) constraints <- list(constraints)
  model <- check_choice(model, c("psd", "pnm", "ncm"))
  kernel <- check_kernel(kernel)
  standardize <- check_flag(standardize)
  constant <- check_flag(constant)
  control <- check_control(control)
  molded <- mold_response(formula, data, x, y, rlang::enquo(weights), rlang::enquo(subset),
                          na.action, argument_name(substitute(x)), check = check_responses)
  response <- molded$y
  losses <- resolve_losses(loss, ncol(response))
  check_loss_response(losses, response)
  cone <- resolve_cone(cone, ncol(response))
  if (model != "psd") check_model_fits(model, cone, losses)
  scaling <- make_scaling(molded$x, molded$weights, standardize, arg = molded$arg)
  scaling$unit <- if (standardize) response_unit(response, molded$weights, losses) else 1
  integrals <- resolve_integrals(constraints, colnames(response), scaling, constant)
  if (cone$type == "halfspaces" && length(integrals) > 0) {
    abort("{.arg constraints} must be empty for a cone given by half-spaces.")
  }
  if (is_own_loss(losses[[1]]) || cone$type == "halfspaces") control <- fista_control(control)
  make_engine <- find_engine("regression", model)
  engine <- make_engine(standardized(molded$x, scaling), response / scaling$unit, molded$weights,
                        losses, cone, kernel, constant, integrals, control)
  chosen <- choose_parameters(engine, sigma, lambda, ridge, tune)
  solution <- engine$solve(engine$prepare(engine$rows, chosen$sigma), chosen$lambda, chosen$ridge)
  if (length(integrals) > 0) check_satisfied(solution, constraints)
  warn_unless_converged(solution, control)
  new_psd_fit("regression", match.call(), molded$recipe, n = nrow(molded$x), kind = model,
              parameters = list(sigma = chosen$sigma, lambda = chosen$lambda, ridge = chosen$ridge,
                                standardize = standardize, constant = constant),
              solution = solution, mixing = engine$mixing, scaling = scaling, losses = losses,
              cone = cone, constraints = constraints, outputs = colnames(response), x = molded$x,
              y = response, weights = molded$weights, tuning = chosen$tuning)
}

# The models to compare with know one non-negative function.
check_model_fits <- function(model, cone, losses, call = rlang::caller_env()) {
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
    if (is_own_loss(loss)) {
      check_own_loss(loss$functions, y[, output], call)
    } else if (loss$spec$name == "poisson" && any(y[, output] < 0)) {
      bad <- which(y[, output] < 0)[1]
      abort("The response of the Poisson loss must be non-negative; {.field {colnames(y)[output]}}
             is {.val {y[bad, output]}} in row {bad}.", call = call)
    }
  }
}

# The size of the response: its root mean square, or what the median of |y| says if that is less.
response_unit <- function(y, weights, losses) {
  unit_free <- vapply(losses, function(loss) isTRUE(loss$spec$name %in% unit_free_losses), NA)
  if (!all(unit_free)) return(1)
  weights <- rep(weights, ncol(y))
  mean_square <- sqrt(stats::weighted.mean(as.vector(y)^2, weights))
  median <- 1.4826 * weighted_quantile(abs(as.vector(y)), 0.5, weights)
  if (median > 0) min(mean_square, median) else if (mean_square > 0) mean_square else 1
}

# R functions have no derivatives, and cones by half-spaces a solver of their own.
fista_control <- function(control) {
  if (control$solver == "fista") return(control)
  defaults <- psd_control()
  control$solver <- "fista"
  if (control$max_iter == defaults$max_iter) control$max_iter <- psd_control("fista")$max_iter
  control
}
