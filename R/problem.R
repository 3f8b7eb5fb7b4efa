# A problem says what is fitted: minimise the mean loss of outputs that are mixtures of functions,
# plus the penalties of the functions, under constraints on their integrals. Each kind of fit
# declares one, in a file of its own (R/problem-*.R); preparing, solving and tuning are the same for
# all.

# * `name`: the fit is of class psd_<name>.
# * `x`, `y`, `weights`: the data in standardised units, one row per observation; `y` has one column
#   per loss. `n`: how many observations they stand for.
# * `model`, `kernel`: what the functions are made of: see new_model().
# * `parts`: a named list of part()s. Each has features, a width and a penalty of its own.
# * `blocks`: for each function of the fit the name of its part.
# * `floors`: what is added to each function, a constant.
# * `mixing`: one row per output, one column per function.
# * `losses`: a list of losses as the core takes them.
# * `positive`: is the loss infinite unless non-negative functions are positive at the data?
# * `measure`: what the only function is integrated against, if the integral matters: NULL, or a
#   measure as made by make_measure().
# * `total`: with a measure, what becomes of the integral: "one", it is one (a density); "paid", it
#   is added to the loss (an intensity).
# * `penalty`: with a measure, "scaled" (acts on the integral's unit) or "raw".
# * `constraints`: a list of functional()s.
# * `halfspaces`: a cone by half-spaces in which the outputs lie, or NULL.
# * `solver`: as in new_model(), which has the default.
# * `start(previous, lambda, n)`: where to start from the solution at another penalty, or NULL; a
#   `foreign` one, of which only dual and lambda are known, may be of another width.
# * `score(solution, x, y)`: the loss of rows under a solution: see row_losses().
# * `left_out(solution, x, y)`: the loss of each row under the solution without it, from the
#   `changes` that the core tells; NULL if these are not known.
# * `highest`: the most that a held-out row may cost, one number per row.
# * `likelihood`: is the score minus a log density of x?
# * `steepest`: about how fast the loss changes with an output, at most, in standardised units.
# * `several`: is its kernel by default a sum over several widths?
# * `averaged`: is a fit by default an average over the widths tried?
# * `binning`: what stands for the rows of a small cell (R/binning-nodes.R): "points", "moments" (of
#   y), "levels" (if no quantile is in the cell: R/binning-levels.R) or "none", nothing does.
# * `far(x, y, weights)`: the functions of a simple model, for x far from the data, as
#   list(intercept =, slopes =), one number and one column per function; or NULL (R/far.R).
# * `unit`: about the size of the loss, one in standardised units; what the tolerance refers to.
# * `share`: which part of its weight a row loses when an observation is left out.
# * `precision`: no automatic width is below it.
# * `pilot`: what `y` is in units of: see in_pilot_units(), or NULL.
new_problem <- function(name, x, weights, model, kernel, parts, losses, score, y = 0,
                        left_out = NULL, blocks = names(parts), mixing = diag(length(blocks)),
                        floors = rep(0, length(blocks)), positive = FALSE, measure = NULL,
                        total = NULL, penalty = "scaled", constraints = list(), halfspaces = NULL,
                        solver = model$solver, start = last_dual, highest = Inf,
                        likelihood = FALSE, steepest = Inf, several = FALSE, averaged = FALSE,
                        binning = "none", far = NULL, unit = 1, n = nrow(x)) {
  y <- matrix(as.numeric(y), nrow(x), length(losses))
  highest <- rep_len(highest, nrow(x))
  draws <- remembered(function() if (!is.null(model$draw)) model$draw(out))
  stopifnot(is.matrix(x), length(weights) == nrow(x), is.list(losses), is.function(score),
            all(blocks %in% names(parts)), ncol(mixing) == length(blocks),
            length(floors) == length(blocks), is.null(measure) == is.null(total))
  out <- list(name = name, x = x, y = y, weights = weights, n = n, model = model, kernel = kernel,
              parts = parts, blocks = blocks, floors = floors, mixing = mixing, losses = losses,
              positive = positive, measure = measure, total = total, penalty = penalty,
              constraints = constraints, halfspaces = halfspaces, solver = solver, start = start,
              score = score, left_out = left_out, highest = highest, likelihood = likelihood,
              steepest = steepest, several = several, averaged = averaged, draws = draws,
              binning = binning, far = far, unit = unit, share = 1, precision = 0)
  out
}

has_bounds <- function(measure) any(is.finite(c(measure$lower, measure$upper)))

# Size of the constant in a linear function: it is penalised a hundred times less than the kernel's
# features.
free_constant <- 10

# The features of one or several functions. `free`: of any sign, so linear; otherwise a function of
# the model. `constant`: size of the constant among them, 0 if there is none. `widths`: of the
# kernel, times sigma. `parametric`: does the part have its `null` features, which are hardly
# penalised: a "normal" section ("round" if it must be), or a "linear" function? `normals`: a
# mixture instead of the single normal (R/normals.R). `smoother`: how many times wider than another
# part's its kernel is where a search begins.
part <- function(free = FALSE, constant = 0, null = "none", smoother = 1) {
  list(free = free, constant = constant, null = null, widths = one_width, parametric = FALSE,
       smoother = smoother)
}

# All rows of the data.
rows_of <- function(problem) seq_len(nrow(problem$x))

# A name for a set of rows, by which what is known of it is found again.
rows_key <- function(rows) paste(length(rows), sum(rows), sum(rows^2))

# The losses of rows under a solution.
row_losses <- function(problem, solution, rows = rows_of(problem)) {
  problem$score(solution, problem$x[rows, , drop = FALSE], problem$y[rows, , drop = FALSE])
}

# The same as cross-validation counts them.
held_out <- function(problem, solution, rows) {
  pmin(row_losses(problem, solution, rows) + pilot_cost(problem, rows), problem$highest[rows])
}

mean_loss <- function(problem, solution) {
  stats::weighted.mean(row_losses(problem, solution), problem$weights)
}

# A function that computes its value when first asked for it.
remembered <- function(compute) {
  value <- NULL
  function() value <<- value %||% compute()
}

last_dual <- function(previous, lambda, n) previous$dual

# Where the dual has matrices of features in it, too.
last_dual_of_width <- function(previous, lambda, n) {
  if (!isTRUE(previous$foreign)) previous$dual
}

no_start <- function(previous, lambda, n) NULL

# Parameters of problems with one part have no names.
of_part <- function(parameter, part) if (is.null(names(parameter))) parameter else parameter[[part]]
