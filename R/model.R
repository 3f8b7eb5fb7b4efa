# A model, the argument `model` of the fitting functions: what non-negative functions are made of.
# It is a list made by new_model(), in a file of its own; the rest of the package asks it what it
# can do.

# * `name`, and `label`, in the words of print().
# * `block(features, lambda, ridge, norm, positive)`: a non-negative function with its penalty, for
#   the solvers; `norm` is the unit it is measured in, `positive` says that the loss is infinite
#   unless it is positive at the data.
# * `form`: what its integrals are linear in, "psd" (a matrix) or "linear" (a vector).
# * `solver(prepared, lambda, ridge, control, previous)`: see solve_at().
# * `problems`: names of the problems it is for; NULL, for all.
# * `single`: only one function, of one output?
# * `scales`: may its kernel be a sum over several widths?
# * `ridge`: has its penalty a Frobenius part?
# * `closed_form`: are its integrals exact?
# * `signed`: may it be negative where there are no data?
# * `certified`: is its gap a bound on the distance to the global optimum?
# * `constant`: size of the constant among its features, where there is one.
# * `integral_tol(tol)`: the tolerance of features whose integrals matter.
# * `prepare(prepared)`: adds what its solver needs besides: see prepare().
# * `draw(problem)`: random numbers that all candidates of a search share, or NULL.
new_model <- function(name, label, block, form, problems = NULL, solver = solve_blocks,
                      single = FALSE, scales = TRUE, ridge = FALSE, closed_form = TRUE,
                      signed = FALSE, certified = TRUE, constant = 1, integral_tol = identity,
                      prepare = identity, draw = NULL) {
  stopifnot(is.character(name), is.character(label), form %in% c("psd", "linear"),
            is.function(solver), is.null(problems) || is.character(problems))
  as.list(environment())
}

# Whether a density of the model is one: nowhere negative, with integral one.
is_proper <- function(model) model$closed_form && !model$signed
