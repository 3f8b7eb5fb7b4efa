# The fits that score candidates on the rows held out.

# The losses of the rows held out, one column per cell (NA if it was left out). One task is one
# width: the features are computed once, and the penalties follow each other from large to small.
score_cells <- function(problem, control, axes, held, cells, warm = warm_starts(),
                        budget = search_budget(nrow(problem$x), control)) {
  problem <- piloted_without(problem, held)
  parameters <- lapply(seq_len(nrow(cells)), function(i) cell_parameters(axes, cells[i, ]))
  width <- vapply(parameters, function(p) paste(c(p$sigma, p$ridge), collapse = " "), "")
  weight <- vapply(parameters, function(p) sum(log(p$lambda)), 0)
  paths <- lapply(split(seq_along(parameters), width), function(i) i[order(-weight[i])])
  tasks <- lapply(paths, function(path) {
    list(path = path, start = warm$near(held, cells[path[1], ], width[path[1]]))
  })
  results <- run_tasks(tasks, function(task) {
    path_losses(problem, control, held, parameters[task$path], task$start)
  })
  budget$add(sum(vapply(results, `[[`, 0, "work")))
  solved <- unlist(Map(function(path, result) path[seq_along(result$solutions)], paths, results))
  warm$keep(held, cells[solved, , drop = FALSE], width[solved],
            do.call(c, unname(lapply(results, `[[`, "solutions"))))
  out <- matrix(NA_real_, length(held), nrow(cells))
  out[, unlist(paths)] <- do.call(cbind, unname(lapply(results, `[[`, "losses")))
  out
}

# Along a path of penalties, from `start` on if there is one: list(losses =, solutions =, work =),
# of the solutions what others can start from. Once the losses are clearly above the lowest on the
# path, smaller penalties only overfit further and are left out, as they are beyond one that takes
# too much work.
path_losses <- function(problem, control, held, path, start = NULL) {
  begin <- cpp_work()
  alone <- !is.null(control$blur)  # see leaves_rows_out()
  # Landmarks among the rows held out would tell where these are.
  rows <- if (alone) rows_of(problem) else setdiff(rows_of(problem), held)
  prepared <- prepare(problem, rows, path[[1]]$sigma, control)
  weights <- problem$weights[held]
  out <- matrix(NA_real_, length(held), length(path))
  rooted <- by_root(prepared)
  previous <- if (rooted) with_root(start, prepared) else start
  solutions <- list()
  single <- length(problem$blocks) == 1
  best <- 1
  for (i in seq_along(path)) {
    previous <- solve_at(prepared, path[[i]]$lambda, path[[i]]$ridge, previous = previous)
    solutions[[i]] <- previous[c("dual", "lambda", if (single) "coefficients")]
    if (rooted) solutions[[i]]$inner <- inner_functions(previous, prepared)
    losses <- if (alone) problem$left_out(previous, problem$x, problem$y)
              else held_out(problem, previous, held)
    losses <- pmin(losses, loss_cap)
    losses[is.na(losses) | losses == -Inf] <- loss_cap  # where there is no solution
    out[, i] <- losses
    above <- losses - out[, best]
    if (stats::weighted.mean(above, weights) < 0) best <- i
    else if (clearly_worse(above, weights)) break
    if (previous$status == "max_work") break
  }
  list(losses = out, solutions = solutions, work = cpp_work() - begin)
}

# Stands for an infinite loss, so that infinite scores can be told apart.
loss_cap <- .Machine$double.xmax^0.25

# Is the mean of differences between losses of the same rows above zero by so many standard errors?
# Of fewer than `least` rows nothing is clear.
clearly_worse <- function(difference, weights, errors = 4, least = 10) {
  if (anyNA(difference)) return(TRUE)
  rows <- sum(weights)^2 / sum(weights^2)
  mean <- stats::weighted.mean(difference, weights)
  spread <- sqrt(stats::weighted.mean((difference - mean)^2, weights))
  rows > least && mean > 0 && mean > errors * spread / sqrt(max(rows - 1, 1))
}
