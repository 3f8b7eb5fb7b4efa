# Where fits begin while tuning: at a solution for the same rows, of a candidate nearby. Its dual
# point has one number per row and output, whatever the features, so that widths may differ; then it
# is `foreign`, and nothing else of it is of use. But densities with many features are sums of few
# squares, f = |R' phi|^2, and the values of these functions at the rows, `inner`, do not depend on
# the features either.

# `near(held, cell, width)` is a solution to start from, or NULL; `keep(held, cells, widths,
# solutions)` takes more of them. `most`: how many are kept for each set of rows.
warm_starts <- function(most = 24) {
  known <- list()
  near <- function(held, cell, width) {
    found <- known[[rows_key(held)]]
    if (length(found$solutions) == 0) return(NULL)
    foreign <- found$widths != width
    nearest <- which.min(colSums(abs(t(found$cells) - cell)) + foreign / 2)
    out <- found$solutions[[nearest]]
    if (!foreign[nearest]) return(out)
    c(out[intersect(c("dual", "lambda", "inner"), names(out))], foreign = TRUE)
  }
  keep <- function(held, cells, widths, solutions) {
    found <- known[[rows_key(held)]]
    all <- list(cells = rbind(found$cells, cells), widths = c(found$widths, widths),
                solutions = c(found$solutions, solutions))
    kept <- utils::tail(seq_along(all$solutions), most)
    known[[rows_key(held)]] <<- list(cells = all$cells[kept, , drop = FALSE],
                                     widths = all$widths[kept], solutions = all$solutions[kept])
  }
  list(near = near, keep = keep)
}

# Is the solution a root R of few columns?
by_root <- function(prepared) {
  prepared$problem$likelihood && prepared$problem$model$form == "psd" &&
    prepared$control$solver == "newton" &&
    nrow(prepared$features[[1]]$values) > most_without_root(prepared$control)
}

# R' phi at the rows, one row a column of R.
inner_functions <- function(solution, prepared) {
  cpp_product(solution$coefficients[[1]], prepared$features[[1]]$values, TRUE, FALSE)
}

# A start with the root whose functions are as near to those of a foreign solution as the features
# allow, in least squares.
with_root <- function(start, prepared) {
  if (!isTRUE(start$foreign) || is.null(start$inner)) return(start)
  values <- prepared$features[[1]]$values
  gram <- t(cpp_lower_square(values, rep(1, ncol(values))))
  diag(gram) <- diag(gram) + 1e-6 * mean(diag(gram))
  factor <- chol(gram)  # of the upper triangle
  against <- cpp_product(values, start$inner, FALSE, TRUE)
  start$coefficients <- list(backsolve(factor, backsolve(factor, against, transpose = TRUE)))
  start
}
