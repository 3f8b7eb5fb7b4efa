# Averages: candidates that tuning gave a weight, each solved with its own width and penalty, and
# their functions added up. A fit without an average has a single member.

# One list(sigma =, lambda =, ridge =, weight =) a member: the rows of a `table` of candidates that
# have a weight or, if there are no two of them, the `chosen` parameters.
members_of <- function(table, chosen) {
  weighted <- which(table$weight > 0)
  if (length(weighted) < 2) return(list(c(chosen[c("sigma", "lambda", "ridge")], weight = 1)))
  of_row <- function(name, row) {
    own <- unlist(table[row, grepl(paste0("^", name, "(\\.|$)"), names(table))])
    stats::setNames(own, names(chosen[[name]]))
  }
  lapply(weighted, function(row) {
    list(sigma = of_row("sigma", row), lambda = of_row("lambda", row), ridge = table$ridge[row],
         weight = table$weight[row])
  })
}

# The smallest width of each part.
finest_sigma <- function(chosen) {
  do.call(pmin, lapply(members_of(chosen$tuning, chosen), `[[`, "sigma"))
}

# The solution with the chosen parameters, or the average that tuning asks for. `prepared` is for
# the chosen width.
solve_chosen <- function(prepared, chosen) {
  groups <- by_width(members_of(chosen$tuning, chosen))
  solve_groups(groups, lapply(groups, function(group) at_width(prepared, group[[1]]$sigma)))
}

# The same rows at another width.
at_width <- function(prepared, sigma) {
  if (identical(as.numeric(prepared$sigma), as.numeric(sigma))) return(prepared)
  prepare(prepared$problem, rows_of(prepared$problem), sigma, prepared$control)
}

# The groups of a fit, and what some rows look like to each.
groups_of <- function(fit) by_width(members_of(fit$average, fit$parameters))

prepare_groups <- function(groups, problem, rows, control) {
  lapply(groups, function(group) prepare(problem, rows, group[[1]]$sigma, control))
}

# In groups that share their features, each with its penalties from large to small.
by_width <- function(members) {
  width <- vapply(members, function(m) paste(sprintf("%a", m$sigma), collapse = " "), "")
  groups <- unname(split(members, factor(width, unique(width))))
  lapply(groups, function(group) {
    group[order(-vapply(group, function(m) sum(log(m$lambda)), 0))]
  })
}

# The solutions of a group, each from the one before.
solve_path <- function(prepared, group, previous = NULL) {
  Reduce(function(previous, member) {
    solve_at(prepared, member$lambda, member$ridge, previous = previous)
  }, group, previous, accumulate = TRUE)[-1]
}

# The average over groups; `prepared` has one entry per group, `previous` perhaps a solution to
# start from.
solve_groups <- function(groups, prepared, previous = vector("list", length(groups))) {
  prepared <- lapply(prepared, sharing_work, length(unlist(groups, recursive = FALSE)))
  solutions <- do.call(c, Map(solve_path, prepared, groups, previous))
  average_solutions(solutions, vapply(do.call(c, groups), `[[`, 0, "weight"))
}

# Functions and what is linear in them; `average` tells of each member, the rest is the worst of
# them.
average_solutions <- function(solutions, weights) {
  if (length(solutions) == 1) return(solutions[[1]])
  each <- function(field) vapply(solutions, function(s) as.numeric(s[[field]]), 0)
  out <- solutions[[which.max(weights)]]
  out$functions <- lapply(seq_along(out$functions), function(k) {
    average_functions(lapply(solutions, function(s) s$functions[[k]]),
                      weights * exp(each("log_scale") - out$log_scale))
  })
  out$rank <- vapply(out$functions, rank_of, NA_integer_)
  out$gap <- max(each("gap"))
  out$objective <- sum(weights * each("objective"))
  out$iterations <- as.integer(sum(each("iterations")))
  out$seconds <- sum(each("seconds"))
  if (!is.null(out$mass)) out$mass <- sum(weights * each("mass"))
  worst <- which.min(each("converged"))
  out[c("converged", "status")] <- solutions[[worst]][c("converged", "status")]
  out$members <- members_in_average(lapply(solutions, function(s) s$functions[[1]]))
  parameter <- function(name) do.call(rbind, lapply(solutions, `[[`, name))
  out$average <- data.frame(sigma = parameter("sigma"), lambda = parameter("lambda"),
                            ridge = parameter("ridge"), weight = weights,
                            objective = each("objective"), gap = each("gap"))
  out
}

# Where each of some PSD functions is in their sum: its `rows`, the anchors, and its `columns`.
members_in_average <- function(functions) {
  if (functions[[1]]$type != "psd") return(NULL)
  ranks <- vapply(functions, rank_of, 0L)
  Map(function(rows, last, rank) list(rows = rows, columns = last - rank + seq_len(rank)),
      anchor_rows(functions), cumsum(ranks), ranks)
}
