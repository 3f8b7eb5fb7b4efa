#' Intensity of a point process
#'
#' Estimates the intensity of an inhomogeneous Poisson process, the expected number of points per
#' unit of length, area or volume, from one pattern of points observed in a window. The intensity is
#' `f(x) = phi(x)' A phi(x)` with `A` positive semidefinite, so never negative, and its integral
#' over any box comes in closed form.
#'
#' The fit minimises minus the log-likelihood of the process, divided by the number of points `n`,
#' plus a penalty: with `f = n p`,
#'
#' `mean(-log p(x_i)) + (integral of p over the window) + lambda (tr A + ridge / 2 |A|^2)`,
#'
#' where the penalty acts on the matrix of `p` scaled as in [psd_density()], so that `lambda` has no
#' units. Were there no penalty, the fitted number of points, the integral of `f`, would be `n`.
#' Multiplying `A` by a factor shows what the penalty takes away: at the optimum the integral is
#' exactly `n (1 - lambda (tr A + ridge |A|^2))`, the *shrinkage*, which the fit reports.
#'
#' @param x A numeric vector, a matrix or data frame with one row a point, or a one-sided formula
#'   such as `~ a + b`, evaluated in `data`.
#' @param lower,upper The window in which points were observed: a bounded box, one number or one a
#'   coordinate.
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
                          kernel = c("gaussian", "abel"), standardize = TRUE, constant = TRUE,
                          weights = NULL, subset = NULL, na.action = stats::na.omit,
                          tune = psd_tune(), control = psd_control()) {
  kernel <- check_kernel(kernel)
  standardize <- check_flag(standardize)
  constant <- check_flag(constant)
  control <- check_control(control)
  if (missing(lower) || missing(upper)) {
    abort("{.arg lower} and {.arg upper}, the window of the points, must be given.")
  }
  check_numeric_variables(x, data)
  molded <- mold(x, data, weights = rlang::enquo(weights), subset = rlang::enquo(subset),
                 na.action = na.action, name = argument_name(substitute(x)), arg = "x")
  window <- make_measure(psd_lebesgue(), check_numbers(lower), check_numbers(upper), ncol(molded$x))
  check_inside(molded$x, window)
  scaling <- make_scaling(molded$x, molded$weights, standardize)
  engine <- intensity_engine(standardized(molded$x, scaling), molded$weights,
                             standardized_measure(window, scaling), kernel, constant, control)
  chosen <- choose_parameters(engine, sigma, lambda, ridge, tune)
  solution <- engine$solve(engine$prepare(engine$rows, chosen$sigma), chosen$lambda, chosen$ridge)
  warn_unless_converged(solution, control)
  new_psd_fit("intensity", match.call(), molded$recipe, n = nrow(molded$x),
              parameters = list(sigma = chosen$sigma, lambda = chosen$lambda, ridge = chosen$ridge,
                                standardize = standardize, constant = constant),
              solution = solution, total = sum(molded$weights), shrinkage = 1 - solution$mass,
              log_scale = solution$log_scale, scaling = scaling, measure = engine$measure,
              window = window[c("lower", "upper")], x = molded$x,
              weights = molded$weights, tuning = chosen$tuning)
}

# In standardised units, for p = f / n. As in density_problem() the integral is kept as
# exp(log_norm) <A, W> with |W|_F = 1, and the problem solved for exp(log_norm) A. The integral is
# linear in A: it enters as the offset of the penalty.
intensity_engine <- function(x, weights, window, kernel, constant, control) {
  prepare <- function(rows, sigma, settings = control) {
    features <- psd_features(x[rows, , drop = FALSE], sigma, kernel, settings, as.numeric(constant),
                             nodes = TRUE)
    integral <- block_integral(psd_block(features, NA, NA), window, rep(0, ncol(x)))
    size <- norm(integral$value, "F")
    list(features = features, weights = weights[rows], integral = integral$value / size,
         log_norm = integral$log_scale + log(size), control = settings)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    block <- psd_block(problem$features, lambda, lambda * ridge, problem$integral)
    out <- fit_psd(list(block), list(list(name = "neg_log")), 0, weights = problem$weights,
                   control = control, start = previous$dual)
    root <- crossprod(problem$features$factor, out$functions[[1]]$coefficients)
    out$mass <- sum(root * (problem$integral %*% root))
    out$objective <- out$primal_value + problem$log_norm
    out$log_scale <- -problem$log_norm
    out
  }
  # Minus the log-likelihood of a held-out point, with its share of the integral.
  score <- function(solution, rows) {
    solution$mass - log_density(solution, window, x[rows, , drop = FALSE])
  }
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, measure = window,
       control = control, prepare = prepare, solve = solve, score = score, likelihood = TRUE)
}
