# The models behind the argument `model`: what non-negative functions are made of. A model is a list
# made by new_model(), in a file of its own; the rest of the package asks it what it can do.

# * `name`, and `label`, in the words of print().
# * `block(features, lambda, ridge, norm, positive)`: a non-negative function with its penalty, for
#   the solvers; `norm` is the unit it is measured in, `positive` says that the loss is infinite
#   unless it is positive at the data.
# * `form`: what its integrals are linear in, "psd" (a matrix) or "linear" (a vector).
# * `solver(prepared, lambda, ridge, control, previous)`: see solve_at().
# * `problems`: names of the problems it is for.
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
new_model <- function(name, label, block, form, problems, solver = solve_blocks, single = FALSE,
                      scales = TRUE, ridge = FALSE, closed_form = TRUE, signed = FALSE, certified = TRUE,
                      constant = 1, integral_tol = identity, prepare = identity, draw = NULL) {
  stopifnot(is.character(name), is.character(label), form %in% c("psd", "linear"),
            is.function(solver), is.character(problems))
  as.list(environment())
}

# One line a model.
model_table <- function() {
  list(psd = model_psd(), pnm = model_pnm(), ncm = model_ncm(), glm = model_glm())
}

# The model of this name, if it is for the problem.
find_model <- function(model, problem, call = rlang::caller_env()) {
  found <- model_table()[[check_choice(model, names(model_table()), call = call)]]
  if (!problem %in% found$problems) {
    abort("{.arg model} must not be {.val {model}} in {.fn {paste0('psd_', problem)}}, which has no
           such model.", call = call)
  }
  found
}

# The model of a fit, which keeps its name.
model_of <- function(fit) model_table()[[fit$model]]

# Whether a density of the model is one: nowhere negative, with integral one.
is_proper <- function(model) model$closed_form && !model$signed
