#' Intensity of a point process
#'
#' Estimates the intensity of an inhomogeneous Poisson process, the expected number of points per
#' unit of length, area or volume, from one pattern of points observed in a window. The intensity is
#' `f(x) = phi(x)' A phi(x)` with `A` positive semidefinite, so never negative, and its integral
#' over any box comes in closed form.
#'
#' The fit minimises minus the log-likelihood of the process, divided by the number of points `n`,
#' plus a penalty. With `f = n p` that is
#'
#' `mean(-log p(x_i)) + (integral of p over the window) + lambda (tr A + ridge / 2 |A|^2)`,
#'
#' where the penalty acts on the matrix of `p` scaled as in [psd_density()], so that `lambda` has no
#' units.
#'
#' Without a penalty the expected number of points, the integral of `f`, would be the observed one,
#' `n`. The penalty would take some of it away: multiplying `A` by a factor shows that at the
#' optimum the integral is `n (1 - lambda (tr A + ridge |A|^2))`. So by default (`total =
#' "observed"`) the problem is solved under the constraint that the integral is `n`, and the
#' certificate is that of the constrained problem (whose objective leaves the integral out, as it is
#' always one). With `total = "shrunk"` the integral is left to
#' the penalty, and the fit reports the *shrinkage*, the share that is lost.
#'
#' @param x A numeric vector, a matrix or data frame with one row per point, or a one-sided formula
#'   such as `~ a + b`, evaluated in `data`.
#' @param lower,upper The window in which points were observed: a bounded box, with bounds named by
#'   column, one per column in order, or a single one without a name, for every column.
#' @param total `"observed"`: the expected number of points is the observed one. `"shrunk"`: it is
#'   what the penalty leaves.
#' @param exposure How often or how long the window was observed, one number: the intensity is then
#'   per unit of it, such as points per year.
#' @param constant Add a constant to the features? It is the intensity of a homogeneous process.
#' @param weights Multiplicities of the points, which need not be whole numbers; `n` is their sum.
#' @param ridge Weight of the squared Frobenius norm relative to the trace in the penalty; several
#'   values are tuned over.
#' @param standardize Centre and scale each column by `min(sd, IQR / 1.349)` before fitting? The
#'   intensity is always returned in the units of the data.
#' @inheritParams psd_density
#' @return An object of class `psd_intensity`.
#' @seealso [predict.psd_intensity()], [psd_count()], [plot.psd_intensity()].
#' @export
#' @examples
#' set.seed(1)
#' x <- sort(c(runif(40), rnorm(60, 0.7, 0.05)))
#' fit <- psd_intensity(x[x < 1], lower = 0, upper = 1, sigma = 0.7, lambda = 1e-3)
#' fit
#' plot(fit)
#' psd_count(fit, upper = 0.5)
psd_intensity <- function(x, lower, upper, data = NULL, sigma = NULL, lambda = NULL, ridge = 0.01,
                          kernel = "gaussian", standardize = TRUE, constant = TRUE,
                          total = c("observed", "shrunk"), exposure = 1, weights = NULL,
                          subset = NULL, na.action = stats::na.omit, tune = psd_tune(),
                          control = psd_control()) {
  call <- rlang::current_env()
  total <- check_choice(total, c("observed", "shrunk"))
  exposure <- check_number(exposure, above = 0)
  settings <- check_settings("intensity", "psd", kernel, standardize, constant, control)
  if (missing(lower) || missing(upper)) {
    abort("{.arg lower} and {.arg upper}, the window of the points, must be given.")
  }
  molded <- mold_points(x, data, rlang::enquo(weights), rlang::enquo(subset), na.action,
                        argument_name(substitute(x)))
  window <- make_window(lower, upper, molded$recipe$columns)
  check_inside(molded$x, window)
  check_window(window)
  units <- list(x = make_scaling(molded$x, molded$weights, standardize))
  points <- standardized(molded$x, units$x)
  check_jacobian(points, units$x)
  problem <- intensity_problem(points, molded$weights,
                               standardized_measure(window, units$x), kernel, constant,
                               total)
  estimate(
    problem, molded, units, settings, list(sigma = sigma, lambda = lambda, ridge = ridge,
                                           tune = tune), match.call(),
    after = function(prepared, solution) {
      if (length(solution$functions) > 0) {
        warn_of_rounding(solution, problem$measure, "intensity", call)
      }
    },
    details = function(solution, chosen, problem) {
      list(total = sum(molded$weights) / exposure, exposure = exposure,
           shrinkage = 1 - (solution$mass %||% 1), window = window[c("lower", "upper")])
    }
  )
}

# The box in which points were observed, as a measure.
make_window <- function(lower, upper, columns, call = rlang::caller_env()) {
  window <- make_measure(psd_lebesgue(), lower, upper, columns, call)
  open <- is.infinite(window$lower) | is.infinite(window$upper)
  if (any(open)) {
    abort("{.arg lower} and {.arg upper} must bound the window in every column, not leave
           {.field {columns[open]}} open.", call = call)
  }
  window
}
