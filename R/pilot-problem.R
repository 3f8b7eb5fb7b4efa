# A problem in the units of a pilot (R/pilot.R), and back.

# What its field `pilot` has: the `model`, the `response` in standardised units, and `log_scale`,
# the log of the pilot's standard deviation at the rows; `known`, pilots without some rows.
in_pilot_units <- function(problem, response, model) {
  at <- pilot_at(model, problem$x)
  problem$y[] <- over_pilot(response, at)
  problem$pilot <- list(model = model, response = response, log_scale = at$log_scale,
                        known = new.env(parent = emptyenv()))
  problem
}

# A response in units of the pilot `at` its rows.
over_pilot <- function(response, at) (response - at$center) / exp(at$log_scale)

# What a row costs less in the units of the pilot than in those of the response.
pilot_cost <- function(problem, rows) {
  if (is.null(problem$pilot)) rep(0, length(rows)) else problem$pilot$log_scale[rows]
}

# Of some of the observations.
pilot_of_observations <- function(pilot, rows) {
  if (is.null(pilot)) return(NULL)
  utils::modifyList(pilot, list(response = pilot$response[rows], log_scale = pilot$log_scale[rows],
                                known = new.env(parent = emptyenv())))
}

# The problem in the units of a pilot that is fitted again, to some rows or with other weights.
piloted_again <- function(problem, rows, weights = problem$weights) {
  pilot <- problem$pilot
  if (is.null(pilot)) return(problem)
  model <- fit_pilot_again(pilot$model, problem$x[rows, , drop = FALSE], pilot$response[rows],
                           weights[rows])
  in_pilot_units(problem, pilot$response, model)
}

# Rows that are held out must not be seen by the pilot either.
piloted_without <- function(problem, held) {
  if (is.null(problem$pilot)) return(problem)
  known <- problem$pilot$known
  key <- rows_key(held)
  if (is.null(known[[key]])) {
    known[[key]] <- piloted_again(problem, setdiff(rows_of(problem), held))
  }
  known[[key]]
}

# Natural parameters, one column each, of the response in standardised units from those in the units
# of the pilot: precisions are divided by its variance, means are shifted and scaled.
out_of_pilot_units <- function(values, pilot, x) {
  at <- pilot_at(pilot, x)
  theta <- values[, 2] * exp(-2 * at$log_scale)
  cbind(values[, 1] * exp(-at$log_scale) + at$center * theta, theta, deparse.level = 0)
}

# Natural parameters with the same means, and variances that are not below those of the pilot: a
# line with constant variance knows nothing of noise that grows towards the edge of the data.
no_more_precise <- function(values, pilot, x) {
  precise <- pmin(1, exp(-2 * pilot_at(pilot, x)$log_scale) / values[, 2])
  values * precise
}

# The functions of a fit in units of a pilot, as natural parameters of the response: where their
# kernel fades they give way to the pilot, and where that of the pilot fades to the simple model.
beyond_pilot <- function(values, pilot, far, functions, x) {
  if (is.null(far) || nrow(x) == 0) return(out_of_pilot_units(values, pilot, x))
  none <- list(intercept = c(0, 1), slopes = matrix(0, ncol(x), 2), least = far$least)
  values <- out_of_pilot_units(beyond_data(values, none, functions, x), pilot, x)
  known <- pilot_section(pilot, x) - pilot$least + far_grace
  given_way(values, no_more_precise(simple_values(far, x), pilot, x), known)
}
