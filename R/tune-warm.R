# Where fits begin while tuning: at a solution for the same rows, of a candidate nearby. Its dual
# point has one number per row and output, whatever the features, so that widths may differ; then it
# is `foreign`, and nothing else of it is of use.

# `near(held, cell, width)` is a solution to start from, or NULL; `keep(held, cells, widths,
# solutions)` takes more of them. `most`: how many are kept for each set of rows.
warm_starts <- function(most = 24) {
  known <- list()
  key <- function(held) paste(length(held), sum(held), sum(held^2))
  near <- function(held, cell, width) {
    found <- known[[key(held)]]
    if (length(found$solutions) == 0) return(NULL)
    foreign <- found$widths != width
    nearest <- which.min(colSums(abs(t(found$cells) - cell)) + foreign / 2)
    out <- found$solutions[[nearest]]
    if (foreign[nearest]) c(out[c("dual", "lambda")], foreign = TRUE) else out
  }
  keep <- function(held, cells, widths, solutions) {
    found <- known[[key(held)]]
    all <- list(cells = rbind(found$cells, cells), widths = c(found$widths, widths),
                solutions = c(found$solutions, solutions))
    kept <- utils::tail(seq_along(all$solutions), most)
    known[[key(held)]] <<- list(cells = all$cells[kept, , drop = FALSE], widths = all$widths[kept],
                                solutions = all$solutions[kept])
  }
  list(near = near, keep = keep)
}
