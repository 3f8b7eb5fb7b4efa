# Which models there are, and which is for which problem.

# One line per model.
model_table <- function() {
  list(
    psd = model_psd(),
    pnm = model_pnm(),
    ncm = model_ncm(),
    glm = model_glm()
  )
}

# The model of this name, if it is for the problem.
find_model <- function(model, problem, call = rlang::caller_env()) {
  found <- model_table()[[check_choice(model, names(model_table()), call = call)]]
  if (!is_for(found, problem)) {
    abort("{.arg model} must not be {.val {model}} in {.fn {paste0('psd_', problem)}}, which has no
           such model.", call = call)
  }
  found
}

is_for <- function(model, problem) is.null(model$problems) || problem %in% model$problems

# The model of a fit, which keeps its name.
model_of <- function(fit) model_table()[[fit$model]]
