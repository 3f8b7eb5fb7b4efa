# Regression as the engine sees it, in standardised units: one linear block a direction of the
# cone's lineality space, one PSD block (or one of another model) a generator; the outputs mix them.

regression_engine <- function(x, y, weights, losses, cone, kernel, constant, integrals, control,
                              model = "psd") {
  in_halfspaces <- cone$type == "halfspaces"
  mixing <- if (in_halfspaces) signed_mixing(ncol(y)) else cbind(cone$lineality, cone$generators)
  parts <- if (!in_halfspaces && ncol(cone$lineality) > 0) c("linear", "psd")
  prepare <- function(rows, sigma, settings = control) {
    features <- lapply(stats::setNames(nm = parts %||% "psd"), function(part) {
      size <- if (constant) regression_constant[[part]] else 0
      psd_features(x[rows, , drop = FALSE], of_part(sigma, part), kernel, settings, size,
                   nodes = model == "psd" && part == "psd" && !in_halfspaces)
    })
    list(features = features, y = y[rows, , drop = FALSE], weights = weights[rows],
         control = settings)
  }
  solve <- function(problem, lambda, ridge, control = problem$control, previous = NULL) {
    if (in_halfspaces) {
      return(fit_in_halfspaces(problem, lapply(losses, loss_spec), cone, lambda, ridge, control,
                               previous$dual))
    }
    blocks <- regression_blocks(problem$features, cone, lambda, ridge, model)
    fit_psd(blocks, lapply(losses, loss_spec), problem$y, mixing, problem$weights,
            lapply(integrals, integral_row, blocks, mixing), control, previous$dual)
  }
  score <- function(solution, rows) {
    u <- mixed_outputs(solution$functions, mixing, x[rows, , drop = FALSE])
    total_loss(losses, u, y[rows, , drop = FALSE])
  }
  list(rows = seq_len(nrow(x)), dim = ncol(x), weights = weights, control = control, parts = parts,
       ridge = model == "psd", mixing = mixing, prepare = prepare, solve = solve, score = score)
}

# Size of the constant feature. In linear blocks it is penalised a hundred times less than the
# kernel's features.
regression_constant <- c(linear = 10, psd = 1)

# Parameters of models with one part have no names.
of_part <- function(parameter, part) if (is.null(names(parameter))) parameter else parameter[[part]]

regression_blocks <- function(features, cone, lambda, ridge, model) {
  penalty <- of_part(lambda, "psd")
  linear <- if (ncol(cone$lineality) > 0) linear_block(features$linear, of_part(lambda, "linear"))
  positive <- nonnegative_block(model, features$psd, penalty, ridge)
  c(rep(list(linear), ncol(cone$lineality)), rep(list(positive), ncol(cone$generators)))
}

# Outputs at the rows of x.
mixed_outputs <- function(functions, mixing, x) mix(cpp_evaluate_all(functions, x), mixing)

# The loss of each row, summed over outputs.
total_loss <- function(losses, u, y) {
  Reduce(`+`, lapply(seq_along(losses), function(j) loss_values(losses[[j]], u[, j], y[, j])))
}
