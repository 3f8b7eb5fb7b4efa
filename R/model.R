# The models behind the argument `model`. Each has an engine for each problem it can solve, a
# function such as density_engine() or pnm_density_engine(), all with the same arguments.

model_names <- c("psd", "pnm", "ncm", "glm")

find_engine <- function(problem, model, call = rlang::caller_env()) {
  name <- paste0(if (model != "psd") paste0(model, "_"), problem, "_engine")
  engine <- get0(name, envir = topenv(), mode = "function")
  if (is.null(engine)) {
    abort("{.arg model} must not be {.val {model}} in {.fn {paste0('psd_', problem)}}, which has no
           such model.", call = call)
  }
  engine
}

# A function of the features that the model keeps non-negative, with its penalty; `norm` is the unit
# the function is measured in. `positive` says that the loss is infinite unless the function is
# positive at the data.
nonnegative_block <- function(model, features, lambda, ridge, norm = 1, positive = FALSE) {
  switch(model,
    psd = psd_block(features, lambda / norm, lambda * ridge / norm^2),
    pnm = if (positive) linear_block(features, lambda / norm^2)
          else partial_block(features, lambda / norm^2),
    ncm = conic_block(features, lambda / norm^2)
  )
}

# In the words of print().
describe_model <- function(kind) {
  switch(kind,
    psd = "positive semidefinite",
    pnm = "linear, non-negative at the data only (pnm)",
    ncm = "non-negative coefficients (ncm)",
    glm = "exponential of a linear function (glm)"
  )
}
