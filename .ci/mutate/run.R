# Tests run in a process of their own, whole files or some of their tests, in a copy of the folder.

test_folder <- "tests/testthat"

# A copy with the files of tests that are asked for, of each only the tests that are named: `wanted`
# is a list of vectors of names by file; NULL for all. What is no call of test_that() stays.
copy_tests <- function(wanted) {
  folder <- file.path(tempfile("mutate"), "testthat")
  dir.create(file.path(folder, "_snaps"), recursive = TRUE)
  file.copy(list.files(test_folder, "^helper", full.names = TRUE), folder)
  snapshots <- sub("^test-(.*)[.]R$", "_snaps/\\1.md", names(wanted))
  suppressWarnings(file.copy(file.path(test_folder, snapshots), file.path(folder, "_snaps")))
  for (file in names(wanted)) {
    path <- file.path(test_folder, file)
    lines <- if (is.null(wanted[[file]])) readLines(path) else some_tests(path, wanted[[file]])
    writeLines(lines, file.path(folder, file))
  }
  folder
}

some_tests <- function(path, names) {
  expressions <- parse(path, keep.source = TRUE)
  kept <- vapply(expressions, function(e) {
    is_test <- is.call(e) && identical(e[[1]], as.name("test_that")) && is.character(e[[2]])
    !is_test || e[[2]] %in% names
  }, NA)
  unlist(lapply(attr(expressions, "srcref")[kept], as.character))
}

# A reporter that tells of the end of each test: with the seconds that it took and whether it
# failed. At the first failure at once where `stop_at` says so.
watcher <- function(ended, stop_at = function(test) FALSE, started = function() NULL) {
  class <- R6::R6Class("Watcher", inherit = testthat::Reporter, public = list(
    begin = NULL, failed = FALSE, file = NULL,
    start_file = function(filename) self$file <- filename,
    start_test = function(context, test) {
      self$begin <- proc.time()[["elapsed"]]
      self$failed <- FALSE
      started()
    },
    add_result = function(context, test, result) {
      broken <- inherits(result, c("expectation_failure", "expectation_error"))
      if (!broken) return(invisible())
      self$failed <- TRUE
      if (stop_at(test %||% "")) ended(self$file, test %||% "", 0, TRUE)
    },
    end_test = function(context, test) {
      ended(self$file, test, proc.time()[["elapsed"]] - self$begin, self$failed)
    }
  ))
  class$new()
}

run_tests <- function(wanted, reporter) {
  folder <- copy_tests(wanted)
  on.exit(unlink(dirname(folder), recursive = TRUE))
  testthat::test_dir(folder, package = "psdmodels", load_package = "installed",
                     reporter = reporter, stop_on_failure = FALSE)
}

# The value of an expression, in a process of its own; NA where it took longer, NULL where it died.
apart <- function(expression, seconds) {
  job <- parallel::mcparallel(expression, silent = TRUE)
  end <- proc.time()[["elapsed"]] + seconds
  repeat {
    left <- end - proc.time()[["elapsed"]]
    result <- suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = max(left, 0)))
    if (!is.null(result) || left <= 0) break
  }
  if (is.null(result)) tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job, wait = is.null(result), timeout = 5))
  if (is.null(result)) NA else result[[1]]
}

# What the tests of a file reach: data frame(name, hash, from, to, test, seconds, failed, file).
# What is run before a test, outside of all, counts for the next; one that runs nothing has a row
# without a name.
look_at <- function(file) {
  hits <- list()
  outside <- reached
  started <- function() {
    outside <<- reached
    reached[] <<- FALSE
  }
  ended <- function(where, test, seconds, failed) {
    rows <- sites[reached | outside, ]
    if (!any(reached)) rows <- rbind(data.frame(name = "", hash = "", from = 0L, to = 0L), rows)
    hits[[length(hits) + 1]] <<- data.frame(rows, test, seconds, failed, file)
    reached[] <<- FALSE
  }
  reached[] <<- FALSE
  run_tests(stats::setNames(list(NULL), file), watcher(ended, started = started))
  do.call(rbind, hits)
}
