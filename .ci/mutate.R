# Rscript .ci/mutate.R N SEED: N random mutants of R/, each with one operator or constant changed,
# and the tests that run the changed line, the quickest first. A mutant that they all pass survives:
# it is printed.
#
# Nothing is installed anew: the changed function is put into the namespace of the installed
# package, so that a mutant costs no more than its tests. Which lines a test runs is looked up once
# (as long as the whole suite takes) and kept in .build/mutate until the test's file changes.
suppressPackageStartupMessages(library(testthat))
suppressPackageStartupMessages(library(psdmodels))
# Methods for generics of these are changed only where they are loaded.
for (package in c("distributional", "marginaleffects")) requireNamespace(package, quietly = TRUE)
options(warn = 1)
Sys.setenv(NOT_CRAN = "true")
for (file in list.files(file.path(".ci", "mutate"), full.names = TRUE)) source(file)

sources <- setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")
test_files <- basename(list.files(test_folder, "^test-.*[.]R$"))

# What all tests reach, from the shelf where nothing changed since.
all_hits <- function() {
  shelf <- file.path(".build", "mutate")
  dir.create(shelf, showWarnings = FALSE, recursive = TRUE)
  traced <- FALSE
  hits <- lapply(test_files, function(file) {
    kept <- file.path(shelf, paste0(file, ".rds"))
    state <- unname(tools::md5sum(file.path(test_folder, file)))
    if (file.exists(kept)) {
      known <- readRDS(kept)
      if (identical(known$state, state)) return(known$hits)
    }
    found <- apart({
      trace_package()
      reached <<- logical(nrow(sites))
      look_at(file)
    }, 900)
    if (!is.data.frame(found)) found <- NULL
    saveRDS(list(state = state, hits = found), kept)
    found
  })
  do.call(rbind, hits)
}

# Tests by file, as few as take `seconds`, the quickest first; at least one.
quickest <- function(tests, seconds) {
  tests <- tests[order(tests$seconds), ]
  tests[cumsum(tests$seconds) <= max(seconds, tests$seconds[1]), ]
}

# Whether one of these tests fails with the mutant, and is not one of those that fail without (in
# copies of the files, say): at the first the process ends. One without end counts as failing.
kills <- function(mutant, tests, failing) {
  ended <- function(file, test, seconds, failed) {
    if (!failed || test %in% failing) return(invisible())
    tools::pskill(Sys.getpid(), tools::SIGKILL)
  }
  apart({
    put_mutant(mutant)
    run_tests(split(tests$test, tests$file), watcher(ended, function(test) !test %in% failing))
    "survived"
  }, 60 + 20 * sum(tests$seconds))
}

# The tests in two rounds, so that most mutants meet only a few.
is_killed <- function(mutant, tests) {
  failing <- tests$test[tests$failed]
  tests <- tests[!tests$failed, ]
  few <- quickest(tests, 4)
  rest <- quickest(tests[!paste(tests$file, tests$test) %in% paste(few$file, few$test), ], limit)
  for (round in list(few, rest)) {
    if (nrow(round) > 0 && !identical(kills(mutant, round, failing), "survived")) return(TRUE)
  }
  FALSE
}

limit <- 150  # seconds of tests for a mutant
arguments <- as.integer(commandArgs(TRUE))
hits <- all_hits()
set.seed(arguments[2])
mutants <- do.call(rbind, lapply(sources, mutable))
mutants <- mutants[sample.int(nrow(mutants), min(arguments[1], nrow(mutants))), ]
survivors <- 0
for (i in seq_len(nrow(mutants))) {
  mutant <- mutants[i, ]
  tests <- unique(tests_reaching(mutant, hits)[c("file", "test", "seconds", "failed")])
  if (is_killed(mutant, tests)) next
  survivors <- survivors + 1
  cat(sprintf("%s:%d:%d `%s` -> `%s` (%d tests): %s\n", mutant$file, mutant$line, mutant$from,
              mutant$text, mutant$new, nrow(tests),
              trimws(readLines(mutant$file)[mutant$line])))
}
cat(sprintf("%d mutants, %d survive (%.0f %%)\n", nrow(mutants), survivors,
            100 * survivors / nrow(mutants)))
