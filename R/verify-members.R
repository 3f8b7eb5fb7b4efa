# The members of an average, for psd_verify().

# The problem itself, or those of the members of an average, each with its anchors, columns and
# penalty; NULL where integrals are out of reach. Members of one width differ in little.
restated_members <- function(fit, rows) {
  if (is.null(fit$average)) {
    problem <- restated(fit, rows)
    return(if (!is.null(problem)) list(list(problem = problem, objective = fit$objective)))
  }
  known <- list()
  out <- lapply(seq_along(fit$solved$members), function(k) {
    member <- member_fit(fit, k)
    key <- as.character(fit$solved$members[[k]]$rows[1])
    if (is.null(known[[key]])) known[[key]] <<- restated(member, rows)
    if (is.null(known[[key]])) return(NULL)
    list(problem = with_member(known[[key]], member, fit, k), objective = fit$average$objective[k])
  })
  if (!any(vapply(out, is.null, NA))) out
}

# The k-th member, up to a factor.
member_fit <- function(fit, k) {
  f <- fit$functions[[1]]
  at <- fit$solved$members[[k]]
  f$anchors <- lapply(f$anchors, function(x) x[at$rows, , drop = FALSE])
  f$coefficients <- f$coefficients[at$rows, at$columns, drop = FALSE]
  fit$functions <- list(f)
  parameters <- c("lambda", "ridge")
  fit$parameters[parameters] <- members_of(fit$average, fit$parameters)[[k]][parameters]
  fit
}

# A member in the problem of another one with the same anchors. In an average functions have their
# weights and the unit of the integral of the first.
with_member <- function(problem, member, fit, k) {
  part <- fit$solved$blocks[1]
  features <- fit$solved$features[[part]]
  root <- features_on_anchors(member$functions[[1]], features, problem$blocks[[1]]$lower)
  scale <- fit$average$weight[k] * exp(-problem$log_norm - fit$log_scale)
  problem$blocks[[1]]$coefficients <- root / sqrt(scale)
  problem$blocks[[1]]$lambda <- of_part(member$parameters$lambda, part)
  problem$ridge <- member$parameters$ridge
  problem
}
