# How much a fit, and the search before it, may compute before they stop with what they have: as
# `max_work` in psd_control(). The core counts multiplications (src/work.h); what takes long in R
# itself is added to its count.

fit_work <- 8e10
search_work <- 6e10

# With the rows the cost of an iteration grows as their square at least.
allowed_work <- function(control, usual, n) control$max_work %||% (usual * max(1, n / 300)^2)

work_of_fit <- function(prepared) {
  allowed_work(prepared$control, fit_work, length(prepared$weights))
}

# With what is allowed shared by so many fits.
sharing_work <- function(prepared, fits) {
  prepared$control$max_work <- work_of_fit(prepared) / fits
  prepared
}

# What the candidates of a search use together. Each may take a small part, as those that need more
# are hopeless; where rows are `crowded` few are tried.
search_budget <- function(n, control, crowded = FALSE) {
  most <- allowed_work(control, search_work, n)
  used <- 0
  list(each = most / if (crowded) 10 else 40, add = function(work) used <<- used + work,
       spent = function() used > most)
}

tell_search_stopped <- function(candidates) {
  cli::cli_inform(
    c("The search for parameters stopped after {candidates} candidates, which took much computing;
       the best of them is used.",
      i = "To search on, raise {.arg max_work} in {.fn psd_control}; to search for less, give
           {.arg sigma} or {.arg lambda}."), class = "psd_search_stopped")
}
