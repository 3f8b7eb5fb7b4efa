#' Density estimation with a positive semidefinite model
#'
#' Fits a probability density `p(x) = f(x) b(x)`, `f(x) = phi(x)' A phi(x)` with `A` positive
#' semidefinite and `b` the density of a base measure (one by default), by penalised maximum
#' likelihood. The density is non-negative everywhere and integrates to exactly one over its
#' support, in any dimension, and probabilities of boxes, moments, marginals and conditionals come
#' in closed form.
#'
#' The fit minimises `mean(-log f(x_i)) + lambda (tr A + ridge / 2 |A|^2)` subject to the integral
#' being one: a convex problem, solved on its dual. The duality gap that comes with the fit is a
#' certificate: no choice of `A` has an objective lower by more than the gap.
#'
#' The representer theorem of the paper does not cover the constraint on the integral: that
#' `phi` is built from kernel sections at (a subset of) the data is a choice of model.
#'
#' @section Exponentials:
#' With `model = "glm"` the density is `exp(w' phi(x)) b(x)` divided by its integral, which has no
#' closed form: it is estimated by the mean over 10,000 points drawn from the base measure, so the
#' base must be [psd_gaussian()], or the support a finite box. The points come from R's random
#' numbers, once a call, for all candidates and folds: the same [set.seed()] gives the same fit. The
#' density integrates to one only up to the Monte Carlo error, which in many dimensions is anything
#' but small: where no point falls, nothing holds the exponential back, and the held-out score,
#' whose normalisation is the same estimate, does not tell; a support so large that no point falls
#' near the data is refused. Given the points the problem is convex;
#' the gap is `|gradient|^2 / (2 lambda)`. `constraints` are refused; `ridge` and `penalty` play no
#' part, as an exponential has no scale to fix.
#'
#' On the line probabilities, moments, quantiles and draws come by quadrature: [psd_prob()] and the
#' cdf are integrals of the density as it is, so that the whole may be 0.99; quantiles, moments and
#' draws are those of the density divided by that. With more variables all that needs an integral is
#' an error of class `psd_no_closed_form`.
#'
#' @section How long it takes:
#' Most of the time goes into choosing `sigma` and `lambda`; from three seconds on an interactive
#' session shows a bar with the time that is left. A fit with given values is many times
#' quicker: `sigma = 0.5, lambda = 0.01` is a reasonable first look at one or two variables (a
#' larger `sigma`, in units of standard deviations, is smoother), and [update()] goes on from there.
#' Time grows with the number of observations, of variables, and of values to be tried; see
#' `vignette("speed")`.
#'
#' @section Mixtures:
#' Where the data form groups, or a narrow core with wide tails, a kernel that suits one part is
#' wrong for another. The parametric part may therefore be a mixture of normal densities (without
#' correlations, in the coordinates that `shape` gives), found by the EM algorithm without random
#' numbers, and the kernels mend what it leaves; the problem stays convex, and its certificate is
#' that of the problem given these normals. A normal is added as long as it raises the log
#' likelihood of one variable by 10, that of several by half the log of the number of rows for each
#' of its numbers (`2 d + 1`, under a turned shape `d + 2`). With `parametric`
#' and `sigma` left to be chosen, one variable without bounds has a mixture where rows left out are
#' more likely than with a single normal, by one for each number more, and where Johnson's
#' distribution (see `transform`) does not say the same with fewer numbers; several variables have
#' one where it is more likely, by 1.5 for each number more, than a sum of kernels, each row left
#' out in turn, which is not so where the data lie along curves. Groups of several variables that
#' are alike but for their size and place, as correlated ones often are, have a turned kernel: under
#' `shape = "auto"` and `"full"` the normals may share one covariance matrix, up to a factor each,
#' found by EM too, which is taken where it makes them more likely by half the log of the number of
#' rows for each number.
#'
#' @section Rounded values:
#' Values of one variable that are all multiples of some distance, with many copies, were rounded to
#' it: what was recorded as `v` lay anywhere within half of the distance. With `sigma` left to be
#' chosen the copies of a value are therefore spread evenly over that cell, so that the fit is that
#' of a continuous variable, without a spike at each value. A value at `lower` or `upper` stands for
#' the half of its cell that is inside, so that `transform` may be any that suits the support.
#' `fitted()` is the mean density over the cell of each value, `logLik()` the sum of its logarithms.
#' With a given `sigma`, and in several variables, all values are taken as they are.
#'
#' @section Groups:
#' `psd_density(~ x | g, data)` fits one density for each value of `g`: see [psd_densities] for what
#' they can be asked together, such as a picture that compares them or the probable group of new
#' points.
#'
#' @param x A numeric vector, a matrix or data frame with one row per observation, or a one-sided
#'   formula such as `~ a + b`, evaluated in `data`; `~ a + b | g` for one density per group.
#' @param data A data frame, for the formula.
#' @param sigma Kernel width, in standardised units (or in those of the data if `standardize` is
#'   `FALSE`). `NULL`: for one variable several widths in one fit, from the scale of the tails to
#'   1/32, so that only the penalty is looked for; for several variables one width, which is looked
#'   for. [psd_widths()] gives your own. One value is used as it is, as in the
#'   paper; several are tried by cross-validation; `"search"` looks for one width. See [psd_tune()].
#' @param lambda Penalty: one value is used; several are tried by cross-validation; `NULL`: looked
#'   for along a path, and with several widths averaged over it. See [psd_tune()].
#' @param ridge Weight of the squared Frobenius norm relative to the trace in the penalty of the
#'   model `"psd"`; the others have none. Several values are tuned over; `NULL` is 0.01, and from
#'   five dimensions on a choice among 0.01, 0.1 and 1 if `sigma` or `lambda` are tuned.
#' @param model What the non-negative functions are made of.
#'   * `"psd"`: `phi(x)' A phi(x)`, `A` positive semidefinite, the model of this package.
#'
#'   The others are there to compare with:
#'   * `"pnm"`: a linear function of the features, `w' phi(x)` with penalty `lambda / 2 |w|^2`, made
#'     non-negative at the data only; elsewhere it may be negative. A density then borrows from its
#'     negative parts: its likelihood, held out or not, grows without bound as `lambda` falls, and
#'     cross-validation says little about it.
#'   * `"ncm"`: a sum of kernels at the data with non-negative coefficients `a` and penalty
#'     `lambda / 2 a' K a`, a mixture.
#'   * `"glm"`: the exponential of a linear function, `exp(w' phi(x))` with penalty
#'     `lambda / 2 |w|^2`. See the section *Exponentials* of [psd_density()].
#' @param kernel `"gaussian"`, `"matern32"` (once differentiable) or `"abel"` (exponential), a
#'   product over coordinates.
#' @param standardize Centre and scale each column by `min(sd, IQR / 1.349)` before fitting? The
#'   density is always returned in the units of the data.
#' @param parametric Have the features a parametric part, which is hardly penalised, so that the fit
#'   tends to it as `lambda` grows: the normal density, on an interval the uniform, on a half line
#'   the exponential? By default if `sigma` is left to be chosen or there are several widths;
#'   [psd_tune()] tells an exception, for many variables. A number: a mixture of so many normal
#'   densities; `NULL` takes one where that pays: see the section *Mixtures*.
#' @param shape The kernel's shape among several variables: `"round"` in standardised units;
#'   `"axes"`, with a width of its own in each; `"full"`, an ellipsoid that is turned as well, as
#'   suits correlated variables (Gaussian kernels, no bounds, base measure, transformation or
#'   constraints). The shape is that of the kernels under whose plain sum the observations, each
#'   left out in turn, are most likely; `sigma` is its mean width. Everything stays a closed form
#'   but probabilities of boxes with bounds in two or three columns under `"full"`, which are
#'   computed by quadrature, and in more, which are refused. `"auto"` takes what
#'   that likelihood says, with a price for each free number, if `sigma` is left to be chosen, and
#'   `"round"` otherwise. Beside a mixture of normals the shape is theirs: see the section
#'   *Mixtures*.
#' @param transform Fit the density on another scale, one name for all columns or one per column:
#'   `"none"`; `"asinh"` for heavy tails and skewed values, with the centre and scale at which
#'   Johnson's S_U distribution, the normal on that scale, suits the values best; `"log"` and
#'   `"softplus"` (logarithmic near the bound, linear far off) for values above `lower`; `"logit"`
#'   for values between `lower` and `upper`; `"probit"` for either, the scale on which the
#'   exponential distribution with the mean of the data, or the uniform one between the bounds, is
#'   the standard normal. The density is given back in the units of the data, and probabilities,
#'   quantiles, marginals, conditionals and draws are as exact as without. `"auto"` takes the one
#'   under which rows left out are most likely, if `sigma` and `lambda` are left to be chosen, and
#'   `"none"` otherwise. To be taken, `"probit"` must be better than `"none"` by 1 in the sum of log
#'   densities, `"asinh"` by 1.5 and `"log"` by 2; `"asinh"` is tried only where Johnson's
#'   distribution is better than the normal by 1, and `"softplus"` and `"logit"` never.
#' @param penalty `"scaled"`: the penalty acts on `|W|_F A`, `W` the matrix of the integral, so that
#'   `lambda` has no units and means the same in any dimension. Likewise on `|q| w` for the integral
#'   `q'w` of the linear models `"pnm"` and `"ncm"`. `"raw"`: on `A` or `w`, as in the paper.
#' @param base Base measure: [psd_lebesgue()] or [psd_gaussian()].
#' @param lower,upper The support: a box. Bounds named by column, such as `c(a = 0)` (columns not
#'   named have none), one per column in order, or a single one without a name, for every column;
#'   they may be infinite. The density is zero outside and integrates to one inside; it is not
#'   forced to zero at the bounds.
#' @param constraints A list of [psd_constraint()]s.
#' @param weights Non-negative observation weights; only their ratios matter. Observations whose
#'   weight is zero, or so small that it is lost in the sum of all (2e-16 of it), are left out.
#'   Looked up in `data`, or in a data frame `x`.
#' @param subset Rows to use: a logical vector or row numbers. Looked up like `weights`.
#' @param na.action What to do with rows that have missing values: [stats::na.omit] drops them, with
#'   a message; [stats::na.fail] stops.
#' @param tune How to choose among several values: [psd_tune()].
#' @param control Settings of the solver: [psd_control()].
#' @return An object of class `psd_density`, or [psd_densities] of groups. Its size depends on the
#'   number of landmarks, not on that of the data, of which it keeps at most a thousand rows for
#'   pictures (all, or such at even distances).
#' @seealso [predict.psd_density()], [quantile.psd_density()], [simulate.psd_density()],
#'   [psd_marginal()], [psd_conditional()], [psd_prob()], [psd_moments()], [plot.psd_density()].
#' @export
#' @examples
#' fit <- psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3)
#' fit
#' predict(fit, c(2, 3, 4))
#' plot(fit)
#'
#' # a mixture of kernels, to compare with
#' psd_density(faithful$eruptions, sigma = 0.3, lambda = 1e-3, model = "ncm")
#'
#' # a variable that cannot be negative
#' set.seed(1)
#' fit <- psd_density(rexp(200), sigma = 1, lambda = 1e-3, lower = 0)
#' psd_prob(fit, upper = 1)
#'
#' # groups
#' fits <- psd_density(~ Sepal.Length | Species, iris, sigma = 1, lambda = 0.01)
#' autoplot(fits)
#' predict(fits, c(5, 7), type = "class")
psd_density <- function(x, data = NULL, sigma = NULL, lambda = NULL, ridge = NULL,
                        model = "psd", kernel = "gaussian", standardize = TRUE,
                        parametric = NULL, shape = "auto", transform = "auto",
                        penalty = c("scaled", "raw"), base = psd_lebesgue(), lower = -Inf,
                        upper = Inf, constraints = list(), weights = NULL, subset = NULL,
                        na.action = stats::na.omit, tune = psd_tune(),
                        control = psd_control()) {
  if (!is.null(bar_of(x))) {
    return(fit_groups(x, data, rlang::enquo(weights), rlang::enquo(subset), match.call(),
                      parent.frame()))
  }
  settings <- check_settings("density", model, kernel, standardize, FALSE, control)
  settings$penalty <- check_choice(penalty, c("scaled", "raw"))
  constraints <- check_constraints(constraints, "psd_constraint")
  molded <- mold_points(x, data, rlang::enquo(weights), rlang::enquo(subset), na.action,
                        argument_name(substitute(x)))
  measure <- make_measure(base, lower, upper, molded$recipe$columns)
  check_inside(molded$x, measure)
  check_near_base(molded$x, measure)
  tell_discrete(molded$x)
  molded <- with_recorded(molded, sigma, settings, measure)
  transform <- check_transform(transform, molded$placed, measure)
  settings$shape <- check_shape(shape, sigma, settings, measure, transform, constraints)
  grid <- list(sigma = sigma, lambda = lambda, ridge = ridge, tune = check_tune(tune))
  call <- rlang::current_env()
  fit <- function(transform, parts = parametric) {
    grid["parametric"] <- list(parts)
    fit_density(molded, measure, base, transform, settings, grid, constraints, call)
  }
  automatic <- is.null(sigma) && is.null(lambda) && length(constraints) == 0 &&
    base$name == "lebesgue" && settings$model$form == "psd" && standardize && ncol(molded$x) == 1
  out <- if (!identical(transform, "auto")) fit(transform)
         else if (automatic) fit_best(fit, molded, measure, is.null(parametric))
         else fit(rep("none", ncol(molded$x)))
  out$call <- match.call()
  out$left_out <- NULL
  out
}

