# Constraints on integrals, from what users say (psd_constraint(), psd_integral()) to what the
# solver takes, all in standardised units.

# sum_k weights_k int (sum over outputs of `mixing` times the output) x^powers_k dmeasure_k,
# compared by `relation` ("==", "<=", ">=") with `bound`. `mixing` has one number per function of
# the problem.
functional <- function(bound, relation, measures, powers = list(0), weights = 1, mixing = 1) {
  stopifnot(length(powers) == length(weights), length(measures) == length(weights))
  list(bound = bound, relation = relation, measures = measures, powers = powers,
       weights = weights, mixing = mixing)
}

# The parts whose functions take part in it.
functional_parts <- function(functional, problem) {
  unique(problem$blocks[rep_len(functional$mixing, length(problem$blocks)) != 0])
}

# As list(integrals = one matrix or vector per function (NULL: none), bound =, equality =), measured
# in units of its own matrices; for the functions that the solver solves for, exp(log_norm) times
# the user's. `terms` are the integrals of each part, one per term. Their scales, some of 1e300, are
# seen beside the largest alone; integrals that are no numbers stay so, for the solver to see.
functional_row <- function(functional, terms, problem, log_norm) {
  names <- functional_parts(functional, problem)
  top <- max(vapply(terms, `[[`, 0, "log_scale"))
  of_parts <- lapply(split(terms, rep(names, each = length(functional$weights))), function(own) {
    Reduce(`+`, Map(function(term, weight) weight * exp(term$log_scale - top) * term$value,
                    own, functional$weights))
  })
  integrals <- Map(function(name, share) if (share != 0) share * of_parts[[name]],
                   problem$blocks, functional$mixing)
  size <- norm(matrix(unlist(integrals)), "F")
  if (isTRUE(size == 0)) size <- 1
  bound <- times_exp(functional$bound, log_norm - top - log(size))
  sign <- if (functional$relation == ">=") -1 else 1
  list(integrals = unname(lapply(integrals, function(w) if (!is.null(w)) sign * w / size)),
       bound = sign * bound, equality = functional$relation == "==")
}

# x exp(log_factor), a number also where the factor is none.
times_exp <- function(x, log_factor) sign(x) * exp(log(abs(x)) + log_factor)

# The constraints in words.
shown_constraints <- function(constraints) vapply(constraints, format, "")

# A list of constraints of a class, from one or several.
check_constraints <- function(constraints, class, call = rlang::caller_env()) {
  if (inherits(constraints, class)) constraints <- list(constraints)
  good <- vapply(as.list(constraints), inherits, NA, class)
  if (!is.list(constraints) || !all(good)) {
    abort("{.arg constraints} must be a list of {.fn {class}}s, not
           {.obj_type_friendly {constraints}}.", call = call)
  }
  constraints
}