# The fit on the scales of these transformations, one per column.
fit_density <- function(molded, measure, base, transform, settings, grid, constraints, call) {
  transforms <- make_transforms(transform, molded$placed, molded$weights, measure)
  units <- list(x = make_scaling(molded$placed, molded$weights, settings$standardize,
                                 transforms = transforms, call = call))
  covariance <- kernel_shape(scaled(molded$placed, units$x), molded$weights, settings$shape,
                             normals_wanted(grid, settings$model), call)
  units$x <- with_shape(units$x, covariance)
  placed <- standardized(molded$placed, units$x)
  settings[c("shape", "transform")] <- list(shape_name(covariance), transform)
  support <- measure
  measure <- standardized_measure(measure, units$x)
  check_jacobian(placed, units$x, call)
  if (!settings$model$closed_form) check_glm_density(measure, constraints, call)
  points <- distinct_rows(placed, molded$weights, grid$tune)
  problem <- density_problem(
    points$x, points$weights, measure, settings$model, settings$kernel, settings$penalty,
    density_functionals(constraints, measure, units$x, molded$recipe$columns, call), nrow(molded$x),
    round = !is.null(units$x$turn), effective = effective_rows(molded$weights)
  )
  if (molded$recorded > 0) problem <- with_places(problem, placed)
  estimate(
    problem, molded, units, settings, grid, NULL, keep = FALSE, call = call,
    before = function(prepared) {
      check_invertible(prepared$features[[1]]$anchors, units$x, call)
      if (problem$model$form == "psd") check_feasible(prepared, constraints, call)
    },
    after = function(prepared, solution) {
      if (length(constraints) > 0 && !is.finite(solution$gap)) abort_infeasible(constraints, call)
      check_found(solution, prepared$problem, support, units$x, points$x, call)
    },
    details = function(solution, chosen, problem) {
      jacobian <- stats::weighted.mean(log_jacobian(points$x, units$x), points$weights)
      recorded <- molded$recorded
      list(base = base$name, constraints = shown_constraints(constraints), recorded = recorded,
           log_likelihood = if (recorded > 0) cell_likelihood(solution, molded, units, support)
                            else point_likelihood(problem, solution) + problem$n * jacobian,
           left_out = if (!is.null(chosen$left_out)) chosen$left_out + jacobian)
    }
  )
}

# Whether the density is a number, off the bounds, and has the integral that it should have.
check_found <- function(solution, problem, support, scaling, points, call) {
  if (length(solution$functions) == 0) return(invisible())
  measure <- problem$measure
  exact <- problem$model$closed_form
  if (!exact) check_glm_integral(solution, points, measure, call)
  check_density_size(log_density(solution, measure, problem$x) + log_jacobian(problem$x, scaling),
                     call)
  if (exact) check_off_bounds(solution, measure, support, scaling, call)
  if (exact) warn_of_rounding(solution, measure, "density", call)
}

# The log-likelihood in standardised units, weights scaled to a mean of one.
point_likelihood <- function(problem, solution) {
  -problem$n * (mean_loss(problem, solution) + (problem$cells$error %||% 0))
}
